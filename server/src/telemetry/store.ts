import type { FirstPage, Page } from './duckdb/reader.ts';
import type { Place, Wanted } from './duckdb/scope.ts';
import type { Batch, Stored } from './duckdb/writer.ts';

/** Records of all pages of a search together; counting stops there, too. */
export const mostRows = 500_000;

/** What an engine has to do for telemetry; everything else is the same whatever the engine. */
export interface TelemetryStore {
  /** Durable when it resolves. */
  store(batch: Batch): Promise<Stored>;
  /** The number of the last batch that was committed. */
  lastSequence(): number;
  /** The first page of so many rows, and how many there are in all. Ends with the reason of the signal when it aborts. */
  first(wanted: Wanted, rows: number, signal: AbortSignal): Promise<FirstPage>;
  next(wanted: Wanted, after: Place, rows: number, signal: AbortSignal): Promise<Page>;
  /** Names of members that the account's records have beyond the declared ones. */
  furtherMembers(account: string, path: string): ReadonlySet<string>;
  forgetAccount(account: string): Promise<void>;
  forgetBefore(moment: number): Promise<void>;
  /** Forgets the oldest days until the others take no more disk than they may. */
  keepWithinCap(): Promise<void>;
  /** Puts what has arrived into a form that is searched faster or takes less disk. */
  tidy(): Promise<void>;
  bytesOnDisk(): number;
  close(): Promise<void>;
}
