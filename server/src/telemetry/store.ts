import type { TimeRange } from '../search/time-range.ts';
import type { Batch, StoreResult } from './batch.ts';
import type { ChunkSink } from './chunks.ts';
import type { CompileWith, Plan } from './compiled-query.ts';
import type { DuePolicy, PolicyEvaluation, ViolationChanges, ViolationChangesSince } from './evaluation.ts';
import type {
  EvaluationPlace,
  EvaluationRun,
  LastEvaluation,
  ScopePositions,
  StoredEvaluation,
} from './evaluation-history.ts';
import type { FreeSpace } from './file-system.ts';
import type { FirstPage, Page, RecordPosition } from './page.ts';
import type { FindingsQuery } from './posture-findings.ts';
import type { ProviderSearch } from './provider-search.ts';
import type { RecordSearch } from './record-search.ts';
import type { ResourceVersion } from './resource.ts';
import type { CloudAccountProvider, KnownCloudAccount } from './resource-search.ts';
import type { Provider } from './served-datasource.ts';
import type { CollectionAttempt, SnapshotEffect, SnapshotEnd, SnapshotId, SnapshotPart } from './snapshot.ts';
import type { FileCheck, VerificationProgress } from './verification.ts';

/** The interface of a telemetry engine. */
export interface TelemetryStore {
  /** Identifies the restore that these records come from. */
  readonly epoch: string;
  /** Durable when it resolves. */
  store(batch: Batch): Promise<StoreResult>;
  /** The sequence number of the last committed batch. */
  lastSequence(): number;
  /** The sequence number of the last batch that may contain records of the account and dataset; 0 if none. */
  lastBatch(account: string, path: string): number;
  /** Batches of the account that wait to be stored. */
  waitingBatches(account: string): number;
  /** The first page and the total count. Fails with the signal's reason when it aborts. */
  first(search: RecordSearch, rows: number, signal: AbortSignal): Promise<FirstPage>;
  next(search: RecordSearch, after: RecordPosition, rows: number, signal: AbortSignal): Promise<Page>;
  /**
   * Writes the rows of a query as JSON separated by commas. Fails with the signal's reason when it aborts, and
   * calls `complete` once all rows are available and only the reader is awaited.
   */
  query(
    account: string,
    compileWith: CompileWith,
    put: ChunkSink,
    signal: AbortSignal,
    complete: () => void,
  ): Promise<void>;
  /** The query plan. */
  explain(compileWith: CompileWith): Promise<Plan>;
  /**
   * Stores a part of a collector's snapshot, which is not visible yet; durable when it resolves. Returns the keys of
   * resources that were given by a digest and are not stored so.
   */
  stageResources(account: string, id: SnapshotId, part: SnapshotPart): Promise<readonly string[]>;
  /** The numbers of the parts that are stored. */
  stagedParts(account: string, id: SnapshotId): Promise<number[]>;
  /** Makes a snapshot visible as a whole, or notes why there is none. */
  finishSnapshot(account: string, id: SnapshotId, end: SnapshotEnd): Promise<SnapshotEffect>;
  /** The position of the last snapshot of resources. */
  lastSnapshot(): number;
  /** The first page of resources and their total count. */
  firstResources(search: ProviderSearch, rows: number, signal: AbortSignal): Promise<FirstPage>;
  nextResources(
    search: ProviderSearch,
    after: RecordPosition,
    rows: number,
    signal: AbortSignal,
  ): Promise<Page>;
  /** The versions of a resource as JSON separated by commas, newest first, bounded. */
  resourceVersions(account: string, provider: Provider, urn: string): Promise<string>;
  cloudAccounts(account: string, provider: CloudAccountProvider): Promise<KnownCloudAccount[]>;
  /** The position of the last change of each kind of resources, and of the last new resource since the start. */
  resourceChanges(account: string): Promise<ResourceChanges>;
  /** Evaluates policies over the resources together; durable when it resolves. */
  evaluate(
    account: string,
    policies: readonly DuePolicy[],
    at: number,
    signal: AbortSignal,
  ): Promise<readonly PolicyEvaluation[]>;
  /** Ends the evaluations of a deleted policy; those after that time are of another one with the same id. */
  endEvaluations(account: string, policyId: string, at: number): Promise<void>;
  /** A page of the violations of a policy that began or ended after a revision. */
  violationChanges(account: string, since: ViolationChangesSince): Promise<ViolationChanges>;
  /** The evaluations of one cloud account as JSON: the form is `PostureFindings`; undefined if there are none. */
  findings(query: FindingsQuery, signal: AbortSignal): Promise<string | undefined>;
  /** The revision of the last evaluation. */
  lastRevision(): Promise<number>;
  /** The first page of evaluations and their total count. */
  firstEvaluations(search: ProviderSearch, rows: number, signal: AbortSignal): Promise<FirstPage>;
  nextEvaluations(
    search: ProviderSearch,
    after: RecordPosition,
    rows: number,
    signal: AbortSignal,
  ): Promise<Page>;
  /** The sequence number of the account's first batch received at or after the instant; undefined if none. */
  firstBatchSince(account: string, since: number): Promise<number | undefined>;
  /** The next records that arrived in an hour; undefined if there are no more. */
  arrivals(hour: ArrivalHour, after?: ArrivalCursor): Promise<Arrivals | undefined>;
  /** Names of undeclared members of the account's records. */
  undeclaredMembers(account: string, path: string): ReadonlySet<string>;
  deleteAccount(account: string): Promise<void>;
  deleteBefore(instant: number): Promise<void>;
  /** Drops the oldest days until the disk cap is met. */
  keepWithinCap(): Promise<void>;
  /** Compacts past days, for faster searches or less disk usage. */
  compact(): Promise<void>;
  /** Reads all stored data and reports damaged files. */
  verify(progress: VerificationProgress, signal: AbortSignal): Promise<FileCheck[]>;
  bytesOnDisk(): number;
  /** Bytes of intermediate results on disk, included in `bytesOnDisk`. */
  spilled(): number;
  /** Free space, and the space that must be free to accept batches. */
  freeSpace(): Promise<FreeSpace>;
  /** Suspends dropping days while the work runs, even beyond the disk cap. */
  withoutRemovals<Result>(work: () => Promise<Result>): Promise<Result>;
  /** A snapshot of these accounts' data. It can be read during writes, but not during removals. */
  holdings(accounts: ReadonlySet<string>): Promise<BackupSource>;
  /** An empty store for records that will replace all current ones. */
  replacement(id: string): Promise<ReplacementStore>;
  close(): Promise<void>;
}

/** Positions of changes in the inventory of an account. */
export interface ResourceChanges {
  /** The last change by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** The last position of all accounts. */
  readonly last: number;
  /** The last resource that was not there before. */
  readonly lastAddition: number;
  /** What the last evaluation of each policy covers. */
  readonly evaluated: ReadonlyMap<string, EvaluatedTo>;
}

export interface EvaluatedTo {
  /** The position of the inventory. */
  readonly position: number;
  /** The number of the evaluation. */
  readonly revision: number;
}

/** Records of an account and dataset by arrival time, whatever their timestamps. */
export interface ArrivalHour {
  readonly account: string;
  /** The path of the dataset. */
  readonly path: string;
  /** Start inclusive, end exclusive. */
  readonly range: TimeRange;
}

/** The last batch read. */
export interface ArrivalCursor {
  readonly day: string;
  readonly seq: number;
}

/** Complete batches in order; repeatable. */
export interface Arrivals {
  /** One record per line, in UTF-8. */
  readonly text: Uint8Array;
  readonly records: number;
  readonly last: ArrivalCursor;
}

/** Data of an account that arrived on a day, with which it is dropped. */
interface Owned {
  readonly day: string;
  readonly account: string;
  /** The path of the dataset. */
  readonly dataset: string;
}

/** The name of an undeclared member. */
export interface UndeclaredMember extends Owned {
  readonly name: string;
}

/** A received batch and the response to its repetition. Its key outlives its records. */
export interface BackupBatch extends Owned {
  readonly seq: number;
  readonly received: number;
  readonly key?: string;
  /** Digest of the body. */
  readonly digest?: string;
  readonly records: number;
}

/** Records of a batch; records derived from them in another dataset have the same sequence number. */
export interface BackupRecords extends Owned {
  readonly seq: number;
  readonly records: number;
}

/** An entry of a backup, in an engine-independent format. */
export type BackupEntry =
  | { readonly resource: ResourceVersion }
  | { readonly attempt: CollectionAttempt }
  | { readonly scope: ScopePositions }
  | { readonly evaluation: StoredEvaluation }
  | { readonly place: EvaluationPlace }
  | { readonly lastEvaluation: LastEvaluation }
  | { readonly run: EvaluationRun }
  | { readonly further: UndeclaredMember }
  | { readonly batch: BackupBatch }
  /** The records as received, in UTF-8, separated by `recordSeparator`. */
  | { readonly records: BackupRecords; readonly text: Uint8Array };

/** A consistent snapshot of stored data. */
export interface BackupSource {
  readonly batches: number;
  readonly records: number;
  /** Resource versions. */
  readonly resources: number;
  /** Results of policies for resources. */
  readonly evaluations: number;
  /** Each entry once: resources and their evaluations, then the rest by day; records by dataset and sequence number. */
  read(): AsyncIterable<BackupEntry>;
}

/**
 * Records that will replace all current ones. Once they are complete and the control store has committed the
 * restore, the next opening of the store puts them in place; otherwise it removes them.
 */
export interface ReplacementStore {
  readonly id: string;
  add(entry: BackupEntry): Promise<void>;
  /** Complete and durable when it resolves. */
  ready(): Promise<void>;
  discard(): Promise<void>;
}
