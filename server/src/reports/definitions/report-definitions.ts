import type { Actor } from '../../control/actor.ts';
import { findOwned, lockOwned, seekOwned } from '../../control/owned-row.ts';
import { checkQuota } from '../../control/quota.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Policies } from '../../detection/policies/policies.ts';
import type { Scope } from '../../identity/scope.ts';
import { changedMembers } from '../../integrations/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import { newGuid } from '../../platform/ids.ts';
import { quoted } from '../../platform/quoted.ts';
import type { ReportCloud } from '../compliance/report.ts';
import type { BuiltInDefinitions } from './built-in-definitions.ts';
import type { DefinitionContent } from './content.ts';
import type { DefinitionChange, DefinitionCreation } from './form.ts';
import { changedColumns, columnsOf, contentOf, type DefinitionColumns, newColumns } from './merge.ts';
import { type DefinitionRecord, type DefinitionRow, definitionRecord } from './record.ts';
import { refuseUnknownReferences } from './references.ts';
import { earlierVersion, earlierVersions, keepVersion } from './versions.ts';

export interface ReportDefinitionDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly policies: Policies;
  readonly builtIn: BuiltInDefinitions;
}

/** A custom definition, as reports need it. */
export interface CustomDefinition extends DefinitionContent {
  readonly guid: string;
  readonly version: number;
  readonly title: string;
  readonly cloud: ReportCloud;
}

/** The report definitions of an account: built-in and custom. Each change of a custom one makes a new version. */
export class ReportDefinitions {
  readonly builtIn: BuiltInDefinitions;
  readonly #deps: ReportDefinitionDeps;

  constructor(deps: ReportDefinitionDeps) {
    this.#deps = deps;
    this.builtIn = deps.builtIn;
  }

  async get({ ownerId }: Scope, id: string): Promise<DefinitionRecord> {
    const { store } = this.#deps;
    const builtIn = await this.builtIn.find(id);
    return (
      builtIn ??
      definitionRecord(await findOwned(store.read, 'report_definitions', { id, owner_id: ownerId }))
    );
  }

  /** All versions that are kept, newest first. */
  async versions({ ownerId }: Scope, id: string): Promise<DefinitionRecord[]> {
    const { store } = this.#deps;
    const builtIn = await this.builtIn.find(id);
    if (builtIn) return [builtIn];
    const row = await findOwned(store.read, 'report_definitions', { id, owner_id: ownerId });
    return [row, ...(await earlierVersions(store.read, row))].map(definitionRecord);
  }

  async create(actor: Actor, scope: Scope, body: DefinitionCreation): Promise<DefinitionRecord> {
    const { store, clock, policies } = this.#deps;
    const columns = newColumns(scope, body);
    if (await this.builtIn.hasTitle(columns.report_name)) throw builtInTitle(columns.report_name);
    const [now, by] = [clock.now(), actor.userName];
    const row: DefinitionRow = {
      ...{ id: newGuid(scope.name), owner_id: scope.ownerId, version: 1, update_type: 'Create' },
      ...columns,
      ...{ created_at: now, created_by: by, updated_at: now, updated_by: by },
    };
    return store.transaction(actor, async (tx, act) => {
      await refuseTakenName(tx, row);
      await refuseUnknownReferences(tx, policies, scope, row);
      await tx.insertInto('report_definitions').values(row).execute();
      await checkQuota(tx, 'report_definitions', row);
      act.describe(`'${row.report_name}' (${row.id})`);
      return definitionRecord(row);
    });
  }

  /** Makes a new version; omitted members keep their values. */
  async change(actor: Actor, scope: Scope, id: string, body: DefinitionChange): Promise<DefinitionRecord> {
    await this.#refuseBuiltIn(id);
    const isTitle = body.reportName ? await this.builtIn.hasTitle(body.reportName) : false;
    return this.#write(actor, scope, id, 'Update', async (tx, row) => {
      const next = { ...row, ...changedColumns(scope, row, body) };
      // An upgrade may have brought a framework with the present name.
      if (isTitle && next.report_name !== row.report_name) throw builtInTitle(next.report_name);
      await refuseUnknownReferences(tx, this.#deps.policies, scope, next, row);
      return next;
    });
  }

  /** Makes a new version with the content of an earlier one, even if it names policies that were deleted since. */
  async revert(actor: Actor, scope: Scope, id: string, version: number): Promise<DefinitionRecord> {
    await this.#refuseBuiltIn(id);
    return this.#write(actor, scope, id, 'Revert', async (tx, row) =>
      version === row.version ? row : columnsOf(await earlierVersion(tx, row, version)),
    );
  }

  /** Also deletes the earlier versions. */
  async delete(actor: Actor, { ownerId }: Scope, id: string): Promise<void> {
    await this.#refuseBuiltIn(id);
    await this.#deps.store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'report_definitions', { id, owner_id: ownerId });
      const used = await seekOwned(tx, 'report_distributions', {
        ...{ owner_id: ownerId, report_definition_guid: id },
      });
      if (used) {
        throw new Refusal(
          'CONFLICT',
          `The report definition is used by the report distribution ${quoted(used.distribution_name)} (${used.id}): delete that first.`,
        );
      }
      await tx.deleteFrom('report_definitions').where('id', '=', id).execute();
      await tx.deleteFrom('report_definition_versions').where('id', '=', id).execute();
      act.describe(`'${row.report_name}' (${id})`);
    });
  }

  /** The custom definition with this name, if there is one. */
  async definitionByName(ownerId: string, name: string): Promise<CustomDefinition | undefined> {
    const key = { owner_id: ownerId, report_name: name };
    return customDefinition(await seekOwned(this.#deps.store.read, 'report_definitions', key));
  }

  /** The custom definition with this identifier, if there is one. */
  async definitionByGuid(ownerId: string, id: string): Promise<CustomDefinition | undefined> {
    return customDefinition(
      await seekOwned(this.#deps.store.read, 'report_definitions', { owner_id: ownerId, id }),
    );
  }

  #write(
    actor: Actor,
    { ownerId }: Scope,
    id: string,
    updateType: string,
    nextOf: (tx: ControlTransaction, row: DefinitionRow) => Promise<DefinitionColumns>,
  ): Promise<DefinitionRecord> {
    const { store, clock } = this.#deps;
    return store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'report_definitions', { id, owner_id: ownerId });
      const next: DefinitionRow = {
        ...row,
        ...(await nextOf(tx, row)),
        ...{ version: row.version + 1, update_type: updateType },
        ...{ updated_at: clock.now(), updated_by: actor.userName },
      };
      if (next.report_name !== row.report_name) await refuseTakenName(tx, next);
      await keepVersion(tx, row);
      await tx.updateTable('report_definitions').set(next).where('id', '=', id).execute();
      await checkQuota(tx, 'report_definitions', next, row);
      const changed = changedMembers(settings(row), settings(next)).join(', ') || 'nothing';
      act.describe(`'${next.report_name}' (${id}), version ${next.version}: ${changed}`);
      return definitionRecord(next);
    });
  }

  async #refuseBuiltIn(id: string): Promise<void> {
    const builtIn = await this.builtIn.find(id);
    if (!builtIn) return;
    throw new Refusal(
      'CONFLICT',
      `The report definition '${builtIn.reportName}' is built in and can not be changed or deleted: create another one with its sections.`,
    );
  }
}

function builtInTitle(name: string): Refusal {
  return new Refusal(
    'CONFLICT',
    `reportName ${quoted(name)} is that of a built-in definition: choose another one.`,
  );
}

async function refuseTakenName(
  tx: ControlTransaction,
  { owner_id, report_name }: DefinitionRow,
): Promise<void> {
  const other = await seekOwned(tx, 'report_definitions', { owner_id, report_name });
  if (!other) return;
  throw new Refusal(
    'CONFLICT',
    `reportName ${quoted(report_name)} already exists (${other.id}): choose another one.`,
  );
}

/** The members that a change may update, as in the API. */
function settings(row: DefinitionRow): object {
  const { version, createdBy, createdTime, updateType, ...members } = definitionRecord(row);
  return members;
}

function customDefinition(row: DefinitionRow | undefined): CustomDefinition | undefined {
  return (
    row && {
      ...{ guid: row.id, version: row.version, title: row.display_name },
      cloud: row.sub_report_type as ReportCloud,
      ...contentOf(row),
    }
  );
}
