import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { DamagedDaysError } from '../../damaged-days.ts';
import type { TelemetryDataset } from '../../dataset.ts';
import { isDamagedBlock } from '../engine/disk-failure.ts';
import { attachSql, type Engine } from '../engine/engine.ts';
import { identifier } from '../sql/sql.ts';
import { openBatchesTable } from './batches-table.ts';
import { checkpointGrowth } from './checkpoint-growth.ts';
import { carryKeys } from './idempotency-keys.ts';
import { rewrite } from './rewrite.ts';
import { Segment, type Span } from './segment.ts';
import { fileNameOf, parseFileName, type SegmentFile, type SegmentForm } from './segment-file.ts';
import { upgradeTable } from './table-upgrade.ts';
import { finish, logsOf, removeFile, unfinishedSuffix } from './unfinished-file.ts';

/** Bytes on disk: of the file and of its write-ahead log. */
export interface Size {
  readonly file: number;
  readonly log: number;
}

const millisecondsPerDay = 24 * 3_600_000;

/** All segments, attached to the engine. */
export class Segments {
  readonly #engine: Engine;
  readonly #directory: string;
  readonly #datasets: readonly TelemetryDataset[];
  /** By day, oldest first. */
  readonly #segments = new Map<string, Segment>();
  /** Running reads. */
  readonly #readings = new Set<Promise<unknown>>();
  /** The sequence number of the last committed batch. */
  lastSequence = 0;

  private constructor(engine: Engine, directory: string, datasets: readonly TelemetryDataset[]) {
    this.#engine = engine;
    this.#directory = directory;
    this.#datasets = datasets;
  }

  static async open(
    engine: Engine,
    directory: string,
    datasets: readonly TelemetryDataset[],
  ): Promise<Segments> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const segments = new Segments(engine, directory, datasets);
    const { inUse, replaced } = segments.#files();
    const damaged = new Map<string, string>();
    for (const file of inUse) {
      await segments
        .#attach(file)
        .catch((error: Error) => damaged.set(segments.#pathOf(file), error.message));
    }
    if (damaged.size > 0) throw new DamagedDaysError(damaged);
    for (const file of replaced) removeFile(segments.#pathOf(file));
    return segments;
  }

  /** Pins the segments while the work runs: none is removed before it has ended. */
  async pinned<Result>(work: () => Promise<Result>): Promise<Result> {
    const reading = work();
    this.#readings.add(reading);
    return reading.finally(() => this.#readings.delete(reading));
  }

  /** Resolves when all current reads have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#readings]);
  }

  /** The segment that receives batches. If the clock was set back, it is still the newest. */
  async current(now: number): Promise<Segment> {
    const day = new Date(now).toISOString().slice(0, 10);
    const newest = this.all().at(-1);
    if (newest && newest.day >= day) return newest;
    return this.#attach({ day, form: 'arriving', generation: 0 });
  }

  /** Segments that may contain records of the account and dataset in [start, end), newest first. */
  covering(account: string, path: string, start: number, end: number): Segment[] {
    return this.all()
      .filter((segment) => segment.accounts.has(account) && segment.covers(path, start, end))
      .reverse();
  }

  /** Segments that may contain records of the account and dataset from batches after `seq`, newest first. */
  arrivedAfter(account: string, path: string, seq: number): Segment[] {
    return this.all()
      .filter((segment) => segment.lastBatch(account, path) > seq)
      .reverse();
  }

  /** The sequence number of the last batch that may contain records of the account and dataset; 0 if none. */
  lastBatch(account: string, path: string): number {
    return Math.max(0, ...this.all().map((segment) => segment.lastBatch(account, path)));
  }

  /** All segments, oldest first. */
  all(): Segment[] {
    return [...this.#segments.values()];
  }

  /** Segments that receive no more batches. */
  past(): Segment[] {
    return this.all().slice(0, -1);
  }

  /** Names of undeclared members of the account's records. */
  undeclaredMembers(account: string, path: string): ReadonlySet<string> {
    return new Set(this.all().flatMap((segment) => [...segment.undeclaredMembers(account, path)]));
  }

  /**
   * Past segments whose records are all older. Timestamps in the future are capped at the day after arrival: one
   * wrong clock must not retain a day for ever.
   */
  pastBefore(instant: number): Segment[] {
    return this.past().filter(({ day, spans }) => {
      const over = Date.parse(day) + millisecondsPerDay;
      const newest = Math.max(
        ...[...spans.values()].map(({ to }) => Math.min(to, over + millisecondsPerDay)),
      );
      return newest < instant && over <= instant;
    });
  }

  sizeOf(segment: Segment): Size {
    const path = this.pathOf(segment);
    return { file: bytesOf(path), log: logsOf(path).reduce((sum, name) => sum + bytesOf(name), 0) };
  }

  /** Bytes of all files of the day, including a rewrite in progress. */
  bytesOfDay({ day }: Segment): number {
    const names = readdirSync(this.#directory).filter((name) => name.startsWith(day));
    return names.reduce((sum, name) => sum + bytesOf(join(this.#directory, name)), 0);
  }

  pathOf({ file }: Segment): string {
    return this.#pathOf(file);
  }

  /** The growth of the file by a checkpoint, beyond its log. */
  checkpointGrowth(segment: Segment): Promise<number> {
    return this.pinned(() => this.#engine.use((connection) => checkpointGrowth(connection, segment)));
  }

  /**
   * Drops a day; can be repeated after a crash. `removed` resolves when its readers have finished and its disk
   * space is free. Damaged idempotency keys are dropped too and reported in `damage`, so that they do not retain
   * the day.
   */
  async drop(
    segment: Segment,
    now: number,
  ): Promise<{ readonly removed: Promise<void>; readonly damage: string | undefined }> {
    const newest = this.all().at(-1);
    let damage: string | undefined;
    if (newest && newest !== segment) {
      const copy = this.#engine.use((connection) => carryKeys(connection, segment, newest, now));
      await copy.catch((error: unknown) => {
        if (!isDamagedBlock(error)) throw error;
        damage = String(error);
      });
    }
    this.#segments.delete(segment.day);
    return { removed: this.#retire(segment), damage };
  }

  /** Replaces a past segment by a rewritten file. Running reads finish first. */
  async rewriteAs(segment: Segment, form: SegmentForm): Promise<void> {
    const file = await this.pinned(() =>
      rewrite(this.#engine, this.#directory, segment, form, this.#datasets),
    );
    if (this.#segments.get(segment.day) !== segment) {
      removeFile(this.#pathOf(file));
      return;
    }
    await this.#attach(file);
    await this.#retire(segment);
  }

  /** Reattaches a file that the engine has invalidated. */
  async reattach(segment: Segment): Promise<void> {
    await this.#detach(segment);
    await this.#attach(segment.file);
  }

  /** Moves the write-ahead log into the file. If a transaction is just ending, that is left to the next checkpoint. */
  async checkpoint({ name }: Segment): Promise<void> {
    const checkpoint = this.#engine.use((connection) => connection.run(`checkpoint ${identifier(name).sql}`));
    await checkpoint.catch((error: Error) => {
      if (!error.message.includes('other write transactions active')) throw error;
    });
  }

  async #retire(segment: Segment): Promise<void> {
    await this.settled();
    await this.#detach(segment);
    removeFile(this.#pathOf(segment.file));
  }

  async #detach({ name }: Segment): Promise<void> {
    await this.#engine.use((connection) =>
      connection.run(`detach database if exists ${identifier(name).sql}`).catch((error: Error) => {
        // It is detached nevertheless; committed data stays in the log.
        if (!error.message.includes('CHECKPOINT during DETACH failed')) throw error;
      }),
    );
  }

  /** The newest file of each day, and the older ones. Unfinished files are removed. */
  #files(): { readonly inUse: SegmentFile[]; readonly replaced: SegmentFile[] } {
    const newest = new Map<string, SegmentFile>();
    const replaced: SegmentFile[] = [];
    for (const name of readdirSync(this.#directory)) {
      const unfinished =
        name.endsWith(unfinishedSuffix) && parseFileName(name.slice(0, -unfinishedSuffix.length));
      if (unfinished) removeFile(join(this.#directory, name));
      const file = parseFileName(name);
      if (!file) continue;
      const other = newest.get(file.day);
      const [older, newer] = other && other.generation > file.generation ? [file, other] : [other, file];
      if (older) replaced.push(older);
      newest.set(file.day, newer);
    }
    const inUse = [...newest.values()].sort((left, right) => (left.day < right.day ? -1 : 1));
    return { inUse, replaced };
  }

  #pathOf(file: SegmentFile): string {
    return join(this.#directory, fileNameOf(file));
  }

  async #attach(file: SegmentFile): Promise<Segment> {
    const segment = new Segment(file);
    await this.#engine.use(async (connection) => {
      const path = this.#pathOf(file);
      if (!existsSync(path)) await makeFile(connection, path);
      await connection.run(attachSql(path, segment.name));
      await openBatchesTable(connection, segment);
      await connection.run(
        `create table if not exists ${segment.table('further_members')} (account varchar not null,
          dataset varchar not null, name varchar not null)`,
      );
      const undeclared = await connection.runAndReadAll(`select * from ${segment.table('further_members')}`);
      for (const { account, dataset, name } of undeclared.getRowObjects()) {
        segment.addUndeclaredMembers(String(account), String(dataset), [String(name)]);
      }
      const present = await connection.runAndReadAll(
        'select table_name from duckdb_tables() where database_name = $name',
        { name: segment.name },
      );
      const names = new Set(present.getRowObjects().map(({ table_name }) => table_name));
      const paths: string[] = [];
      for (const dataset of this.#datasets.filter(({ path }) => names.has(path))) {
        await upgradeTable(connection, segment, dataset);
        paths.push(dataset.path);
      }
      for (const [path, span] of await readSpans(connection, segment, paths)) segment.widen(path, span);
      const batches = await connection.runAndReadAll(
        `select account, max(seq) as seq from ${segment.table('batches')} group by account`,
      );
      for (const { account, seq } of batches.getRowObjects()) {
        segment.noteBatch(Number(seq), String(account));
        this.lastSequence = Math.max(this.lastSequence, Number(seq));
      }
    });
    this.#segments.set(file.day, segment);
    return segment;
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Creates an empty file. May fail on a full disk and be repeated. */
export async function makeFile(
  connection: DuckDBConnection,
  path: string,
  name = 'unfinished',
): Promise<void> {
  await connection.run(`detach database if exists ${identifier(name).sql}`);
  removeFile(path + unfinishedSuffix);
  await connection.run(attachSql(path + unfinishedSuffix, name));
  await connection.run(`detach ${identifier(name).sql}`);
  finish(path);
}

/** The spans of all records, or of batches from a sequence number on, of the datasets that have any. */
export async function readSpans(
  connection: DuckDBConnection,
  segment: Segment,
  paths: readonly string[],
  since = 0,
): Promise<Map<string, Span>> {
  if (paths.length === 0) return new Map();
  const spans = paths.map(
    (path, index) => `select ${index} as path_index, min(t) as low, max(greatest(e, t)) as high,
      max(t) as last, bool_or(odd) as odd from ${segment.table(path)} where seq >= ${since} having count(*) > 0`,
  );
  const result = await connection.runAndReadAll(spans.join(' union all '));
  return new Map(
    result
      .getRowObjects()
      .map(({ path_index: index, low, high, last, odd: mistyped }) => [
        paths[Number(index)] as string,
        { from: Number(low), to: Number(high), last: Number(last), hasMistyped: mistyped === true },
      ]),
  );
}
