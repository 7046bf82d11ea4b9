import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { holdOwned } from '../control/owned-row.ts';
import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';

/** Clients show Ok or Pending from `ok`, and the details, which distinguish untested integrations from failed ones. */
export const IntegrationState = Type.Object(
  {
    ok: Type.Boolean({
      description: 'Whether the last attempt succeeded; false before the first attempt.',
    }),
    lastUpdatedTime: Type.Integer({
      description:
        'Time of the last attempt, or of the last change before the first attempt, in epoch milliseconds.',
    }),
    lastSuccessfulTime: Type.Integer({
      description: 'Time of the last success in epoch milliseconds; 0: never.',
    }),
    details: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      description: 'Result of the last attempt.',
    }),
  },
  { description: 'State of the integration.' },
);
export type IntegrationState = Type.Static<typeof IntegrationState>;

const noCollector = 'This server has no collector for this type of integration: nothing is read.';

/** The state before the first attempt. After a change of settings, the time of the last success is kept. */
export function untriedState(
  since: number,
  { lacksSecret = false, lacksCollector = false, lastSuccessfulTime = 0 } = {},
): IntegrationState {
  const message = lacksCollector
    ? noCollector
    : lacksSecret
      ? 'A secret is missing: add it.'
      : 'Not tried yet.';
  return { ok: false, lastUpdatedTime: since, lastSuccessfulTime, details: { message } };
}

/** The result of an attempt. */
export interface IntegrationOutcome {
  readonly ok: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Updates the state after an attempt; not if the settings were changed since `updatedAt`, where it is given. */
export async function recordState(
  tx: ControlTransaction,
  { id, owner_id }: { readonly id: string; readonly owner_id: string },
  { ok, details }: IntegrationOutcome,
  { now, updatedAt }: { readonly now: number; readonly updatedAt?: number },
): Promise<void> {
  // Updating the row first locks it, so that no concurrent change of the integration is lost.
  await holdOwned(tx, 'integrations', { id, owner_id });
  const row = await tx
    .selectFrom('integrations')
    .select(['state', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || (updatedAt !== undefined && row.updated_at !== updatedAt)) return;
  const before = JSON.parse(row.state ?? '{}') as Partial<IntegrationState>;
  const lastSuccessfulTime = ok ? now : (before.lastSuccessfulTime ?? 0);
  const state: IntegrationState = { ok, lastUpdatedTime: now, lastSuccessfulTime, details };
  await tx
    .updateTable('integrations')
    .set({ state: JSON.stringify(state) })
    .where('id', '=', id)
    .execute();
}

/** Rows of releases that did not say so. States that remote programs have reported stay. */
export async function markMissingCollectors(db: Kysely<Tables>, types: readonly string[]): Promise<void> {
  if (types.length === 0) return;
  const rows = await db
    .selectFrom('integrations')
    .select(['id', 'state', 'updated_at'])
    .where('type', 'in', types)
    .where('state', 'like', '%"Not tried yet."%')
    .execute();
  for (const { id, updated_at } of rows)
    await db
      .updateTable('integrations')
      .set({ state: JSON.stringify(untriedState(updated_at, { lacksCollector: true })) })
      .where('id', '=', id)
      .execute();
}

/** Corrects rows of earlier releases, which marked untested integrations as ok. */
export async function correctUntriedStates(db: Kysely<Tables>): Promise<void> {
  const rows = await db
    .selectFrom('integrations')
    .select(['id', 'state'])
    .where('state', 'like', '%"ok":true%')
    .where('state', 'like', '%"lastSuccessfulTime":0%')
    .execute();
  for (const { id, state } of rows) {
    const { ok, lastUpdatedTime, lastSuccessfulTime } = JSON.parse(state ?? '{}') as IntegrationState;
    if (!ok || lastSuccessfulTime !== 0) continue;
    await db
      .updateTable('integrations')
      .set({ state: JSON.stringify(untriedState(lastUpdatedTime)) })
      .where('id', '=', id)
      .execute();
  }
}
