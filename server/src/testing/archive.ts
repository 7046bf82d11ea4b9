import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ControlStore } from '../control/store.ts';
import { archiveLines } from '../operator/archive.ts';

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
    .map((line) => JSON.parse(line))
    .filter((line) => 'row' in line);
}

/** Everything a store holds but the sealed texts, which differ each time they are sealed. */
export async function contentOf(store: ControlStore): Promise<ArchivedRow[]> {
  const lines: ArchivedRow[] = await Readable.from(archiveLines(store.read, '', undefined)).toArray();
  return lines.filter(({ row, table }) => row && table !== 'sealing_check');
}

export function countTokens(rows: readonly ArchivedRow[]): { tokens: number; acts: number } {
  return {
    tokens: rows.filter(({ table }) => table === 'access_tokens').length,
    acts: rows.filter(({ row }) => row.event_name === 'Access Token Created').length,
  };
}
