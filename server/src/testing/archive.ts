import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ControlStore } from '../control/store.ts';
import { archiveLines } from '../operator/archive.ts';
import { ArchiveReader } from '../operator/archive-reader.ts';

export interface ArchivedRow {
  readonly table: string;
  readonly row: Readonly<Record<string, string>>;
}

export function linesOfArchive(archive: Uint8Array): string[] {
  return gunzipSync(archive).toString('utf8').trimEnd().split('\n');
}

export function archiveOfLines(lines: readonly string[]): Buffer {
  return gzipSync(lines.map((line) => `${line}\n`).join(''));
}

export function rowsOfArchive(archive: Uint8Array): ArchivedRow[] {
  return linesOfArchive(archive)
    .filter((line) => line.startsWith('{"table":'))
    .map((line) => JSON.parse(line));
}

export interface ArchivedBatch {
  readonly day: string;
  readonly seq: number;
  readonly account: string;
  readonly dataset: string;
  readonly received: number;
  readonly key?: string;
  readonly digest?: string;
  readonly records: number;
  /** Records by dataset; derived records are in a dataset of their own. */
  readonly docs: Readonly<Record<string, readonly string[]>>;
}

/** Sorted by sequence number. */
export async function batchesOfArchive(archive: Uint8Array): Promise<ArchivedBatch[]> {
  const reader = new ArchiveReader(Readable.from(archive, { objectMode: false }));
  const batches: Omit<ArchivedBatch, 'docs'>[] = [];
  const docs = new Map<number, Record<string, string[]>>();
  for (let line = await reader.line(); line; line = await reader.line()) {
    if ('batch' in line) batches.push(line.batch as ArchivedBatch);
    if (!('records' in line)) continue;
    const { seq, dataset, bytes } = line.records as { seq: number; dataset: string; bytes: number };
    const records = (await reader.bytes(bytes)).toString('utf8').split('\x1e');
    docs.set(seq, { ...docs.get(seq), [dataset]: records });
  }
  return batches
    .sort((one, other) => one.seq - other.seq)
    .map((batch) => ({ ...batch, docs: docs.get(batch.seq) ?? {} }));
}

/** Ciphertexts differ each time, and evaluations are rescheduled continuously. */
const volatileTables: readonly string[] = ['sealing_check', 'evaluations'];

/** All rows of a store that are stable between changes. */
export async function contentOf(store: ControlStore): Promise<ArchivedRow[]> {
  const lines: ArchivedRow[] = await Readable.from(archiveLines(store.read, { createdAt: '' })).toArray();
  return lines.filter(({ row, table }) => row && !volatileTables.includes(table));
}

export function countTokens(rows: readonly ArchivedRow[]): { tokens: number; acts: number } {
  return {
    tokens: rows.filter(({ table }) => table === 'access_tokens').length,
    acts: rows.filter(({ row }) => row.event_name === 'Access Token Created').length,
  };
}
