import type { Page, Place, Wanted } from './duckdb/reader.ts';
import type { Batch, Stored } from './duckdb/writer.ts';

/** Records of all pages of a search together; counting stops there, too. */
export const mostRows = 500_000;

/** What an engine has to do for telemetry; everything else is the same whatever the engine. */
export interface TelemetryStore {
  /** Tells these records from those that a restore put in their place. */
  readonly epoch: string;
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
  /** What there is of these accounts now. It can be read while more arrives, but not while anything is removed. */
  holdings(accounts: ReadonlySet<string>): Promise<Holdings>;
  /** An empty place to load records into that are to take the place of all of these. */
  successor(id: string): Promise<Successor>;
  close(): Promise<void>;
}

/** A batch as it is kept, in a form that every engine can give and take. */
export interface KeptBatch {
  readonly seq: number;
  readonly account: string;
  /** The path of its dataset. */
  readonly dataset: string;
  readonly received: number;
  readonly idempotencyKey: string | undefined;
  readonly records: number;
  /** The records as they came, in UTF-8, with `recordSeparator` between them. */
  readonly text: Uint8Array;
}

/** The name of a member beyond the declared ones, which records of a dataset had that arrived on one day. */
export interface FurtherMember {
  readonly day: string;
  readonly account: string;
  readonly dataset: string;
  readonly name: string;
}

/** Everything that there was at one moment. */
export interface Holdings {
  readonly batches: number;
  readonly records: number;
  readonly further: readonly FurtherMember[];
  /** Each batch once and whole: by the day of its arrival, then by dataset, then by number. */
  read(): AsyncIterable<KeptBatch>;
}

/**
 * Records that are to take the place of all others. When they are ready and the control store says so, the next opening
 * of the store puts them in place; without that word it removes them.
 */
export interface Successor {
  readonly id: string;
  add(batch: KeptBatch): Promise<void>;
  addFurther(member: FurtherMember): void;
  /** Complete and durable when it resolves. */
  ready(): Promise<void>;
  discard(): Promise<void>;
}
