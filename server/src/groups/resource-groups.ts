import type { Actor } from '../control/actor.ts';
import { findOwned, lockOwned } from '../control/owned-row.ts';
import { checkQuota } from '../control/quota.ts';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Scope } from '../identity/scope.ts';
import { changedMembers } from '../integrations/changes.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { newGuid } from '../platform/ids.ts';
import { descriptionOf, type GroupBody, type GroupChange, selectionOf } from './body.ts';
import { type GroupRecord, type GroupRow, groupRecord } from './record.ts';
import { isForOrganizationsOnly, type ResourceType } from './resource-types.ts';

export class ResourceGroups {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async list(scope: Scope): Promise<GroupRecord[]> {
    const rows = await this.#store.read
      .selectFrom('resource_groups')
      .selectAll()
      .where('owner_id', '=', scope.ownerId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => groupRecord(row, scope));
  }

  async get(scope: Scope, id: string): Promise<GroupRecord> {
    const key = { id, owner_id: scope.ownerId };
    return groupRecord(await findOwned(this.#store.read, 'resource_groups', key), scope);
  }

  async create(actor: Actor, scope: Scope, body: GroupBody): Promise<GroupRecord> {
    const now = this.#clock.now();
    if (isForOrganizationsOnly(body.type) && !scope.isOrganization) {
      throw new Refusal(
        'INVALID_INPUT',
        `resourceType ${body.type} is only available to organizations: send the header Org-Access: true.`,
      );
    }
    const selection = selectionOf(body.type, body);
    if (!selection) {
      throw new Refusal(
        'INVALID_INPUT',
        'query is required: add it to the body, or props in the older form.',
      );
    }
    const row: GroupRow = {
      id: newGuid(scope.name),
      owner_id: scope.ownerId,
      type: body.type,
      name: body.name,
      description: descriptionOf(body) ?? '',
      enabled: body.enabled,
      is_default: 0,
      ...selection,
      created_at: now,
      created_by: actor.userName,
      updated_at: now,
      updated_by: actor.userName,
    };
    await this.#store.transaction(actor, async (tx, act) => {
      await tx.insertInto('resource_groups').values(row).execute();
      await checkQuota(tx, 'resource_groups', row);
      act.describe(`${row.type} '${row.name}' (${row.id})`);
    });
    return groupRecord(row, scope);
  }

  /** Omitted members are kept; `query` and `props` are replaced as a whole. The type cannot change. */
  change(
    actor: Actor,
    scope: Scope,
    id: string,
    read: (present: GroupRecord) => GroupChange,
  ): Promise<GroupRecord> {
    return this.#store.transaction(actor, async (tx, act) => {
      const row = await lockForChange(tx, scope.ownerId, id);
      const body = read(groupRecord(row, scope));
      if (body.type && body.type !== row.type) {
        throw new Refusal(
          'INVALID_INPUT',
          `resourceType can not change from ${row.type}: create another group instead.`,
        );
      }
      const next: GroupRow = {
        ...row,
        name: body.name ?? row.name,
        description: descriptionOf(body) ?? row.description,
        enabled: body.enabled ?? row.enabled,
        ...selectionOf(row.type as ResourceType, body),
        updated_at: this.#clock.now(),
        updated_by: actor.userName,
      };
      await tx.updateTable('resource_groups').set(next).where('id', '=', id).execute();
      await checkQuota(tx, 'resource_groups', next, row);
      const changed = changedMembers(comparable(row), comparable(next)).join(', ') || 'nothing';
      act.describe(`${row.type} '${next.name}' (${id}): ${changed}`);
      return groupRecord(next, scope);
    });
  }

  async delete(actor: Actor, scope: Scope, id: string): Promise<void> {
    await this.#store.transaction(actor, async (tx, act) => {
      const row = await lockForChange(tx, scope.ownerId, id);
      await tx.deleteFrom('resource_groups').where('id', '=', id).execute();
      act.describe(`${row.type} '${row.name}' (${id})`);
    });
  }
}

/** The members compared to find which of them changed, under their names in the API. */
function comparable({ name, description, enabled, query }: GroupRow): object {
  return { name, description, enabled, query: JSON.parse(query) };
}

/** Default groups cannot be changed. */
async function lockForChange(tx: ControlTransaction, ownerId: string, id: string): Promise<GroupRow> {
  const row = await lockOwned(tx, 'resource_groups', { id, owner_id: ownerId });
  if (row.is_default === 0) return row;
  throw new Refusal(
    'CONFLICT',
    `'${row.name}' is a default group and can not be changed or deleted: create another group.`,
  );
}
