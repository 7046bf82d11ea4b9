import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { TelemetryDataset } from '../dataset.ts';
import type { FurtherMember } from '../store.ts';
import { typedColumns } from './columns.ts';
import { type Engine, quoted } from './engine.ts';
import { identifier } from './sql.ts';
import { refillSql, tableSql } from './table-sql.ts';

/** The moments of the records of one dataset in one segment, both ends included, and whether one of them is odd. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly hasOdd: boolean;
}

/** A file with what arrived on one day. A batch lies in one file whole, whatever days its records are about. */
export class Segment {
  readonly day: string;
  /** By path of the dataset; one without records has no table. */
  readonly spans = new Map<string, Span>();
  readonly #further = new Map<string, ReadonlySet<string>>();

  constructor(day: string) {
    this.day = day;
  }

  /** The name of its table for a dataset, as statements write it. */
  table(name: string): string {
    return `${identifier(this.day).sql}.${identifier(name).sql}`;
  }

  /** Names of members that records in it have beyond the declared ones. */
  furtherMembers(account: string, path: string): ReadonlySet<string> {
    return this.#further.get(`${account} ${path}`) ?? new Set();
  }

  /** The same of every account and dataset. */
  get allFurther(): FurtherMember[] {
    return [...this.#further].flatMap(([owner, names]) => {
      const [account = '', dataset = ''] = owner.split(' ');
      return [...names].map((name) => ({ day: this.day, account, dataset, name }));
    });
  }

  addFurther(account: string, path: string, names: readonly string[]): void {
    this.#further.set(`${account} ${path}`, new Set([...this.furtherMembers(account, path), ...names]));
  }

  widen(path: string, { from, to, hasOdd }: Span): void {
    const present = this.spans.get(path);
    this.spans.set(path, {
      from: Math.min(from, present?.from ?? from),
      to: Math.max(to, present?.to ?? to),
      hasOdd: hasOdd || (present?.hasOdd ?? false),
    });
  }
}

const dayLength = 24 * 3_600_000;
const fileName = /^(\d{4}-\d{2}-\d{2})\.duckdb$/;

/** All segments, attached to the engine under the names of their days. */
export class Segments {
  readonly #engine: Engine;
  readonly #directory: string;
  readonly #segments = new Map<string, Segment>();
  /** The number of the last batch that was committed. */
  lastSequence = 0;

  private constructor(engine: Engine, directory: string) {
    this.#engine = engine;
    this.#directory = directory;
  }

  static async open(
    engine: Engine,
    directory: string,
    datasets: readonly TelemetryDataset[],
  ): Promise<Segments> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const segments = new Segments(engine, directory);
    const days = readdirSync(directory).flatMap((name) => fileName.exec(name)?.[1] ?? []);
    for (const day of days.sort()) await segments.#attach(day, datasets);
    return segments;
  }

  /** The segment of today, made when it is not there yet. */
  async ofToday(now: number): Promise<Segment> {
    const day = new Date(now).toISOString().slice(0, 10);
    return this.#segments.get(day) ?? (await this.#attach(day, []));
  }

  /** Those that may hold records of the dataset with a moment in [start, end), the newest first. */
  covering(path: string, start: number, end: number): Segment[] {
    return [...this.#segments.values()]
      .filter((segment) => {
        const span = segment.spans.get(path);
        return span !== undefined && span.to >= start && span.from < end;
      })
      .reverse();
  }

  /** All of them, the oldest first. */
  all(): Segment[] {
    return [...this.#segments.values()];
  }

  /** Names of members that the account's records have beyond the declared ones. */
  furtherMembers(account: string, path: string): ReadonlySet<string> {
    return new Set(this.all().flatMap((segment) => [...segment.furtherMembers(account, path)]));
  }

  /** Removes segments whose records are all older; that of the last day of arrival stays. */
  async dropBefore(moment: number): Promise<void> {
    const [, ...older] = this.all().reverse();
    for (const segment of older) {
      const newest = Math.max(...[...segment.spans.values()].map(({ to }) => to));
      if (newest >= moment || Date.parse(segment.day) + dayLength > moment) continue;
      this.#segments.delete(segment.day);
      await this.#engine.use((connection) => connection.run(`detach ${identifier(segment.day).sql}`));
      const file = join(this.#directory, `${segment.day}.duckdb`);
      for (const name of [file, `${file}.wal`]) rmSync(name, { force: true });
    }
  }

  /** Brings what is in the logs into the files. */
  async checkpoint(): Promise<void> {
    for (const { day } of this.all())
      await this.#engine.use((connection) => connection.run(`checkpoint ${identifier(day).sql}`));
  }

  async #attach(day: string, datasets: readonly TelemetryDataset[]): Promise<Segment> {
    const segment = new Segment(day);
    await this.#engine.use(async (connection) => {
      await connection.run(
        `attach if not exists ${quoted(join(this.#directory, `${day}.duckdb`))} as ${identifier(day).sql}`,
      );
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
        'select table_name from duckdb_tables() where database_name = $day',
        { day },
      );
      const names = new Set(present.getRowObjects().map(({ table_name }) => table_name));
      for (const dataset of datasets.filter(({ path }) => names.has(path))) {
        await renew(connection, segment, dataset);
        const span = await readSpan(connection, segment, dataset.path);
        if (span) segment.widen(dataset.path, span);
      }
      const last = await connection.runAndReadAll(`select max(seq) as seq from ${segment.table('batches')}`);
      this.lastSequence = Math.max(this.lastSequence, Number(last.getRowObjects()[0]?.seq ?? 0));
    });
    this.#segments.set(day, segment);
    return segment;
  }
}

/** A table from before a column was declared is made anew from its documents, all of it or nothing. */
async function renew(
  connection: DuckDBConnection,
  segment: Segment,
  dataset: TelemetryDataset,
): Promise<void> {
  const found = await connection.runAndReadAll(
    'select column_name from duckdb_columns() where database_name = $day and table_name = $path',
    { day: segment.day, path: dataset.path },
  );
  const present = new Set(found.getRowObjects().map(({ column_name }) => column_name));
  if (typedColumns(dataset).every(({ name }) => present.has(name))) return;
  const earlier = segment.table(`${dataset.path} before`);
  await connection.run('begin');
  await connection.run(
    `alter table ${segment.table(dataset.path)} rename to ${identifier(`${dataset.path} before`).sql}`,
  );
  await connection.run(createTableSql(segment, dataset));
  await connection.run(refillSql(dataset, segment.table(dataset.path), earlier));
  await connection.run(`drop table ${earlier}`);
  await connection.run('commit');
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

export function createTableSql(segment: Segment, dataset: TelemetryDataset): string {
  return tableSql(dataset, segment.table(dataset.path));
}
