import type { Actor } from '../../control/actor.ts';
import { findOwned, holdOwned, lockOwned } from '../../control/owned-row.ts';
import { checkQuota } from '../../control/quota.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import { refuseUnknownGroups } from '../../groups/known-groups.ts';
import type { Scope } from '../../identity/scope.ts';
import { changedMembers } from '../../integrations/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import { newGuid } from '../../platform/ids.ts';
import { quoted } from '../../platform/quoted.ts';
import { refuseUnknownChannels } from '../../rules/channels.ts';
import type { BuiltInDefinitions } from '../definitions/built-in-definitions.ts';
import { mergedData, noData } from './data.ts';
import type { DistributionChange, DistributionCreation } from './form.ts';
import { type DistributionRecord, type DistributionRow, distributionRecord } from './record.ts';

export interface ReportDistributionDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly builtIn: BuiltInDefinitions;
}

export class ReportDistributions {
  readonly #deps: ReportDistributionDeps;

  constructor(deps: ReportDistributionDeps) {
    this.#deps = deps;
  }

  async get({ ownerId }: Scope, id: string): Promise<DistributionRecord> {
    const key = { id, owner_id: ownerId };
    return distributionRecord(await findOwned(this.#deps.store.read, 'report_distributions', key));
  }

  async create(actor: Actor, scope: Scope, body: DistributionCreation): Promise<DistributionRecord> {
    const { store, clock } = this.#deps;
    const isBuiltIn = await this.#isBuiltIn(body.reportDefinitionGuid);
    const row: DistributionRow = {
      ...{ id: newGuid(scope.name), owner_id: scope.ownerId },
      report_definition_guid: body.reportDefinitionGuid,
      distribution_name: body.distributionName,
      alert_channels: JSON.stringify(body.alertChannels),
      frequency: body.frequency,
      data: JSON.stringify(mergedData(noData, body.data)),
      ...{ updated_at: clock.now(), updated_by: actor.userName },
    };
    return store.transaction(actor, async (tx, act) => {
      if (!isBuiltIn) await holdDefinition(tx, row);
      const record = distributionRecord(row);
      await refuseUnknownReferences(tx, scope, record);
      await tx.insertInto('report_distributions').values(row).execute();
      await checkQuota(tx, 'report_distributions', row);
      act.describe(`'${row.distribution_name}' (${row.id})`);
      return record;
    });
  }

  /** Omitted members keep their values, also within `data`. */
  async change(
    actor: Actor,
    scope: Scope,
    id: string,
    body: DistributionChange,
  ): Promise<DistributionRecord> {
    const { store, clock } = this.#deps;
    const { reportDefinitionGuid: definition, alertChannels } = body;
    const isBuiltIn = definition ? await this.#isBuiltIn(definition) : false;
    return store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'report_distributions', { id, owner_id: scope.ownerId });
      const present = distributionRecord(row);
      const next: DistributionRow = {
        ...row,
        report_definition_guid: definition ?? row.report_definition_guid,
        distribution_name: body.distributionName ?? row.distribution_name,
        alert_channels: alertChannels ? JSON.stringify(alertChannels) : row.alert_channels,
        frequency: body.frequency ?? row.frequency,
        data: JSON.stringify(mergedData(present.data, body.data)),
        ...{ updated_at: clock.now(), updated_by: actor.userName },
      };
      if (definition && !isBuiltIn) await holdDefinition(tx, next);
      const record = distributionRecord(next);
      await refuseUnknownReferences(tx, scope, record, present);
      await tx.updateTable('report_distributions').set(next).where('id', '=', id).execute();
      await checkQuota(tx, 'report_distributions', next, row);
      const changed = changedMembers(present, record).join(', ') || 'nothing';
      act.describe(`'${next.distribution_name}' (${id}): ${changed}`);
      return record;
    });
  }

  async delete(actor: Actor, { ownerId }: Scope, id: string): Promise<void> {
    await this.#deps.store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'report_distributions', { id, owner_id: ownerId });
      await tx.deleteFrom('report_distributions').where('id', '=', id).execute();
      act.describe(`'${row.distribution_name}' (${id})`);
    });
  }

  async #isBuiltIn(guid: string): Promise<boolean> {
    return (await this.#deps.builtIn.find(guid)) !== undefined;
  }
}

/** Locks the custom definition, so that it is not deleted at the same time. */
async function holdDefinition(
  tx: ControlTransaction,
  { owner_id, report_definition_guid: id }: DistributionRow,
): Promise<void> {
  if (await holdOwned(tx, 'report_definitions', { id, owner_id })) return;
  throw new Refusal(
    'INVALID_INPUT',
    `reportDefinitionGuid must be the identifier of a report definition of the account, not ${quoted(id)}.`,
  );
}

async function refuseUnknownReferences(
  tx: ControlTransaction,
  scope: Scope,
  { alertChannels, data }: DistributionRecord,
  before?: DistributionRecord,
): Promise<void> {
  await refuseUnknownChannels(tx, scope, alertChannels, before?.alertChannels, 'alertChannels');
  const groups = before?.data.resourceGroups ?? [];
  await refuseUnknownGroups(tx, scope, data.resourceGroups, groups, 'data.resourceGroups');
}
