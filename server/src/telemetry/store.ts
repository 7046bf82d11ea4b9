import type { TimeRange } from '../search/time-range.ts';
import type { Batch, StoreResult } from './batch.ts';
import type { Put } from './chunks.ts';
import type { CompileWith, Plan } from './compiled-query.ts';
import type { FreeSpace } from './file-system.ts';
import type { FirstPage, Page, Place } from './page.ts';
import type { RecordSearch } from './record-search.ts';
import type { ResourceSnapshot, ResourceVersion, SnapshotEffect } from './resource.ts';
import type { FileCheck, VerificationProgress } from './verification.ts';

/** What an engine has to do for telemetry; everything else is the same whatever the engine. */
export interface TelemetryStore {
  /** Tells these records from those that a restore put in their place. */
  readonly epoch: string;
  /** Durable when it resolves. */
  store(batch: Batch): Promise<StoreResult>;
  /** The number of the last batch that was committed. */
  lastSequence(): number;
  /** The number of the last batch that may have brought records of the account and dataset; 0 when none has. */
  lastBatch(account: string, path: string): number;
  /** The first page of so many rows, and how many there are in all. Ends with the reason of the signal when it aborts. */
  first(wanted: RecordSearch, rows: number, signal: AbortSignal): Promise<FirstPage>;
  next(wanted: RecordSearch, after: Place, rows: number, signal: AbortSignal): Promise<Page>;
  /**
   * Puts out the rows of a query with commas between. Ends with the reason of the signal when it aborts, and says when it
   * has them all and only waits for who reads.
   */
  query(
    account: string,
    compileWith: CompileWith,
    put: Put,
    signal: AbortSignal,
    complete: () => void,
  ): Promise<void>;
  /** What the engine would do for a query. */
  explain(compileWith: CompileWith): Promise<Plan>;
  /** Takes in what a collector found, whole or not at all; durable when it resolves. */
  recordResources(snapshot: ResourceSnapshot): Promise<SnapshotEffect>;
  /** The number of the first batch of the account that came at the instant or later; undefined when none has. */
  firstBatchSince(account: string, since: number): Promise<number | undefined>;
  /** The next of the records that came in an hour, or undefined when there are no more. */
  arrivals(hour: ArrivalHour, after?: ArrivalCursor): Promise<Arrivals | undefined>;
  /** Names of members that the account's records have beyond the declared ones. */
  undeclaredMembers(account: string, path: string): ReadonlySet<string>;
  forgetAccount(account: string): Promise<void>;
  forgetBefore(instant: number): Promise<void>;
  /** Forgets the oldest days until the others take no more disk than they may. */
  keepWithinCap(): Promise<void>;
  /** Puts what has arrived into a form that is searched faster or takes less disk. */
  tidy(): Promise<void>;
  /** Reads everything that is kept, and tells which files are damaged. */
  verify(progress: VerificationProgress, signal: AbortSignal): Promise<FileCheck[]>;
  bytesOnDisk(): number;
  /** Bytes of intermediate results on disk, which are part of that. */
  spilled(): number;
  /** What is free, and what must be before anything more is taken in. */
  freeSpace(): Promise<FreeSpace>;
  /** While the work runs no day makes room for another, even where the cap of the disk asks for it. */
  keepingAll<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What there is of these accounts now. It can be read while more arrives, and while nothing is removed. */
  holdings(accounts: ReadonlySet<string>): Promise<Holdings>;
  /** An empty place to load records into that are to take the place of all of these. */
  replacement(id: string): Promise<ReplacementStore>;
  close(): Promise<void>;
}

/** Records of an account and dataset by when their batches came, whatever moments they are about. */
export interface ArrivalHour {
  readonly account: string;
  /** The path of the dataset. */
  readonly path: string;
  /** From the first moment to before the second. */
  readonly range: TimeRange;
}

/** Behind which batch to go on. */
export interface ArrivalCursor {
  readonly day: string;
  readonly seq: number;
}

/** Whole batches in their order, the same ones whenever they are read. */
export interface Arrivals {
  /** A record on each line, in UTF-8. */
  readonly text: Uint8Array;
  readonly records: number;
  readonly last: ArrivalCursor;
}

/** What belongs to an account and arrived on a day, by which it is removed one day. */
interface Owned {
  readonly day: string;
  readonly account: string;
  /** The path of the dataset. */
  readonly dataset: string;
}

/** The name of a member beyond the declared ones, which records had. */
export interface UndeclaredMember extends Owned {
  readonly name: string;
}

/** That a batch came, and what is answered when it comes again. Its key outlives its records. */
export interface BackupBatch extends Owned {
  readonly seq: number;
  readonly received: number;
  readonly key?: string;
  /** Of its body. */
  readonly digest?: string;
  readonly records: number;
}

/** Records of a batch; those that follow from them in another dataset are kept under the same number. */
export interface BackupRecords extends Owned {
  readonly seq: number;
  readonly records: number;
}

/** Something that is kept, in a form that every engine can give and take. */
export type Kept =
  | { readonly resource: ResourceVersion }
  | { readonly further: UndeclaredMember }
  | { readonly batch: BackupBatch }
  /** With the records as they came, in UTF-8, with `recordSeparator` between them. */
  | { readonly records: BackupRecords; readonly text: Uint8Array };

/** Everything that there was at one moment. */
export interface Holdings {
  readonly batches: number;
  readonly records: number;
  /** Versions of resources. */
  readonly resources: number;
  /** Each once and whole: resources, then the rest by day, and records then by dataset and number. */
  read(): AsyncIterable<Kept>;
}

/**
 * Records that are to take the place of all others. When they are ready and the control store says so, the next opening
 * of the store puts them in place; without that word it removes them.
 */
export interface ReplacementStore {
  readonly id: string;
  add(kept: Kept): Promise<void>;
  /** Complete and durable when it resolves. */
  ready(): Promise<void>;
  discard(): Promise<void>;
}
