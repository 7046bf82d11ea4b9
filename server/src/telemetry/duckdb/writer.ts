import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { recordSeparator } from '../record-texts.ts';
import type { Engine } from './engine.ts';
import { createTableSql, readSpan, type Segment, type Segments } from './segments.ts';
import { insertSql } from './table-sql.ts';

export interface Batch {
  readonly account: string;
  readonly dataset: TelemetryDataset;
  /** The records as JSON text, as they came. */
  readonly records: readonly string[];
  /** Names of members that the records have beyond the declared ones. */
  readonly further: readonly string[];
  /** A batch that comes again with the same key is not stored again. */
  readonly idempotencyKey: string | undefined;
}

export interface Stored {
  readonly records: number;
  readonly isRepeat: boolean;
}

interface Waiting {
  readonly batch: Batch;
  readonly size: number;
  resolve(stored: Stored): void;
  reject(error: unknown): void;
}

const keyLife = 7 * 24 * 3_600_000;
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
  readonly #engine: Engine;
  readonly #segments: Segments;
  readonly #clock: Clock;
  readonly #queue: Waiting[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;

  constructor(engine: Engine, segments: Segments, clock: Clock) {
    this.#engine = engine;
    this.#segments = segments;
    this.#clock = clock;
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

  /** Removes everything of an account, in steps of one table; the batches of others go on in between. */
  async forget(account: string): Promise<void> {
    for (const segment of this.#segments.all()) {
      for (const table of [...segment.spans.keys(), 'batches', 'further_members']) {
        await this.idle();
        await this.#engine.use((connection) =>
          connection.run(`delete from ${segment.table(table)} where account = $account`, { account }),
        );
      }
    }
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Batches that came while others were written are committed together: the disk is asked once for all of them. */
  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const group = this.#queue.splice(0, mostTogether);
      await this.#storeGroup(group);
      for (const { size } of group) this.#waitingBytes -= size;
    }
    this.#running = undefined;
  }

  async #storeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const stored = await this.#storeAll(group.map(({ batch }) => batch));
      for (const [index, { resolve }] of group.entries()) resolve(stored[index] as Stored);
    } catch (error) {
      // Nothing of the group was kept; one bad batch must not take the others with it.
      if (group.length === 1) group[0]?.reject(error);
      else for (const waiting of group) await this.#storeGroup([waiting]);
    }
  }

  #storeAll(batches: readonly Batch[]): Promise<Stored[]> {
    return this.#engine.use(async (connection) => {
      const now = this.#clock.now();
      const segment = await this.#segments.ofToday(now);
      let seq = this.#segments.lastSequence;
      const stored: Stored[] = [];
      const effects: (() => void)[] = [];
      await connection.run('begin');
      for (const batch of batches) {
        const repeated = await this.#findRepeat(connection, batch, now);
        if (repeated !== undefined) {
          stored.push({ records: repeated, isRepeat: true });
          continue;
        }
        seq++;
        const { account, dataset } = batch;
        await this.#insert(connection, segment, batch, seq, now).catch(refuseUnreadable);
        const span = await readSpan(connection, segment, dataset.path, seq);
        const fresh = await this.#insertFurther(connection, segment, batch);
        effects.push(() => {
          segment.addFurther(account, dataset.path, fresh);
          if (span) segment.widen(dataset.path, span);
        });
        stored.push({ records: batch.records.length, isRepeat: false });
      }
      await connection.run('commit');
      this.#segments.lastSequence = seq;
      for (const effect of effects) effect();
      return stored;
    });
  }

  async #insert(
    connection: DuckDBConnection,
    segment: Segment,
    { account, dataset, records, idempotencyKey }: Batch,
    seq: number,
    now: number,
  ): Promise<void> {
    if (!segment.spans.has(dataset.path)) await connection.run(createTableSql(segment, dataset));
    await connection.run(insertSql(dataset, segment.table(dataset.path)), {
      text: records.join(recordSeparator),
      account,
      seq: BigInt(seq),
    });
    await connection.run(
      `insert into ${segment.table('batches')} values ($seq, $account, $dataset, $key, $records, $received)`,
      {
        seq: BigInt(seq),
        account,
        dataset: dataset.path,
        key: idempotencyKey ?? null,
        records: records.length,
        received: BigInt(now),
      },
    );
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

  /** The number of records of the batch that had the same key, when it is not too long ago. */
  async #findRepeat(
    connection: DuckDBConnection,
    { account, dataset, idempotencyKey }: Batch,
    now: number,
  ): Promise<number | undefined> {
    const oldest = new Date(now - keyLife).toISOString().slice(0, 10);
    const segments = this.#segments.all().filter(({ day }) => day >= oldest);
    if (idempotencyKey === undefined || segments.length === 0) return undefined;
    const sources = segments
      .map((segment) => `select * from ${segment.table('batches')}`)
      .join(' union all ');
    const found = await connection.runAndReadAll(
      `select records from (${sources}) where account = $account and dataset = $dataset
        and idempotency_key = $key and received > $since limit 1`,
      { account, dataset: dataset.path, key: idempotencyKey, since: BigInt(now - keyLife) },
    );
    const [row] = found.getRowObjects();
    return row && Number(row.records);
  }
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
