import { Cursors } from '../control/cursor.ts';
import type { ControlStore } from '../control/store.ts';
import { Refusal } from '../platform/errors.ts';
import { FairQueue } from '../platform/fair-queue.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Fields } from '../search/dataset.ts';
import { readFilters } from '../search/filter.ts';
import { maxPageRows, maxRows, type ResultPage, type SearchQuery } from '../search/page.ts';
import { type Chunks, chunks } from './chunks.ts';
import type { CompileWith, Plan } from './compiled-query.ts';
import type { TelemetryDataset } from './dataset.ts';
import type {
  DeletedPolicy,
  DuePolicy,
  PolicyEvaluation,
  ViolationChanges,
  ViolationChangesSince,
} from './evaluation.ts';
import { EvaluationQueries } from './evaluation-queries.ts';
import type { FreeSpace } from './file-system.ts';
import { formatSize, spaceOf } from './file-system.ts';
import { Intake } from './intake.ts';
import { MaintenanceLock } from './maintenance-lock.ts';
import type { RecordPosition } from './page.ts';
import { fieldsOf } from './record-form.ts';
import type { RecordSearch } from './record-search.ts';
import { ResourceQueries } from './resource-queries.ts';
import { resultPage } from './result-page.ts';
import type { SnapshotEffect, SnapshotEnd, SnapshotId, SnapshotPart } from './snapshot.ts';
import type {
  ArrivalCursor,
  ArrivalHour,
  Arrivals,
  BackupSource,
  ReplacementStore,
  ResourceChanges,
  TelemetryStore,
} from './store.ts';
import { type MarkRestore, StoreAccess, type StoreDeps } from './store-access.ts';
import type { FileCheck, VerificationProgress } from './verification.ts';

export interface TelemetryDeps extends StoreDeps {
  readonly keyring: Keyring;
  /** Time limit of a search in the queue, and again of its execution, in seconds. */
  readonly searchSeconds: number;
  /** Overrides the page size, so that tests get many pages from little data. */
  readonly maxPageRows?: number;
}

/** Used and free disk space, and the space that must be free to accept batches. */
export interface DiskUse extends FreeSpace {
  readonly used: number;
  /** Intermediate results of searches, included in `used`. */
  readonly spilled: number;
}

/**
 * Each search runs two statements; sixteen concurrent searches would take seconds each. One account may use all
 * slots but one.
 */
const concurrentSearches = 4;
/** The concurrency of policy evaluation, and one query of another account. */
const concurrentOwnQueries = 5;
const maxQueuedSearches = 64;
const maxQueuedPerAccount = 32;
/** Each may hold much disk space. */
const maxResponsesBeingSent = 16;

/** The queue of a query: users, or the service itself. */
export type Lane = 'users' | 'service';

/** Stores and searches the data reported by agents and clouds. */
export class Telemetry {
  readonly intake: Intake;
  /** Searches of cloud resources. */
  readonly resources: ResourceQueries;
  /** Searches of their evaluations. */
  readonly evaluations: EvaluationQueries;
  readonly #access: StoreAccess;
  readonly #control: ControlStore;
  readonly #directory: string;
  readonly #cursors: Cursors<RecordPosition>;
  readonly #maxPageRows: number;
  readonly #searches: FairQueue;
  readonly #ownQueries: FairQueue;
  #resourcesStored: () => void = () => {};
  /** Held by removals and rewrites; exclusive during backups and restores. */
  readonly #maintenanceLock = new MaintenanceLock(
    'A backup is being taken or restored: nothing is removed until that is done.',
  );

  private constructor(access: StoreAccess, deps: TelemetryDeps) {
    this.#access = access;
    this.#control = deps.store;
    this.#directory = deps.directory;
    this.#cursors = new Cursors(deps);
    this.#maxPageRows = deps.maxPageRows ?? maxPageRows;
    const bounds = {
      noun: 'search',
      waiting: maxQueuedSearches,
      waitingPerAccount: maxQueuedPerAccount,
      detached: maxResponsesBeingSent,
      seconds: deps.searchSeconds,
    };
    this.#searches = new FairQueue({ ...bounds, concurrency: concurrentSearches });
    this.#ownQueries = new FairQueue({ ...bounds, concurrency: concurrentOwnQueries });
    const shared = {
      access,
      cursors: this.#cursors,
      searches: this.#searches,
      maxPageRows: this.#maxPageRows,
    };
    this.resources = new ResourceQueries(shared);
    this.evaluations = new EvaluationQueries(shared);
    this.intake = new Intake({ store: (batch) => access.use((store) => store.store(batch)) }, deps.clock);
  }

  static async open(deps: TelemetryDeps): Promise<Telemetry> {
    return new Telemetry(await StoreAccess.open(deps), deps);
  }

  /** The searchable members for the account: declared ones, and undeclared ones of its records. */
  fieldsFor(dataset: TelemetryDataset, account: string): Promise<Fields> {
    return this.#access.use(async (store) => fieldsIn(store, dataset, account));
  }

  search(
    dataset: TelemetryDataset,
    account: string,
    searchQuery: SearchQuery,
    abandoned?: AbortSignal,
  ): Promise<ResultPage> {
    return this.#access.use(async (store) => {
      const recordSearch = searchIn(store, dataset, account, searchQuery, store.lastSequence());
      const read = (signal: AbortSignal) => store.first(recordSearch, this.#maxPageRows, signal);
      const page = await this.#searches.run(account, read, abandoned);
      return resultPage(this.#cursors, store, recordSearch, searchQuery, page, page.rows, page.total);
    });
  }

  nextPage(
    dataset: TelemetryDataset,
    account: string,
    cursorToken: string,
    abandoned?: AbortSignal,
  ): Promise<ResultPage> {
    return this.#access.use(async (store) => {
      const { path } = dataset;
      const cursor = await this.#cursors.read(cursorToken, { path, account, epoch: store.epoch });
      const recordSearch = searchIn(store, dataset, account, cursor.question, cursor.upTo);
      const rows = Math.min(this.#maxPageRows, maxRows - cursor.shown);
      const read = (signal: AbortSignal) => store.next(recordSearch, cursor.after, rows, signal);
      const page = await this.#searches.run(account, read, abandoned);
      return resultPage(
        this.#cursors,
        store,
        recordSearch,
        cursor.question,
        page,
        cursor.shown + page.rows,
        cursor.total,
      );
    });
  }

  /**
   * The rows of a query as JSON separated by commas, in chunks. It is compiled when it leaves the queue; its data
   * is pinned until the last chunk is read or the reader stops.
   */
  query(account: string, compileWith: CompileWith, abandoned?: AbortSignal, lane: Lane = 'users'): Chunks {
    const queue = lane === 'users' ? this.#searches : this.#ownQueries;
    return chunks((put, left) =>
      this.#access.use((store) =>
        queue.run(
          account,
          (signal, leave) => store.query(account, compileWith, put, signal, leave),
          abandoned ? AbortSignal.any([abandoned, left]) : left,
        ),
      ),
    );
  }

  /** The sequence number of the last batch that may contain records of the account and dataset; 0 if none. */
  async lastBatch(account: string, path: string): Promise<number> {
    return (await this.#access.opened())?.lastBatch(account, path) ?? 0;
  }

  /** Batches of the account that wait to be stored. */
  async waitingBatches(account: string): Promise<number> {
    return (await this.#access.opened())?.waitingBatches(account) ?? 0;
  }

  /** The sequence number of the account's first batch received at or after the instant; undefined if none. */
  async firstBatchSince(account: string, since: number): Promise<number | undefined> {
    if (!(await this.#access.opened())) return undefined;
    return this.#access.use((store) => store.firstBatchSince(account, since));
  }

  /** Identifies the restore that these records come from; empty if none. */
  async epoch(): Promise<string> {
    return (await this.#access.opened())?.epoch ?? '';
  }

  /** Records that arrived in a past hour, in chunks of some megabytes; repeatable. */
  async *arrivals(hour: ArrivalHour): AsyncGenerator<Arrivals> {
    const epoch = (await this.#access.opened())?.epoch;
    if (epoch === undefined) return;
    for (let after: ArrivalCursor | undefined; ; ) {
      const some = await this.#access.use(async (store) => {
        if (store.epoch === epoch) return store.arrivals(hour, after);
        throw new Refusal('UNAVAILABLE', 'A backup was restored during the request: try again.');
      });
      if (!some) return;
      yield some;
      after = some.last;
    }
  }

  /** Whether anything was ever stored or searched, so that periodic readers need not open the engine. */
  async isOpened(): Promise<boolean> {
    return (await this.#access.opened()) !== undefined;
  }

  /** The position of the last change of each kind of resources; undefined if there is no store. */
  async resourceChanges(account: string): Promise<ResourceChanges | undefined> {
    return (await this.#access.opened())?.resourceChanges(account);
  }

  /** A page of the violations of a policy that began or ended after a revision. */
  violationChanges(account: string, since: ViolationChangesSince): Promise<ViolationChanges> {
    return this.#access.use((store) => store.violationChanges(account, since));
  }

  /** The revision of the last evaluation; 0 if there is none. */
  async lastRevision(): Promise<number> {
    if (!(await this.#access.opened())) return 0;
    return this.#access.use((store) => store.lastRevision());
  }

  /** Ends the evaluations of a policy that was deleted at that time. */
  async endEvaluations({ ownerId, policyId, at }: DeletedPolicy): Promise<void> {
    if (!(await this.#access.opened())) return;
    await this.#access.use((store) => store.endEvaluations(ownerId, policyId, at));
  }

  /** Evaluates policies over the resources of an account together; durable when it resolves. */
  evaluate(
    account: string,
    policies: readonly DuePolicy[],
    at: number,
    signal: AbortSignal,
  ): Promise<readonly PolicyEvaluation[]> {
    return this.#access.use((store) => store.evaluate(account, policies, at, signal));
  }

  /** The query plan. It reveals table names, so it is for operators only. */
  explain(compileWith: CompileWith): Promise<Plan> {
    return this.#access.use((store) => store.explain(compileWith));
  }

  /** Stores a part of a snapshot, which is not visible yet; durable when it resolves. */
  stageResources(account: string, id: SnapshotId, part: SnapshotPart): Promise<readonly string[]> {
    return this.#access.use((store) => store.stageResources(account, id, part));
  }

  /** The numbers of the parts of a snapshot that are stored. */
  async stagedParts(account: string, id: SnapshotId): Promise<number[]> {
    if (!(await this.#access.opened())) return [];
    return this.#access.use((store) => store.stagedParts(account, id));
  }

  /** Makes a snapshot visible as a whole, or notes why there is none. */
  async finishSnapshot(account: string, id: SnapshotId, end: SnapshotEnd): Promise<SnapshotEffect> {
    const effect = await this.#access.use((store) => store.finishSnapshot(account, id, end));
    this.#resourcesStored();
    return effect;
  }

  /** Calls the listener whenever a snapshot has been stored. */
  onResources(listener: () => void): void {
    this.#resourcesStored = listener;
  }

  /** Current searches of users. */
  get searches(): { readonly running: number; readonly waiting: number; readonly sending: number } {
    const { running, waiting, detached: sending } = this.#searches;
    return { running, waiting, sending };
  }

  /** Current queries of the service itself: evaluations, cloud activities. */
  get ownQueries(): { readonly running: number; readonly waiting: number } {
    const { running, waiting } = this.#ownQueries;
    return { running, waiting };
  }

  /** Removes the data of a deleted account, unless a restore has brought it back. */
  async deleteAccount(account: string): Promise<void> {
    if (!(await this.#access.opened())) return;
    await this.#maintenanceLock.runShared(() =>
      this.#access.use(async (store) => {
        const query = this.#control.read.selectFrom('accounts').select('id').where('id', '=', account);
        if (!(await query.executeTakeFirst())) await store.deleteAccount(account);
      }),
    );
  }

  deleteExpired(): Promise<void> {
    return this.#cursors.deleteExpired();
  }

  /** Drops days whose records are all older than the instant. */
  deleteBefore(instant: number): Promise<void> {
    return this.#maintain((store) => store.deleteBefore(instant));
  }

  /** Compacts past days. */
  compact(): Promise<void> {
    return this.#maintain((store) => store.compact());
  }

  /** Reads all stored data and reports damaged files. */
  async verify(progress: VerificationProgress, signal: AbortSignal): Promise<FileCheck[]> {
    if (!(await this.#access.opened())) return [];
    return this.#access.use((store) => store.verify(progress, signal));
  }

  keepWithinCap(): Promise<void> {
    return this.#maintain((store) => store.keepWithinCap());
  }

  async diskUse(): Promise<DiskUse> {
    const store = await this.#access.opened();
    if (store) return { used: store.bytesOnDisk(), spilled: store.spilled(), ...(await store.freeSpace()) };
    return { used: 0, spilled: 0, free: (await spaceOf(this.#directory)).free, reserved: 0 };
  }

  /** The reason if batches are refused because the disk is full; searches still work. */
  async diskReadiness(): Promise<string | undefined> {
    const { free, reserved } = await this.diskUse();
    if (free >= reserved) return undefined;
    return `The disk of telemetry is full: ${formatSize(free)} are free and ${formatSize(reserved)} are reserved. Batches are refused.`;
  }

  /** Suspends removals while the work runs, so that it can read a consistent snapshot. */
  withoutRemovals<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#maintenanceLock.runExclusive(async () => {
      const store = await this.#access.opened();
      return store ? store.withoutRemovals(work) : work();
    });
  }

  /** A snapshot of these accounts' data, to be read within `withoutRemovals`; undefined if there is none. */
  async holdings(accounts: ReadonlySet<string>): Promise<BackupSource | undefined> {
    return (await this.#access.opened())?.holdings(accounts);
  }

  /** An empty store for records that will replace all current ones. */
  replacement(): Promise<ReplacementStore> {
    return this.#access.replacement();
  }

  /** Puts a completed replacement in place together with the commit of the control store. */
  swapIn<Result>(
    replacement: ReplacementStore,
    commit: (markRestore: MarkRestore) => Promise<Result>,
  ): Promise<Result> {
    // Waits for maintenance first, which may take minutes, without blocking searches and batches.
    return this.#maintenanceLock.runExclusive(() => this.#access.swapIn(replacement, commit));
  }

  close(): Promise<void> {
    return this.#access.close();
  }

  /** Skipped during a backup or restore, and done the next time. */
  async #maintain(work: (store: TelemetryStore) => Promise<void>): Promise<void> {
    if (this.#maintenanceLock.isExclusive || !(await this.#access.opened())) return;
    await this.#maintenanceLock.runShared(() => this.#access.use(work));
  }
}

function fieldsIn(store: TelemetryStore, dataset: TelemetryDataset, account: string): Fields {
  const undeclared = [...store.undeclaredMembers(account, dataset.path)];
  const columns = Object.fromEntries(undeclared.map((name) => [name, { type: 'json' as const }]));
  return { columns: { ...columns, ...fieldsOf(dataset).columns } };
}

function searchIn(
  store: TelemetryStore,
  dataset: TelemetryDataset,
  account: string,
  { range, filters: bodies, returns, partial, asOf }: SearchQuery,
  upTo: number,
): RecordSearch {
  const filters = readFilters(bodies, fieldsIn(store, dataset, account));
  return { dataset, account, range, filters, upTo, returns, partial, asOf };
}
