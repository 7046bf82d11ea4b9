import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { DamagedDaysError } from '../damaged-days.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { typedColumns } from './columns.ts';
import { type Engine, quoted } from './engine.ts';
import { carryKeys } from './idempotency-keys.ts';
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

/** Bytes on disk: of the file, and of what was committed and is not yet in it. */
export interface Size {
  readonly file: number;
  readonly log: number;
}

const dayLength = 24 * 3_600_000;
const fileName = /^(\d{4}-\d{2}-\d{2})\.duckdb$/;
const unfinishedName = /^\d{4}-\d{2}-\d{2}\.duckdb\.new$/;

/** All segments, attached to the engine under the names of their days. */
export class Segments {
  readonly #engine: Engine;
  readonly #directory: string;
  readonly #datasets: readonly TelemetryDataset[];
  readonly #segments = new Map<string, Segment>();
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
    const names = readdirSync(directory);
    for (const name of names.filter((name) => unfinishedName.test(name))) rmSync(join(directory, name));
    const days = names.flatMap((name) => fileName.exec(name)?.[1] ?? []);
    const damaged = new Map<string, string>();
    for (const day of days.sort()) {
      await segments
        .#attach(day)
        .catch((error: Error) => damaged.set(segments.#filesOf(day)[0], error.message));
    }
    if (damaged.size > 0) throw new DamagedDaysError(damaged);
    return segments;
  }

  /** The segment of today, made when it is not there yet. */
  async ofToday(now: number): Promise<Segment> {
    const day = dayOf(now);
    return this.#segments.get(day) ?? (await this.#attach(day));
  }

  /** Those that may hold records of the dataset with a moment in [start, end), the newest first. */
  covering(path: string, start: number, end: number): Segment[] {
    return this.all()
      .filter((segment) => {
        const span = segment.spans.get(path);
        return span !== undefined && span.to >= start && span.from < end;
      })
      .reverse();
  }

  /** All of them, the oldest first. */
  all(): Segment[] {
    return [...this.#segments.values()].sort((left, right) => (left.day < right.day ? -1 : 1));
  }

  /** Those that may go, the oldest first: that of today and that of the last day of arrival stay. */
  droppable(now: number): Segment[] {
    return this.all()
      .slice(0, -1)
      .filter(({ day }) => day !== dayOf(now));
  }

  /** Names of members that the account's records have beyond the declared ones. */
  furtherMembers(account: string, path: string): ReadonlySet<string> {
    return new Set(this.all().flatMap((segment) => [...segment.furtherMembers(account, path)]));
  }

  /** Those that may go and whose records are all older. */
  pastBefore(moment: number, now: number): Segment[] {
    return this.droppable(now).filter(({ day, spans }) => {
      const newest = Math.max(...[...spans.values()].map(({ to }) => to));
      return newest < moment && Date.parse(day) + dayLength <= moment;
    });
  }

  sizeOf({ day }: Segment): Size {
    const [file, log] = this.#filesOf(day).map(
      (name) => statSync(name, { throwIfNoEntry: false })?.size ?? 0,
    );
    return { file: file ?? 0, log: log ?? 0 };
  }

  /** Removes a day and gives its disk back. A process that ends on the way leaves a day that can be dropped again. */
  async drop(segment: Segment, now: number): Promise<void> {
    const heir = this.all().at(-1);
    if (heir && heir !== segment) {
      await this.#engine.use((connection) => carryKeys(connection, segment, heir, now));
    }
    this.#segments.delete(segment.day);
    // Searches that began before may still read it.
    await this.#engine.settled();
    await this.#detach(segment.day);
    const [file, log] = this.#filesOf(segment.day);
    for (const name of [log, file]) rmSync(name, { force: true });
  }

  /** Reads a file anew that the engine gave up. */
  async reattach({ day }: Segment): Promise<void> {
    await this.#detach(day);
    await this.#attach(day);
  }

  /** Has a file take up what waits beside it. */
  async takeUp({ day }: Segment): Promise<void> {
    await this.#engine.use((connection) => connection.run(`checkpoint ${identifier(day).sql}`));
  }

  async #detach(day: string): Promise<void> {
    await this.#engine.use((connection) =>
      connection.run(`detach database if exists ${identifier(day).sql}`).catch((error: Error) => {
        // It is detached all the same, and what was committed stays where it was.
        if (!error.message.includes('CHECKPOINT during DETACH failed')) throw error;
      }),
    );
  }

  #filesOf(day: string): [file: string, log: string] {
    const file = join(this.#directory, `${day}.duckdb`);
    return [file, `${file}.wal`];
  }

  async #attach(day: string): Promise<Segment> {
    const segment = new Segment(day);
    const [file] = this.#filesOf(day);
    await this.#engine.use(async (connection) => {
      if (!existsSync(file)) await makeFile(connection, file);
      await connection.run(`attach if not exists ${quoted(file)} as ${identifier(day).sql}`);
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
      for (const dataset of this.#datasets.filter(({ path }) => names.has(path))) {
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

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** A file that has its name is whole, so that one that is not can only be damaged: this may end or fail on its way. */
async function makeFile(connection: DuckDBConnection, file: string): Promise<void> {
  const unfinished = `${file}.new`;
  await connection.run('detach database if exists unfinished');
  rmSync(unfinished, { force: true });
  await connection.run(`attach ${quoted(unfinished)} as unfinished`);
  await connection.run('detach unfinished');
  renameSync(unfinished, file);
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
