import { formatInstant } from '../platform/instant.ts';
import type { ColumnType, Dataset } from './dataset.ts';

/** A record as the API returns it. */
export type ApiRecord = Readonly<Record<string, unknown>>;

/** Converts a table row to an API record, omitting nulls. */
export function readRecord(row: Readonly<Record<string, unknown>>, dataset: Dataset): ApiRecord {
  const record: Record<string, unknown> = {};
  for (const [name, { column, type }] of Object.entries(dataset.columns)) {
    const stored = row[column];
    if (stored !== null && stored !== undefined) record[name] = readMember(stored, type);
  }
  return record;
}

/** Keeps only the requested members; all if undefined. */
export function project(record: ApiRecord, returns: readonly string[] | undefined): ApiRecord {
  if (!returns) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => returns.includes(name)));
}

function readMember(stored: unknown, type: ColumnType): unknown {
  if (type === 'time') return formatInstant(stored as number);
  if (type === 'boolean') return stored === 1;
  if (type === 'json') return JSON.parse(stored as string);
  return stored;
}
