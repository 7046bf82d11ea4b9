import type { ControlStore } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { Clock } from '../platform/clock.ts';
import { dataExportRule } from '../rules/data-export-rule.ts';
import { newRule } from '../rules/merge.ts';
import { columnsOf } from '../rules/record.ts';
import { bucketData } from './bucket.ts';

interface Place {
  readonly store: ControlStore;
  readonly clock: Clock;
}

/** Inserts an S3 channel in the format of its family. */
export async function addChannel(
  { store, clock }: Place,
  id: string,
  owner_id: string,
  given: Partial<Tables['integrations']> = {},
): Promise<void> {
  const row = {
    ...{ id, owner_id, family: 'AlertChannels', type: 'AwsS3', subtype: null, name: id, enabled: 1 as const },
    ...{ is_org: 0 as const, is_default: 0 as const, data: JSON.stringify(bucketData), secrets: null },
    ...{ props: null, state: null, server_token: null, server_token_fingerprint: null, identity: null },
    ...{ updated_at: clock.now(), updated_by: 'me', ...given },
  };
  await store.housekeeping((tx) => tx.insertInto('integrations').values(row).execute());
}

/** Inserts a data export rule for channels. */
export async function addRule(
  { store, clock }: Place,
  id: string,
  owner_id: string,
  intgGuidList: string[],
): Promise<void> {
  const rule = newRule(dataExportRule, { filters: { name: id }, intgGuidList });
  const row = { id, owner_id, family: 'DataExportRules', ...columnsOf(rule) };
  const changed = { updated_at: clock.now(), updated_by: 'me' };
  await store.housekeeping((tx) =>
    tx
      .insertInto('rules')
      .values({ ...row, ...changed })
      .execute(),
  );
}

/** The filters column of a data export rule. */
export function filtersOf(name: string, enabled: 0 | 1): string {
  return columnsOf(newRule(dataExportRule, { filters: { name, enabled } })).filters;
}

export async function changeRow(
  { store }: Place,
  table: 'rules' | 'integrations',
  id: string,
  changes: object,
): Promise<void> {
  await store.housekeeping((tx) =>
    tx
      .updateTable(table)
      .set(changes as never)
      .where('id', '=', id)
      .execute(),
  );
}
