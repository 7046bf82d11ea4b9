import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import { FairShare } from '../../platform/fair-share.ts';
import type { TelemetryDataset } from '../dataset.ts';
import type { Derived } from '../deriving.ts';
import { recordSeparator } from '../record-texts.ts';
import type { Damage, SegmentTable } from './damage.ts';
import { isDamagedBlock, isDiskFailure } from './disk-failure.ts';
import { type Engine, isOutOfMemory } from './engine.ts';
import { findEarlier, holdingKeys } from './idempotency-keys.ts';
import type { Recovery } from './recovery.ts';
import type { Room } from './room.ts';
import type { Segment } from './segment.ts';
import { readSpan, type Segments } from './segments.ts';
import { createTableSql, insertNewSql, insertSql } from './table-sql.ts';

export interface Batch {
  readonly account: string;
  readonly dataset: TelemetryDataset;
  /** The records as JSON text, as they came. */
  readonly records: readonly string[];
  /** Whether each record is even. */
  readonly isEven: boolean;
  /** Names of members that the records have beyond the declared ones. */
  readonly further: readonly string[];
  /** What follows from them; of this only what is not there yet is stored. */
  readonly derived?: readonly Derived[];
  /** A batch that comes again with the same key is not stored again. */
  readonly idempotencyKey: string | undefined;
  /** Of its body: with the same key, a batch with another one is refused. Without it the key alone decides. */
  readonly bodyDigest?: string | undefined;
}

export interface Stored {
  readonly records: number;
  readonly isRepeat: boolean;
}

export interface WriterParts {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly clock: Clock;
  readonly room: Room;
  readonly recovery: Recovery;
  readonly damage: Damage;
}

interface Waiting {
  readonly batch: Batch;
  readonly size: number;
  resolve(stored: Stored): void;
  reject(error: unknown): void;
}

/** Further members that can be searched by name, of each account and dataset; the others are kept all the same. */
const mostFurther = 1_000;
/** Batches that are committed together at the most. */
const mostTogether = 32;
/** Bytes of records that may wait, an account at most half of them; past it a batch is refused before any of it is kept. */
const mostWaiting = { capacity: 64 * 1024 * 1024, reserve: 'its own' } as const;
/** What a batch counts at least, so that many small ones have a bound, too. */
const smallestBatch = 4_096;

/**
 * The one writer. A batch is stored whole or not at all, with its idempotency key, in one transaction of one file; it is
 * durable when the promise resolves. Numbers of batches follow the order of commits.
 */
export class Writer {
  readonly #parts: WriterParts;
  /** By account; the account that was served last stands last. */
  readonly #queue = new Map<string, Waiting[]>();
  readonly #waiting = new FairShare(mostWaiting);
  #running: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  store(batch: Batch): Promise<Stored> {
    const { account, records } = batch;
    const size = records.reduce((sum, record) => sum + record.length, smallestBatch);
    // One alone always fits, whatever its size.
    if (this.#waiting.used > 0 && !this.#waiting.mayTake(account, size)) {
      return Promise.reject(
        new Refusal(
          'UNAVAILABLE',
          'Too much is waiting to be stored: send the batch again in a few seconds.',
        ),
      );
    }
    this.#waiting.take(account, size);
    return new Promise((resolve, reject) => {
      const queue = this.#queue.get(account) ?? [];
      this.#queue.set(account, queue);
      queue.push({ batch, size, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Does something while nothing else is written. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#running;
    await this.#turn;
  }

  /** Batches that came while others were written are committed together: the disk is asked once for all of them. */
  async #drain(): Promise<void> {
    while (this.#queue.size > 0) {
      await this.inTurn(async () => {
        const group = this.#takeGroup();
        await this.#storeGroup(group);
        for (const { batch, size } of group) this.#waiting.release(batch.account, size);
      });
    }
    this.#running = undefined;
  }

  /** The oldest batch of each account before a second one of any; what an account sent keeps its order. */
  #takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    while (group.length < mostTogether) {
      const [first] = this.#queue;
      if (!first) break;
      const [account, queue] = first;
      this.#queue.delete(account);
      const next = queue.shift();
      if (next) group.push(next);
      if (queue.length > 0) this.#queue.set(account, queue);
    }
    return group;
  }

  async #storeGroup(group: readonly Waiting[]): Promise<void> {
    const { room, recovery } = this.#parts;
    try {
      await recovery.ready();
      await room.make(group.reduce((sum, { size }) => sum + size, 0));
      const stored = await this.#storeAll(group.map(({ batch }) => batch));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = stored[index] as Stored | Refusal;
        if (outcome instanceof Refusal) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      // Nothing of the group was kept; one bad batch must not take the others with it.
      if (isDamagedBlock(error) && (await this.#findsDamagedKeys())) await this.#storeGroup(group);
      else if (isDiskFailure(error)) await this.#giveUp(group, error);
      else if (group.length === 1) group[0]?.reject(isOutOfMemory(error) ? tooLarge() : error);
      else for (const waiting of group) await this.#storeGroup([waiting]);
    }
  }

  /** Whether keys of a day turn out to be damaged. They are left out from then on: a batch may then be stored twice, but is stored. */
  async #findsDamagedKeys(): Promise<boolean> {
    const { segments, clock, damage } = this.#parts;
    const open = holdingKeys(segments.all(), clock.now())
      .map(keysOf)
      .filter((keys) => !damage.isKnown(keys));
    let isFound = false;
    for (const keys of open) {
      const reason = await damage.check(keys).catch(() => undefined);
      isFound ||= reason !== undefined;
    }
    return isFound;
  }

  async #giveUp(group: readonly Waiting[], error: unknown): Promise<void> {
    const { room, recovery } = this.#parts;
    const refusal = await room.refusal(error).catch(() => error);
    const recovered = recovery.recover();
    for (const { reject } of group) reject(refusal);
    // If it fails, the next search or batch tries again.
    await recovered.catch(() => undefined);
  }

  /** Past segments are looked into for repeats, so none may go away meanwhile. */
  #storeAll(batches: readonly Batch[]): Promise<(Stored | Refusal)[]> {
    const { engine, segments } = this.#parts;
    return segments.reading(() => engine.use((connection) => this.#storeWith(connection, batches)));
  }

  /** A batch whose key is taken is refused by itself, so that it can not make the others of its group start over. */
  async #storeWith(connection: DuckDBConnection, batches: readonly Batch[]): Promise<(Stored | Refusal)[]> {
    const { segments, clock, damage } = this.#parts;
    const now = clock.now();
    const segment = await segments.ofToday(now);
    let seq = segments.lastSequence;
    const stored: (Stored | Refusal)[] = [];
    const effects: (() => void)[] = [];
    const withKeys = segments.all().filter((each) => !damage.isKnown(keysOf(each)));
    await connection.run('begin');
    for (const batch of batches) {
      const earlier = await findEarlier(connection, withKeys, batch, now);
      if (earlier) {
        const { bodyDigest = earlier.digest } = batch;
        const isSame = earlier.digest === undefined || earlier.digest === bodyDigest;
        stored.push(isSame ? { records: earlier.records, isRepeat: true } : keyTaken());
        continue;
      }
      seq++;
      const { account, dataset, derived = [] } = batch;
      const records = await this.#insert(connection, segment, batch, seq, now).catch(refuseUnreadable);
      const fresh = await this.#insertFurther(connection, segment, batch);
      effects.push(() => segment.addFurther(account, dataset.path, fresh));
      for (const { path } of [dataset, ...derived.map((following) => following.dataset)]) {
        const span = await readSpan(connection, segment, path, seq);
        const number = seq;
        effects.push(() => segment.noteBatch(number, account, path));
        if (span) effects.push(() => segment.widen(path, span));
      }
      stored.push({ records, isRepeat: false });
    }
    await connection.run('commit');
    segments.lastSequence = seq;
    for (const effect of effects) effect();
    return stored;
  }

  /** How many records the engine took. */
  async #insert(
    connection: DuckDBConnection,
    segment: Segment,
    { account, dataset, records, isEven, idempotencyKey, bodyDigest, derived = [] }: Batch,
    seq: number,
    now: number,
  ): Promise<number> {
    for (const { dataset: into } of [{ dataset }, ...derived])
      if (!segment.spans.has(into.path)) await connection.run(createTableSql(segment, into));
    const rows = (texts: readonly string[]) => ({
      ...{ text: texts.join(recordSeparator), account, seq: BigInt(seq) },
    });
    const { rowsChanged } = await connection.run(
      insertSql(dataset, segment.table(dataset.path), isEven),
      rows(records),
    );
    if (rowsChanged !== records.length)
      throw new Error(`The engine stored ${rowsChanged} of ${records.length} records.`);
    for (const { dataset: into, records: texts, since } of derived) {
      await connection.run(insertNewSql(into, segment.table(into.path)), {
        ...rows(texts),
        since: BigInt(since),
      });
    }
    await connection.run(
      `insert into ${segment.table('batches')} (seq, account, dataset, idempotency_key, records, received, body_digest)
        values ($seq, $account, $dataset, $key, $records, $received, $digest)`,
      {
        seq: BigInt(seq),
        account,
        dataset: dataset.path,
        key: idempotencyKey ?? null,
        records: rowsChanged,
        received: BigInt(now),
        digest: bodyDigest ?? null,
      },
    );
    return rowsChanged;
  }

  /** Each segment tells its own, so that none is forgotten when an old one goes. */
  async #insertFurther(
    connection: DuckDBConnection,
    segment: Segment,
    { account, dataset: { path }, further }: Batch,
  ): Promise<string[]> {
    const known = segment.furtherMembers(account, path);
    const fresh = further.filter((name) => !known.has(name)).slice(0, mostFurther - known.size);
    if (fresh.length > 0) {
      await connection.run(
        `insert into ${segment.table('further_members')}
          select $account, $path, unnest(from_json($names, '["varchar"]'))`,
        { account, path, names: JSON.stringify(fresh) },
      );
    }
    return fresh;
  }
}

function keyTaken(): Refusal {
  return new Refusal(
    'CONFLICT',
    'The Idempotency-Key was used for a batch with another body: give each batch a key of its own, and repeat a batch unchanged.',
  );
}

function tooLarge(): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    'There is not enough memory for the batch now: send it again in a few seconds, or in smaller batches.',
  );
}

/** Records that passed our checks and that the engine can not keep: a number out of range, or JSON it reads otherwise. */
export function refuseUnreadable(error: unknown): never {
  if (!/^(Conversion|Invalid Input|Out of Range|Constraint) Error/.test(String((error as Error).message)))
    throw error;
  throw new Refusal(
    'INVALID_INPUT',
    'A record holds a number, a time or a text that can not be stored: whole numbers have at most 64 bits.',
  );
}

function keysOf(segment: Segment): SegmentTable {
  return { segment, table: 'batches' };
}
