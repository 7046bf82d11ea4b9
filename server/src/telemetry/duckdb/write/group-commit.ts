import type { DuckDBConnection } from '@duckdb/node-api';
import { Refusal } from '../../../platform/errors.ts';
import type { Batch, StoreResult } from '../../batch.ts';
import type { TelemetryDataset } from '../../dataset.ts';
import { recordSeparator } from '../../record-strings.ts';
import { insertBatches } from '../segments/batches-table.ts';
import { type EarlierBatch, findEarlier } from '../segments/idempotency-keys.ts';
import type { Segment } from '../segments/segment.ts';
import { readSpans } from '../segments/segments.ts';
import { batchParameters, createTableSql, insertNewSql, insertSql } from '../segments/table-sql.ts';
import { type SegmentsCovering, withoutStored } from './distinct-records.ts';
import { refuseUnreadable } from './unreadable-records.ts';

export interface GroupCommitDeps {
  readonly connection: DuckDBConnection;
  /** The segment that takes the records. */
  readonly segment: Segment;
  /** The segments whose idempotency keys are readable. */
  readonly withKeys: readonly Segment[];
  /** The readable segments with records of a time span. */
  readonly covering: SegmentsCovering;
  readonly now: number;
  /** The sequence number of the last batch before the group. */
  readonly after: number;
}

interface Numbered {
  readonly batch: Batch;
  readonly seq: number;
}

/** Searchable undeclared members per account and dataset; the rest are stored but not searchable. */
const maxUndeclaredMembers = 1_000;
/** Characters of records that one statement inserts, unless a single batch has more. */
const maxStatementLength = 8 * 1024 * 1024;

/**
 * Stores a group of batches in one transaction. Batches of the same dataset share their statements: planning a statement
 * takes longer than inserting a small batch.
 */
export class GroupCommit {
  readonly #deps: GroupCommitDeps;
  #lastSequence: number;

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps;
    this.#lastSequence = deps.after;
  }

  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** A batch whose key is taken is refused by itself, so that it can not make the others of its group start over. */
  async store(batches: readonly Batch[]): Promise<(StoreResult | Refusal)[]> {
    const { connection, withKeys, covering, now } = this.#deps;
    const reduced = await withoutStored(connection, covering, batches);
    await connection.run('begin');
    const earlier = await findEarlier(connection, withKeys, batches, now);
    const outcomes = this.#number(batches, earlier, reduced);
    const fresh = outcomes.filter((outcome) => 'batch' in outcome);
    const effects = fresh.length > 0 ? await this.#insertAll(fresh) : [];
    await connection.run('commit');
    this.#lastSequence += fresh.length;
    for (const effect of effects) effect();
    return outcomes.map((outcome) =>
      'batch' in outcome ? { records: outcome.batch.records.length, isRepeat: false } : outcome,
    );
  }

  /** Assigns sequence numbers to new batches; the others are repeats, also of earlier batches in the group. */
  #number(
    batches: readonly Batch[],
    earlier: ReadonlyMap<Batch, EarlierBatch>,
    reduced: ReadonlyMap<Batch, Batch>,
  ): (Numbered | StoreResult | Refusal)[] {
    const inGroup = new Map<string, EarlierBatch>();
    let seq = this.#deps.after;
    return batches.map((batch) => {
      const { account, dataset, records, idempotencyKey, bodyDigest } = batch;
      const key = JSON.stringify([account, dataset.path, idempotencyKey]);
      const known = earlier.get(batch) ?? inGroup.get(key);
      if (known) {
        const isSame = known.digest === undefined || bodyDigest === undefined || known.digest === bodyDigest;
        return isSame ? { records: known.records, isRepeat: true } : keyTaken();
      }
      const remaining = reduced.get(batch) ?? batch;
      if (remaining.records.length === 0) return { records: 0, isRepeat: true };
      if (idempotencyKey !== undefined) inGroup.set(key, { records: records.length, digest: bodyDigest });
      return { batch: remaining, seq: ++seq };
    });
  }

  /** Returns the in-memory updates to apply after the commit. */
  async #insertAll(all: readonly Numbered[]): Promise<(() => void)[]> {
    const { connection, segment, now, after } = this.#deps;
    const effects: (() => void)[] = [];
    for (const some of statementsOf(all)) await this.#insert(some).catch(refuseUnreadable);
    for (const some of grouped(all, ({ batch }) => `${batch.account} ${batch.dataset.path}`))
      effects.push(await this.#insertUndeclaredMembers(some));
    await insertBatches(
      connection,
      segment,
      all.map(({ batch: { account, dataset, records, idempotencyKey, bodyDigest }, seq }) => ({
        ...{ seq, account, dataset: dataset.path, records: records.length, received: now },
        ...(idempotencyKey !== undefined && { key: idempotencyKey }),
        ...(bodyDigest !== undefined && { digest: bodyDigest }),
      })),
    );
    const into = all.flatMap(({ batch: { account, dataset, derived = [] }, seq }) =>
      [dataset, ...derived.map((each) => each.dataset)].map(({ path }) => ({ path, account, seq })),
    );
    for (const { path, account, seq } of into) effects.push(() => segment.noteBatch(seq, account, path));
    const paths = [...new Set(into.map((each) => each.path))];
    for (const [path, span] of await readSpans(connection, segment, paths, after + 1))
      effects.push(() => segment.widen(path, span));
    return effects;
  }

  /** Inserts batches of one dataset with one statement, and derived records with one statement per account. */
  async #insert(all: NonEmpty<Numbered>): Promise<void> {
    const { connection } = this.#deps;
    const { dataset, isWellTyped } = all[0].batch;
    const { values, types } = parametersOf(all.map(({ batch, seq }) => ({ ...batch, seq })));
    const sql = insertSql(dataset, await this.#tableOf(dataset), isWellTyped);
    const { rowsChanged } = await connection.run(sql, values, types);
    const expected = all.reduce((sum, { batch }) => sum + batch.records.length, 0);
    if (rowsChanged !== expected) throw new Error(`The engine stored ${rowsChanged} of ${expected} records.`);
    const derived = all.flatMap(({ batch: { account, derived = [] }, seq }) =>
      derived.map((each) => ({ ...each, account, seq })),
    );
    for (const some of grouped(derived, (each) => `${each.account} ${each.dataset.path}`)) {
      const [{ account, dataset: into }] = some;
      const { values, types } = parametersOf(some);
      const since = BigInt(Math.min(...some.map((each) => each.since)));
      const newSql = insertNewSql(into, await this.#tableOf(into));
      await connection.run(newSql, { ...values, account, since }, types);
    }
  }

  async #tableOf(dataset: TelemetryDataset): Promise<string> {
    const { connection, segment } = this.#deps;
    if (!segment.spans.has(dataset.path)) await connection.run(createTableSql(segment, dataset));
    return segment.table(dataset.path);
  }

  /** Names of undeclared members. Each segment holds its own, so that none is forgotten when an old one is dropped. */
  async #insertUndeclaredMembers(all: NonEmpty<Numbered>): Promise<() => void> {
    const { connection, segment } = this.#deps;
    const { account, dataset } = all[0].batch;
    const known = segment.undeclaredMembers(account, dataset.path);
    const names = new Set(all.flatMap(({ batch }) => batch.undeclaredMembers));
    const fresh = [...names].filter((name) => !known.has(name)).slice(0, maxUndeclaredMembers - known.size);
    if (fresh.length > 0) {
      await connection.run(
        `insert into ${segment.table('further_members')}
          select $account, $path, unnest(from_json($names, '["varchar"]'))`,
        { account, path: dataset.path, names: JSON.stringify(fresh) },
      );
    }
    return () => segment.addUndeclaredMembers(account, dataset.path, fresh);
  }
}

type NonEmpty<Item> = readonly [Item, ...Item[]];

/** The batches that one statement inserts: of one dataset, of one kind, and not too large together. */
function* statementsOf(all: readonly Numbered[]): Generator<NonEmpty<Numbered>> {
  for (const alike of grouped(all, ({ batch }) => `${batch.dataset.path} ${batch.isWellTyped}`)) {
    const [first, ...rest] = alike;
    let some: [Numbered, ...Numbered[]] = [first];
    let size = lengthOf(first);
    for (const each of rest) {
      const length = lengthOf(each);
      if (size + length <= maxStatementLength) some.push(each);
      else {
        yield some;
        [some, size] = [[each], 0];
      }
      size += length;
    }
    yield some;
  }
}

function lengthOf({ batch: { records } }: Numbered): number {
  return records.reduce((sum, record) => sum + record.length, 0);
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Iterable<NonEmpty<Item>> {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups.values();
}

interface Insertable {
  readonly account: string;
  readonly records: readonly string[];
  readonly seq: number;
}

function parametersOf(batches: readonly Insertable[]) {
  return batchParameters(
    batches.map(({ account, records, seq }) => ({
      account,
      seq,
      joinedRecords: records.join(recordSeparator),
    })),
  );
}

function keyTaken(): Refusal {
  return new Refusal(
    'CONFLICT',
    'Idempotency-Key was already used for a batch with a different body: use a new key for each batch, and resend a batch unchanged.',
  );
}
