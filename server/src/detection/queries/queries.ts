import type { Actor } from '../../control/actor.ts';
import { holdOwned, lockOwned, seekOwned } from '../../control/owned-row.ts';
import { checkQuota } from '../../control/quota.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import { changedMembers } from '../../integrations/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import { printable, quoted } from '../../platform/quoted.ts';
import type { QueryLanguage } from '../../querying/language.ts';
import type { ParsedQuery } from '../../querying/read-query.ts';
import type { Pack } from '../packs/pack.ts';
import type { QueryChange, QueryCreation } from './form.ts';
import {
  builtInQueryRecord,
  type QueryRecord,
  type QueryRow,
  queryRecord,
  resultSchemaOf,
} from './record.ts';
import { policiesUsing } from './usage.ts';

export interface QueryDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly pack: Pack;
  readonly language: QueryLanguage;
}

/**
 * Saved queries: built-in and custom. A custom query that existed before a release shipped the same id takes
 * precedence.
 */
export class Queries {
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #pack: Pack;
  readonly #language: QueryLanguage;
  #builtIn: ReadonlyMap<string, QueryRecord> | undefined;

  constructor({ store, clock, pack, language }: QueryDeps) {
    this.#store = store;
    this.#clock = clock;
    this.#pack = pack;
    this.#language = language;
  }

  /** Built-in queries without a custom query of the same id. */
  async builtInFor(ownerId: string): Promise<QueryRecord[]> {
    const own = await this.#store.read
      .selectFrom('queries')
      .select('id')
      .where('owner_id', '=', ownerId)
      .where(
        'id',
        'in',
        this.#pack.queries.map(({ id }) => id),
      )
      .execute();
    const replaced = new Set(own.map(({ id }) => id));
    return [...this.#builtInRecords().values()].filter(({ queryId }) => !replaced.has(queryId));
  }

  /** Parsed on first use, because parsing takes too long for a start. */
  #builtInRecords(): ReadonlyMap<string, QueryRecord> {
    this.#builtIn ??= new Map(
      this.#pack.queries.map((query) => [
        query.id,
        builtInQueryRecord(query, this.#language.read(query.text)),
      ]),
    );
    return this.#builtIn;
  }

  async get(ownerId: string, id: string): Promise<QueryRecord> {
    const own = await seekOwned(this.#store.read, 'queries', { id, owner_id: ownerId });
    if (own) return queryRecord(own);
    const builtIn = this.#pack.query(id) && this.#builtInRecords().get(id);
    if (builtIn) return builtIn;
    throw missing(id);
  }

  /** The parsed query with the id; the error message is the one that clients match. */
  async read(ownerId: string, id: string, abandoned?: AbortSignal): Promise<ParsedQuery> {
    const text = await this.#textOf(this.#store.read, ownerId, id);
    if (text !== undefined) return this.#language.readUserQuery(ownerId, text, abandoned);
    throw new Refusal(
      'NOT_FOUND',
      `Unable to locate lql query ${id}, please double check the query exists and has not already been updated.`,
    );
  }

  async create(actor: Actor, body: QueryCreation): Promise<QueryRecord> {
    const { queryId: id } = body;
    const read = await this.#language.readUserQuery(actor.ownerId, body.queryText);
    const row: QueryRow = {
      id,
      owner_id: actor.ownerId,
      query_text: body.queryText,
      query_name: body.queryName ?? null,
      description: body.description ?? null,
      evaluator_id: body.evaluatorId ?? null,
      usage_context: contextOf(body),
      result_schema: JSON.stringify(resultSchemaOf(read)),
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
      await checkQuota(tx, 'queries', row);
      act.describe(id);
      return queryRecord(row);
    });
  }

  /** Omitted members keep their values. */
  async change(actor: Actor, id: string, body: QueryChange): Promise<QueryRecord> {
    const read = body.queryText
      ? await this.#language.readUserQuery(actor.ownerId, body.queryText)
      : undefined;
    return this.#store.transaction(actor, async (tx, act) => {
      const row = await this.#lock(tx, actor.ownerId, id);
      if (read) await rejectIfIncompatible(tx, row, read);
      const next: QueryRow = {
        ...row,
        query_text: read?.text ?? row.query_text,
        result_schema: read ? JSON.stringify(resultSchemaOf(read)) : row.result_schema,
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
      await checkQuota(tx, 'queries', next, row);
      act.describe(
        `${id}: ${changedMembers(writableMembers(row), writableMembers(next)).join(', ') || 'nothing'}`,
      );
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

  /**
   * Parses the query for a policy before the transaction: parsing may take long, and the transaction blocks others.
   */
  async prepare(ownerId: string, id: string): Promise<ParsedQuery | undefined> {
    const text = await this.#textOf(this.#store.read, ownerId, id);
    return text === undefined ? undefined : this.#language.readUserQuery(ownerId, text);
  }

  /** The query of a policy, locked until the policy is stored. */
  async require(
    tx: ControlTransaction,
    ownerId: string,
    id: string,
    prepared: ParsedQuery | undefined,
  ): Promise<ParsedQuery> {
    await holdOwned(tx, 'queries', { id, owner_id: ownerId });
    const text = await this.#textOf(tx, ownerId, id);
    if (text === undefined) {
      throw new Refusal(
        'INVALID_INPUT',
        `queryId ${quoted(id)} does not exist: create the query first, or correct queryId.`,
      );
    }
    if (prepared?.text !== text) throw new QueryChanged(id);
    const { policyProblem } = prepared;
    if (policyProblem === undefined) return prepared;
    throw new Refusal('INVALID_QUERY', `queryId '${id}' can not be used by a policy: ${policyProblem}`);
  }

  async #textOf(db: ControlStore['read'], ownerId: string, id: string): Promise<string | undefined> {
    const own = await seekOwned(db, 'queries', { id, owner_id: ownerId });
    return own?.query_text ?? this.#pack.query(id)?.text;
  }

  async #lock(tx: ControlTransaction, ownerId: string, id: string): Promise<QueryRow> {
    const key = { id, owner_id: ownerId };
    if (this.#pack.query(id) && !(await seekOwned(tx, 'queries', key))) {
      throw new Refusal(
        'CONFLICT',
        `Query id ${id} is built in and can not be changed or deleted: create another query.`,
      );
    }
    return lockOwned(tx, 'queries', key, missing(id));
  }
}

/** The query was changed after it was parsed and must be parsed again. */
export class QueryChanged extends Refusal {
  constructor(id: string) {
    super('CONFLICT', `Query id ${id} was changed concurrently: try again.`);
  }
}

/** Clients match this wording. */
function missing(id: string): Refusal {
  return new Refusal('NOT_FOUND', `Query id ${printable(id, 200)} not found.`);
}

async function refuseIfUsed(tx: ControlTransaction, ownerId: string, id: string): Promise<void> {
  const users = await policiesUsing(tx, ownerId, id);
  if (users === undefined) return;
  throw new Refusal('CONFLICT', `Query id ${id} is used by ${users}: delete or change these policies first.`);
}

/** A valid query may still break a policy that uses it. The caller holds the lock of the row. */
async function rejectIfIncompatible(tx: ControlTransaction, { id, owner_id }: QueryRow, read: ParsedQuery) {
  const { policyProblem: complaint } = read;
  const users = complaint === undefined ? undefined : await policiesUsing(tx, owner_id, id);
  if (users === undefined) return;
  throw new Refusal(
    'CONFLICT',
    `Query id ${id} is used by ${users} and the new text can not be used by a policy: ${complaint}`,
  );
}

/** Clients send an empty one with every request; it has no effect. */
function contextOf({ usageContext }: QueryChange): string | null {
  return usageContext && Object.keys(usageContext).length > 0 ? JSON.stringify(usageContext) : null;
}

/** The members that a change may update, as in the API. */
function writableMembers(row: QueryRow): object {
  const { queryText, queryName, description, evaluatorId, usageContext } = queryRecord(row);
  return { queryText, queryName, description, evaluatorId, usageContext };
}
