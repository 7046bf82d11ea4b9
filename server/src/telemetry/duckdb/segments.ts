import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { TelemetryDataset } from '../dataset.ts';
import { attachSql, type Engine } from './engine.ts';
import { renew } from './renewal.ts';
import { rewrite, unfinishedSuffix } from './rewrite.ts';
import { Segment, type Span } from './segment.ts';
import { fileNameOf, parseFileName, type SegmentFile, type SegmentForm } from './segment-file.ts';
import { identifier } from './sql.ts';

const dayLength = 24 * 3_600_000;

/** All segments, attached to the engine. */
export class Segments {
  readonly #engine: Engine;
  readonly #directory: string;
  readonly #datasets: readonly TelemetryDataset[];
  /** By day, the oldest first. */
  readonly #segments = new Map<string, Segment>();
  /** What reads at this moment. */
  readonly #readings = new Set<Promise<unknown>>();
  /** The number of the last batch that was committed. */
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
    for (const file of segments.#filesInUse()) await segments.#attach(file);
    return segments;
  }

  /** Work on segments that were asked for in it; none of them goes away before it has ended. */
  async reading<Result>(work: () => Promise<Result>): Promise<Result> {
    const reading = work();
    this.#readings.add(reading);
    return reading.finally(() => this.#readings.delete(reading));
  }

  /** The segment that takes in what arrives. After a clock was set back it is still the newest. */
  async ofToday(now: number): Promise<Segment> {
    const day = new Date(now).toISOString().slice(0, 10);
    const newest = this.all().at(-1);
    if (newest && newest.day >= day) return newest;
    return this.#attach({ day, form: 'arriving', generation: 0 });
  }

  /** Those that may hold records of the dataset with a moment in [start, end), the newest first. */
  covering(path: string, start: number, end: number): Segment[] {
    return this.all()
      .filter((segment) => segment.covers(path, start, end))
      .reverse();
  }

  /** All of them, the oldest first. */
  all(): Segment[] {
    return [...this.#segments.values()];
  }

  /** Those that take in nothing any more. */
  past(): Segment[] {
    return this.all().slice(0, -1);
  }

  /** Names of members that the account's records have beyond the declared ones. */
  furtherMembers(account: string, path: string): ReadonlySet<string> {
    return new Set(this.all().flatMap((segment) => [...segment.furtherMembers(account, path)]));
  }

  /** Removes segments whose records are all older; that of the last day of arrival stays. */
  async dropBefore(moment: number): Promise<void> {
    for (const segment of this.past()) {
      const newest = Math.max(...[...segment.spans.values()].map(({ to }) => to));
      if (newest >= moment || Date.parse(segment.day) + dayLength > moment) continue;
      this.#segments.delete(segment.day);
      await this.#retire(segment);
    }
  }

  /** Puts a file in another form in the place of a segment that nobody writes to. Those who read it finish. */
  async reform(segment: Segment, form: SegmentForm): Promise<void> {
    const file = await rewrite(this.#engine, this.#directory, segment, form, this.#datasets);
    await this.#attach(file);
    await this.#retire(segment);
  }

  async #retire(segment: Segment): Promise<void> {
    await Promise.allSettled([...this.#readings]);
    await this.#engine.use((connection) => connection.run(`detach ${identifier(segment.name).sql}`));
    this.#remove(fileNameOf(segment.file));
  }

  /** The newest file of each day; what it took the place of, and what was not finished, is removed. */
  #filesInUse(): SegmentFile[] {
    const files = new Map<string, SegmentFile>();
    for (const name of readdirSync(this.#directory)) {
      if (name.endsWith(unfinishedSuffix)) this.#remove(name);
      const file = parseFileName(name);
      if (!file) continue;
      const other = files.get(file.day);
      const [older, newer] = other && other.generation > file.generation ? [file, other] : [other, file];
      if (older) this.#remove(fileNameOf(older));
      files.set(file.day, newer);
    }
    return [...files.values()].sort((left, right) => (left.day < right.day ? -1 : 1));
  }

  #remove(name: string): void {
    const file = join(this.#directory, name);
    for (const path of [file, `${file}.wal`]) rmSync(path, { force: true });
  }

  async #attach(file: SegmentFile): Promise<Segment> {
    const segment = new Segment(file);
    await this.#engine.use(async (connection) => {
      await connection.run(attachSql(join(this.#directory, fileNameOf(file)), segment.name));
      await connection.run(
        `create table if not exists ${segment.table('batches')} (seq bigint not null, account varchar not null,
          dataset varchar not null, idempotency_key varchar, records integer not null, received bigint not null)`,
      );
      await connection.run(
        `create table if not exists ${segment.table('further_members')} (account varchar not null,
          dataset varchar not null, name varchar not null)`,
      );
      const further = await connection.runAndReadAll(`select * from ${segment.table('further_members')}`);
      for (const { account, dataset, name } of further.getRowObjects()) {
        segment.addFurther(String(account), String(dataset), [String(name)]);
      }
      const present = await connection.runAndReadAll(
        'select table_name from duckdb_tables() where database_name = $name',
        { name: segment.name },
      );
      const names = new Set(present.getRowObjects().map(({ table_name }) => table_name));
      for (const dataset of this.#datasets.filter(({ path }) => names.has(path))) {
        await renew(connection, segment, dataset);
        const span = await readSpan(connection, segment, dataset.path);
        if (span) segment.widen(dataset.path, span);
      }
      const last = await connection.runAndReadAll(`select max(seq) as seq from ${segment.table('batches')}`);
      this.lastSequence = Math.max(this.lastSequence, Number(last.getRowObjects()[0]?.seq ?? 0));
    });
    this.#segments.set(file.day, segment);
    return segment;
  }
}

/** Of all records, or of those of one batch; undefined when there are none. */
export async function readSpan(
  connection: DuckDBConnection,
  segment: Segment,
  path: string,
  seq?: number,
): Promise<Span | undefined> {
  const result = await connection.runAndReadAll(
    `select min(t) as low, max(coalesce(e, t)) as high, bool_or(odd) as odd from ${segment.table(path)}
      ${seq === undefined ? '' : `where seq = ${seq}`}`,
  );
  const [row] = result.getRowObjects();
  if (!row || row.low === null) return undefined;
  return { from: Number(row.low), to: Number(row.high), hasOdd: row.odd === true };
}
