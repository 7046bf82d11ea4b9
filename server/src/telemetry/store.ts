import type { Page, Place, Wanted } from './duckdb/reader.ts';
import type { Batch, Stored } from './duckdb/writer.ts';

/** Records of all pages of a search together; counting stops there, too. */
export const mostRows = 500_000;

/** What an engine has to do for telemetry; everything else is the same whatever the engine. */
export interface TelemetryStore {
  /** Durable when it resolves. */
  store(batch: Batch): Promise<Stored>;
  /** The number of the last batch that was committed. */
  lastSequence(): number;
  page(wanted: Wanted, after: Place | undefined, rows: number): Promise<Page>;
  count(wanted: Wanted): Promise<number>;
  /** Names of members that the account's records have beyond the declared ones. */
  furtherMembers(account: string, path: string): ReadonlySet<string>;
  forgetAccount(account: string): Promise<void>;
  forgetBefore(moment: number): Promise<void>;
  /** Forgets the oldest days until the others take no more disk than they may. */
  keepWithinCap(): Promise<void>;
  bytesOnDisk(): number;
  close(): Promise<void>;
}
