import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { TelemetryDataset } from '../dataset.ts';
import type { Derived } from '../deriving.ts';
import { recordSeparator } from '../record-texts.ts';
import { isDiskFailure } from './disk-failure.ts';
import { type Engine, isOutOfMemory } from './engine.ts';
import { findRepeat } from './idempotency-keys.ts';
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
/** Bytes of records that may wait; past it a batch is refused before anything of it is kept. */
const mostWaiting = 64 * 1024 * 1024;

/**
 * The one writer. A batch is stored whole or not at all, with its idempotency key, in one transaction of one file; it is
 * durable when the promise resolves. Numbers of batches follow the order of commits.
 */
export class Writer {
  readonly #parts: WriterParts;
  readonly #queue: Waiting[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  store(batch: Batch): Promise<Stored> {
    const size = batch.records.reduce((sum, record) => sum + record.length, 0);
    if (this.#queue.length > 0 && this.#waitingBytes + size > mostWaiting) {
      return Promise.reject(
        new Refusal(
          'UNAVAILABLE',
          'Too much is waiting to be stored: send the batch again in a few seconds.',
        ),
      );
    }
    this.#waitingBytes += size;
    return new Promise((resolve, reject) => {
      this.#queue.push({ batch, size, resolve, reject });
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
    while (this.#queue.length > 0) {
      await this.inTurn(async () => {
        const group = this.#queue.splice(0, mostTogether);
        await this.#storeGroup(group);
        for (const { size } of group) this.#waitingBytes -= size;
      });
    }
    this.#running = undefined;
  }

  async #storeGroup(group: readonly Waiting[]): Promise<void> {
    const { room, recovery } = this.#parts;
    try {
      await recovery.ready();
      await room.make(group.reduce((sum, { size }) => sum + size, 0));
      const stored = await this.#storeAll(group.map(({ batch }) => batch));
      for (const [index, { resolve }] of group.entries()) resolve(stored[index] as Stored);
    } catch (error) {
      // Nothing of the group was kept; one bad batch must not take the others with it.
      if (isDiskFailure(error)) await this.#giveUp(group, error);
      else if (group.length === 1) group[0]?.reject(isOutOfMemory(error) ? tooLarge() : error);
      else for (const waiting of group) await this.#storeGroup([waiting]);
    }
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
  #storeAll(batches: readonly Batch[]): Promise<Stored[]> {
    const { engine, segments } = this.#parts;
    return segments.reading(() => engine.use((connection) => this.#storeWith(connection, batches)));
  }

  async #storeWith(connection: DuckDBConnection, batches: readonly Batch[]): Promise<Stored[]> {
    const { segments, clock } = this.#parts;
    const now = clock.now();
    const segment = await segments.ofToday(now);
    let seq = segments.lastSequence;
    const stored: Stored[] = [];
    const effects: (() => void)[] = [];
    await connection.run('begin');
    for (const batch of batches) {
      const repeated = await findRepeat(connection, segments.all(), batch, now);
      if (repeated !== undefined) {
        stored.push({ records: repeated, isRepeat: true });
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
    { account, dataset, records, isEven, idempotencyKey, derived = [] }: Batch,
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
      `insert into ${segment.table('batches')} values ($seq, $account, $dataset, $key, $records, $received)`,
      {
        seq: BigInt(seq),
        account,
        dataset: dataset.path,
        key: idempotencyKey ?? null,
        records: rowsChanged,
        received: BigInt(now),
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
    for (const name of fresh) {
      await connection.run(
        `insert into ${segment.table('further_members')} values ($account, $path, $name)`,
        {
          ...{ account, path, name },
        },
      );
    }
    return fresh;
  }
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
