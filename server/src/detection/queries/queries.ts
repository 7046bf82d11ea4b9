import type { Actor } from '../../control/actor.ts';
import { findOwned, holdOwned, lockOwned, seekOwned } from '../../control/owned-row.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import { changedMembers } from '../../integrations/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Pack } from '../packs/pack.ts';
import type { QueryChange, QueryCreation } from './form.ts';
import { builtInQueryRecord, type QueryRecord, type QueryRow, queryRecord } from './record.ts';

export interface QueryParts {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly pack: Pack;
}

/** Saved queries: those that every account has, and those that its people made. */
export class Queries {
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #pack: Pack;

  constructor({ store, clock, pack }: QueryParts) {
    this.#store = store;
    this.#clock = clock;
    this.#pack = pack;
  }

  builtIn(): QueryRecord[] {
    return this.#pack.queries.map(builtInQueryRecord);
  }

  async get(ownerId: string, id: string): Promise<QueryRecord> {
    const builtIn = this.#pack.query(id);
    if (builtIn) return builtInQueryRecord(builtIn);
    return queryRecord(await findOwned(this.#store.read, 'queries', { id, owner_id: ownerId }, missing(id)));
  }

  create(actor: Actor, body: QueryCreation): Promise<QueryRecord> {
    const { queryId: id } = body;
    const row: QueryRow = {
      id,
      owner_id: actor.ownerId,
      query_text: body.queryText,
      query_name: body.queryName ?? null,
      description: body.description ?? null,
      evaluator_id: body.evaluatorId ?? null,
      usage_context: contextOf(body),
      result_schema: '[]',
      created_by: actor.userName,
      updated_at: this.#clock.now(),
      updated_by: actor.userName,
    };
    return this.#store.transaction(actor, async (tx, act) => {
      const taken = this.#pack.query(id) ?? (await seekOwned(tx, 'queries', { id, owner_id: row.owner_id }));
      if (taken) {
        throw new Refusal(
          'CONFLICT',
          `Query id ${id} already exists: change that one or choose another queryId.`,
        );
      }
      await tx.insertInto('queries').values(row).execute();
      act.describe(id);
      return queryRecord(row);
    });
  }

  /** Members that are left out stay as they are. */
  change(actor: Actor, id: string, body: QueryChange): Promise<QueryRecord> {
    return this.#store.transaction(actor, async (tx, act) => {
      const row = await this.#lock(tx, actor.ownerId, id);
      const next: QueryRow = {
        ...row,
        query_text: body.queryText ?? row.query_text,
        query_name: body.queryName ?? row.query_name,
        description: body.description ?? row.description,
        evaluator_id: body.evaluatorId ?? row.evaluator_id,
        usage_context: contextOf(body) ?? row.usage_context,
        updated_at: this.#clock.now(),
        updated_by: actor.userName,
      };
      await tx
        .updateTable('queries')
        .set(next)
        .where('owner_id', '=', row.owner_id)
        .where('id', '=', id)
        .execute();
      act.describe(`${id}: ${changedMembers(decided(row), decided(next)).join(', ') || 'nothing'}`);
      return queryRecord(next);
    });
  }

  async delete(actor: Actor, id: string): Promise<void> {
    await this.#store.transaction(actor, async (tx, act) => {
      const { owner_id } = await this.#lock(tx, actor.ownerId, id);
      await refuseIfUsed(tx, owner_id, id);
      await tx.deleteFrom('queries').where('owner_id', '=', owner_id).where('id', '=', id).execute();
      act.describe(id);
    });
  }

  /** The text of a query that a policy names; it stays until the policy is written. */
  async require(tx: ControlTransaction, ownerId: string, id: string): Promise<string> {
    const builtIn = this.#pack.query(id);
    if (builtIn) return builtIn.text;
    const key = { id, owner_id: ownerId };
    await holdOwned(tx, 'queries', key);
    const row = await seekOwned(tx, 'queries', key);
    if (row) return row.query_text;
    throw new Refusal('INVALID_INPUT', `queryId '${id}' names no query: create it first, or correct it.`);
  }

  async #lock(tx: ControlTransaction, ownerId: string, id: string): Promise<QueryRow> {
    if (this.#pack.query(id)) {
      throw new Refusal(
        'CONFLICT',
        `Query id ${id} is built in, which can be neither changed nor deleted: create one of your own.`,
      );
    }
    return lockOwned(tx, 'queries', { id, owner_id: ownerId }, missing(id));
  }
}

/** The wording that clients look for. */
function missing(id: string): string {
  return `Query id ${id} not found`;
}

async function refuseIfUsed(tx: ControlTransaction, ownerId: string, id: string): Promise<void> {
  const users = await tx
    .selectFrom('policies')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('query_id', '=', id)
    .orderBy('id')
    .limit(20)
    .execute();
  if (users.length === 0) return;
  throw new Refusal(
    'CONFLICT',
    `Query id ${id} is used by ${users.map((user) => user.id).join(', ')}: delete or change these policies first.`,
  );
}

/** Clients send an empty one with every request, which says nothing. */
function contextOf({ usageContext }: QueryChange): string | null {
  return usageContext && Object.keys(usageContext).length > 0 ? JSON.stringify(usageContext) : null;
}

/** What a change may touch, as the interface calls it. */
function decided(row: QueryRow): object {
  const { queryText, queryName, description, evaluatorId, usageContext } = queryRecord(row);
  return { queryText, queryName, description, evaluatorId, usageContext };
}
