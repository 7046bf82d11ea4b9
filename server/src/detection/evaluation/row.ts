import { createHash } from 'node:crypto';
import type { Chunks } from '../../telemetry/chunks.ts';
import { parseExact, stringifyExact } from './exact-json.ts';
import type { Subject } from './subject.ts';

/** A row of a policy's query; integers beyond the safe range are bigints. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows per transaction. */
const batchSize = 500;
const maxKeyLength = 500;

/** The rows of a query in small batches. */
export async function* rowsOf(chunks: Chunks): AsyncGenerator<readonly Row[]> {
  for await (const chunk of chunks) {
    // A chunk holds whole rows; chunks after the first begin with a comma.
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('utf8');
    const rows = parseExact(`[${text.startsWith(',') ? text.slice(1) : text}]`) as Row[];
    for (let from = 0; from < rows.length; from += batchSize) yield rows.slice(from, from + batchSize);
  }
}

/** Times of recording, which change without a change of the recorded object. */
const recordingColumns: ReadonlySet<string> = new Set([
  ...['BATCH_START_TIME', 'BATCH_END_TIME', 'BATCH_ID', 'RECORD_CREATED_TIME', 'INSERT_TIME'],
  ...['QUERY_START_TIME', 'QUERY_END_TIME'],
]);

/** Identifies a violation within its policy. */
export function keyOf(row: Row, { streams }: Pick<Subject, 'streams'>): string {
  const { RESOURCE_KEY: resource, INSERT_ID: event, MID: hostId } = row;
  if (isNamed(resource)) return resourceKeyOf(String(resource));
  if (streams.length > 0 && isNamed(event)) return bounded(String(event));
  const stable = streams.length > 0 ? row : withoutRecording(row);
  const digest = createHash('sha256').update(canonical(stable)).digest('hex').slice(0, 40);
  return isNamed(hostId) ? `${bounded(String(hostId))}:${digest}` : digest;
}

/** The same for a violation of which only the resource is known. */
export function resourceKeyOf(resource: string): string {
  return bounded(resource);
}

/** JSON with sorted members. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return stringifyExact(value ?? null);
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`);
  return `{${members.join(',')}}`;
}

function withoutRecording(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !recordingColumns.has(name)));
}

function bounded(key: string): string {
  if (key.length <= maxKeyLength) return key;
  return `${key.slice(0, 200)}…${createHash('sha256').update(key).digest('hex').slice(0, 40)}`;
}

function isNamed(value: unknown): value is string | number | bigint {
  return (
    typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && value !== '')
  );
}
