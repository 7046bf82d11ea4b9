import type { DuckDBValue } from '@duckdb/node-api';
import type { Column } from '@vedette/lql/catalogue/catalogue';
import type { Bound, Bounds } from '@vedette/lql/compile/tables';
import { parseInstant } from '../../platform/instant.ts';
import { reach } from '../../search/path.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { datasets } from '../datasets.ts';
import type { Datasource, Source } from '../datasource.ts';
import { stepsOf } from '../member-tree.ts';
import { columnsOf, type QueryColumn } from '../query-column.ts';
import type { Origin, Provider, ServedDatasource } from '../served-datasource.ts';
import { typeOf } from './query/query-executor.ts';
import { DuckTables } from './query/tables.ts';
import type { SampleStore } from './store.sample.ts';

/** A stored record, parsed without loss: integers are bigints. */
export interface StoredRecord {
  readonly account: string;
  readonly doc: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly seq: number;
  readonly n: number;
  readonly received: number;
}

export type Row = Readonly<Record<string, unknown>>;

/** A datasource as the catalogue would serve it. */
export function served(name: string, columns: readonly Column[]): ServedDatasource {
  return { name, description: '', columns, relationships: [], origin: originOf(name) };
}

export function originOf(name: string): Origin {
  for (const dataset of datasets)
    for (const declaration of dataset.datasources)
      if (declaration.name === name) return { from: 'telemetry', dataset, declaration };
  const [, provider] = /^LW_CFG_([A-Z0-9]+)/.exec(name) ?? [];
  if (!provider) return { from: 'nothing' };
  const isAll = /^LW_CFG_[A-Z0-9]+(_ALL)?$/.test(name);
  const kind = isAll ? undefined : { name, service: 'S', call: 'list' };
  return { from: 'resources', provider: provider.toLowerCase() as Provider, kind };
}

/** The rows of a datasource as the engine returns them. */
export async function rowsOf(
  { segments, inventory, engine }: SampleStore,
  name: string,
  columns: readonly Column[],
  bounds: Bounds,
): Promise<Row[]> {
  const parameters: Bound[] = [];
  const bind = (value: Bound) => `$${parameters.push(value)}`;
  const datasource = served(name, columns);
  return segments.pinned(async () => {
    const sql = new DuckTables(segments, inventory).rows({ datasource, columns, bounds, bind });
    const result = await engine.use((connection) =>
      connection.runAndReadAll(sql, parameters as DuckDBValue[], parameters.map(typeOf)),
    );
    return result.getRowObjects().map((row) => (columns.length > 0 ? row : {}));
  });
}

/** The rows expected from the declaration, computed record by record. */
export function expectedRows(
  dataset: TelemetryDataset,
  datasource: Datasource,
  stored: readonly StoredRecord[],
  columns: readonly QueryColumn[],
  bounds: Bounds,
): Row[] {
  const own = stored.filter(
    ({ account, record }) => account === bounds.account && isSelected(datasource, record),
  );
  return pairRecords(datasource, own)
    .filter(({ main }) => isInRange(dataset, datasource, main, bounds))
    .map((sources) => Object.fromEntries(columns.map((column) => [column.name, cellOf(sources, column)])));
}

/** The records of a row: the main one, and the two of a pair. */
interface SourceRecords {
  readonly main: StoredRecord;
  readonly opening?: StoredRecord | undefined;
  readonly closing?: StoredRecord | undefined;
}

function isSelected({ where = [] }: Datasource, record: StoredRecord['record']): boolean {
  return where.every(({ member, is }) => {
    const value = at(record, member);
    return is === undefined ? value !== undefined : value === is;
  });
}

function pairRecords({ pairs }: Datasource, records: readonly StoredRecord[]): SourceRecords[] {
  if (!pairs) return records.map((main) => ({ main }));
  const instant = ({ record }: StoredRecord) => instantOf(at(record, pairs.order)) ?? 0n;
  const ordered = [...records].sort(
    (one, other) => Number(instant(one) - instant(other)) || one.seq - other.seq || one.n - other.n,
  );
  const open = new Map<string, { main: StoredRecord; opening: StoredRecord; closing?: StoredRecord }>();
  const rows: SourceRecords[] = [];
  for (const main of ordered) {
    const key = JSON.stringify(pairs.agreeOn.map((member) => String(at(main.record, member))));
    const kind = at(main.record, pairs.by);
    const opened = open.get(key);
    if (kind === pairs.opening) {
      const session = { main, opening: main };
      open.set(key, session);
      rows.push(session);
    } else if (kind === pairs.closing) {
      open.delete(key);
      if (opened) opened.closing = main;
      else rows.push({ main, closing: main });
    } else rows.push({ main });
  }
  return rows;
}

function isInRange(
  dataset: TelemetryDataset,
  datasource: Datasource,
  main: StoredRecord,
  { start, end }: Bounds,
): boolean {
  const columns = columnsOf(dataset, datasource);
  const [from = 0n, to] = datasource.time.map((name) =>
    cellOf({ main }, columns.find((column) => column.name === name) as QueryColumn),
  ) as (bigint | undefined)[];
  return to === undefined ? from >= start && from < end : from < end && to > start;
}

function cellOf(sources: SourceRecords, { source, type }: QueryColumn): unknown {
  const { record, doc, received, seq, n } = sources.main;
  if (typeof source === 'object' && 'stored' in source) {
    return {
      ...{ record: doc, received: BigInt(received), batch: String(seq) },
      number: BigInt(seq) * 65_536n + BigInt(n),
    }[source.stored];
  }
  if (typeof source === 'object' && 'hour' in source) {
    const instant = Number(instantOf(at(record, source.of)));
    return BigInt((Math.floor(instant / 3_600_000) + (source.hour === 'end' ? 1 : 0)) * 3_600_000);
  }
  const of = typeof source === 'object' && 'side' in source ? sources[source.side]?.record : record;
  const value =
    of && pathsIn(source).reduce<unknown>((first, path) => first ?? converted(at(of, path), type), undefined);
  return value ?? null;
}

function pathsIn(source: Exclude<Source, { readonly stored: string } | { readonly hour: string }>) {
  if (typeof source === 'string') return [source];
  return 'side' in source ? [source.member] : source;
}

/** Null counts as absent. */
function at(record: StoredRecord['record'], path: string): unknown {
  const [member = '', ...below] = path.split('.');
  return reach(record, [member, ...(below.length > 0 ? stepsOf(below.join('.')) : [])]) ?? undefined;
}

function converted(value: unknown, type: QueryColumn['type']): unknown {
  if (value === undefined) return undefined;
  if (type === 'Json') return jsonOf(value);
  if (type === 'String') return typeof value === 'object' ? jsonOf(value) : String(value);
  if (type === 'Timestamp') return instantOf(value);
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : undefined;
  const number = typeof value === 'string' && value.trim() ? Number(value) : value;
  return Number.isInteger(number) ? BigInt(number as number) : undefined;
}

function instantOf(value: unknown): bigint | undefined {
  const string = String(value);
  if (/^-?\d{1,15}$/.test(string)) return BigInt(string);
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(string) ? parseInstant(string) : undefined;
  return instant === undefined ? undefined : BigInt(instant);
}

/** JSON with integers of any size. */
export function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join(',')}}`;
}
