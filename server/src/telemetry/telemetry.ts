import { Cursors } from '../control/cursor.ts';
import type { ControlStore } from '../control/store.ts';
import { Refusal } from '../platform/errors.ts';
import { FairQueue } from '../platform/fair-queue.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Fields } from '../search/dataset.ts';
import { readFilters } from '../search/filter.ts';
import { type AnswerPage, mostRows, type Question, rowsOfPage } from '../search/page.ts';
import { type Chunks, chunks } from './chunks.ts';
import type { CompileWith, Plan } from './compiled-query.ts';
import type { TelemetryDataset } from './dataset.ts';
import type { FreeSpace } from './file-system.ts';
import { sizeText, spaceOf } from './file-system.ts';
import { Intake } from './intake.ts';
import { MaintenanceLock } from './maintenance-lock.ts';
import type { Page, Place } from './page.ts';
import { fieldsOf } from './record-form.ts';
import type { RecordSearch } from './record-search.ts';
import type { ResourceSnapshot, SnapshotEffect } from './resource.ts';
import type {
  ArrivalCursor,
  ArrivalHour,
  Arrivals,
  Holdings,
  ReplacementStore,
  TelemetryStore,
} from './store.ts';
import { type Mark, StoreAccess, type StoreDeps } from './store-access.ts';
import type { FileCheck, VerificationProgress } from './verification.ts';

export interface TelemetryDeps extends StoreDeps {
  readonly keyring: Keyring;
  /** Seconds that a search may wait for its turn, and then run. */
  readonly searchSeconds: number;
  /** Fewer than clients get, so that a test has many pages with little data. */
  readonly rowsOfPage?: number;
}

/** Bytes that telemetry takes, that are free beside it, and that must be free before it takes more. */
export interface DiskUse extends FreeSpace {
  readonly taken: number;
  /** The part of it that holds intermediate results of searches. */
  readonly spilled: number;
}

/** Each keeps two statements busy; sixteen at once would take seconds each. One account runs all but one of them. */
const searchesAtOnce = 4;
/** Policies that are evaluated at once, and one query of an account of which none is. */
const ownQueriesAtOnce = 5;
const mostWaitingSearches = 64;
const mostWaitingOfAccount = 32;
/** Each may keep much on the disk. */
const mostAnswersBeingRead = 16;

/** Who asks, and whom it may keep waiting: people, or the service itself. */
export type Lane = 'people' | 'service';

/** What agents and clouds report: taken in, kept and searched. */
export class Telemetry {
  readonly intake: Intake;
  readonly #access: StoreAccess;
  readonly #control: ControlStore;
  readonly #directory: string;
  readonly #cursors: Cursors<Place>;
  readonly #rowsOfPage: number;
  readonly #searches: FairQueue;
  readonly #ownQueries: FairQueue;
  /** Snapshots that changed something since the start, by account. */
  readonly #resourceChanges = new Map<string, number>();
  /** Where whatever removes or rewrites records goes through; shut while others count on them. */
  readonly #upkeep = new MaintenanceLock(
    'A backup is being taken or restored: nothing is removed until that is done.',
  );

  private constructor(access: StoreAccess, deps: TelemetryDeps) {
    this.#access = access;
    this.#control = deps.store;
    this.#directory = deps.directory;
    this.#cursors = new Cursors(deps);
    this.#rowsOfPage = deps.rowsOfPage ?? rowsOfPage;
    const bounds = {
      noun: 'search',
      waiting: mostWaitingSearches,
      waitingPerAccount: mostWaitingOfAccount,
      detached: mostAnswersBeingRead,
      seconds: deps.searchSeconds,
    };
    this.#searches = new FairQueue({ ...bounds, concurrency: searchesAtOnce });
    this.#ownQueries = new FairQueue({ ...bounds, concurrency: ownQueriesAtOnce });
    this.intake = new Intake({ store: (batch) => access.use((store) => store.store(batch)) }, deps.clock);
  }

  static async open(deps: TelemetryDeps): Promise<Telemetry> {
    return new Telemetry(await StoreAccess.open(deps), deps);
  }

  /** What the account can search a dataset by: the declared members, and those that its records had besides. */
  fieldsFor(dataset: TelemetryDataset, account: string): Promise<Fields> {
    return this.#access.use(async (store) => fieldsIn(store, dataset, account));
  }

  search(
    dataset: TelemetryDataset,
    account: string,
    question: Question,
    abandoned?: AbortSignal,
  ): Promise<AnswerPage> {
    return this.#access.use(async (store) => {
      const wanted = wantedIn(store, dataset, account, question, store.lastSequence());
      const read = (signal: AbortSignal) => store.first(wanted, this.#rowsOfPage, signal);
      const page = await this.#searches.run(account, read, abandoned);
      return this.#answer(store, wanted, question, page, page.rows, page.total);
    });
  }

  nextPage(
    dataset: TelemetryDataset,
    account: string,
    cursorText: string,
    abandoned?: AbortSignal,
  ): Promise<AnswerPage> {
    return this.#access.use(async (store) => {
      const { path } = dataset;
      const cursor = await this.#cursors.read(cursorText, { path, account, epoch: store.epoch });
      const wanted = wantedIn(store, dataset, account, cursor.question, cursor.upTo);
      const rows = Math.min(this.#rowsOfPage, mostRows - cursor.shown);
      const read = (signal: AbortSignal) => store.next(wanted, cursor.after, rows, signal);
      const page = await this.#searches.run(account, read, abandoned);
      return this.#answer(store, wanted, cursor.question, page, cursor.shown + page.rows, cursor.total);
    });
  }

  /**
   * The rows of a query as JSON texts with commas between, in pieces. It is compiled when its turn comes, and what it
   * reads stays until the last piece was taken or nobody takes one any more.
   */
  query(account: string, compileWith: CompileWith, abandoned?: AbortSignal, lane: Lane = 'people'): Chunks {
    const queue = lane === 'people' ? this.#searches : this.#ownQueries;
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

  /** The number of the last batch that may have brought records of the account and dataset; 0 when none has. */
  async lastBatch(account: string, path: string): Promise<number> {
    return (await this.#access.opened())?.lastBatch(account, path) ?? 0;
  }

  /** The number of the first batch of the account that came at the instant or later; undefined when none has. */
  async firstBatchSince(account: string, since: number): Promise<number | undefined> {
    if (!(await this.#access.opened())) return undefined;
    return this.#access.use((store) => store.firstBatchSince(account, since));
  }

  /** Tells these records from those that a restore puts in their place; empty when none ever did. */
  async epoch(): Promise<string> {
    return (await this.#access.opened())?.epoch ?? '';
  }

  /** Records that came in an hour that is over, in pieces of some megabytes that are the same whenever they are read. */
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

  /** Whether anything was ever reported or searched; what reads all the time need not open the engine for nothing. */
  async isOpened(): Promise<boolean> {
    return (await this.#access.opened()) !== undefined;
  }

  /** How many snapshots changed the resources of the account since the start. */
  resourceChanges(account: string): number {
    return this.#resourceChanges.get(account) ?? 0;
  }

  /** What the engine would do for a query, which names whatever it reads: for operators only. */
  explain(compileWith: CompileWith): Promise<Plan> {
    return this.#access.use((store) => store.explain(compileWith));
  }

  /** Takes in all resources of one kind in one cloud account, as a collector found them. */
  async recordResources(snapshot: ResourceSnapshot): Promise<SnapshotEffect> {
    const effect = await this.#access.use((store) => store.recordResources(snapshot));
    const { account } = snapshot;
    if (effect.opened + effect.closed > 0)
      this.#resourceChanges.set(account, this.resourceChanges(account) + 1);
    return effect;
  }

  /** Searches of people at this moment. */
  get searches(): { readonly running: number; readonly waiting: number; readonly sending: number } {
    const { running, waiting, detached: sending } = this.#searches;
    return { running, waiting, sending };
  }

  /** Queries that the service asks for itself at this moment: evaluations, cloud activities. */
  get ownQueries(): { readonly running: number; readonly waiting: number } {
    const { running, waiting } = this.#ownQueries;
    return { running, waiting };
  }

  /** Removes what a deleted account reported, unless a restore has brought the account back. */
  async forgetAccount(account: string): Promise<void> {
    if (!(await this.#access.opened())) return;
    await this.#upkeep.pass(() =>
      this.#access.use(async (store) => {
        const query = this.#control.read.selectFrom('accounts').select('id').where('id', '=', account);
        if (!(await query.executeTakeFirst())) await store.forgetAccount(account);
      }),
    );
  }

  forgetExpired(): Promise<void> {
    return this.#cursors.forgetExpired();
  }

  /** Gives back the disk of days on which nothing arrived that is newer than the moment. */
  forgetBefore(instant: number): Promise<void> {
    return this.#maintain((store) => store.forgetBefore(instant));
  }

  /** Puts what arrived on days that are over into its lasting form. */
  tidy(): Promise<void> {
    return this.#maintain((store) => store.tidy());
  }

  /** Reads everything that is kept, and tells which files are damaged. */
  async verify(progress: VerificationProgress, signal: AbortSignal): Promise<FileCheck[]> {
    if (!(await this.#access.opened())) return [];
    return this.#access.use((store) => store.verify(progress, signal));
  }

  keepWithinCap(): Promise<void> {
    return this.#maintain((store) => store.keepWithinCap());
  }

  async diskUse(): Promise<DiskUse> {
    const store = await this.#access.opened();
    if (store) return { taken: store.bytesOnDisk(), spilled: store.spilled(), ...(await store.freeSpace()) };
    return { taken: 0, spilled: 0, free: (await spaceOf(this.#directory)).free, reserved: 0 };
  }

  /** Why nothing is taken in, where it is for the disk; searches are answered all the same. */
  async diskReadiness(): Promise<string | undefined> {
    const { free, reserved } = await this.diskUse();
    if (free >= reserved) return undefined;
    return `The disk of telemetry is full: ${sizeText(free)} are free and ${sizeText(reserved)} are reserved. Batches are refused.`;
  }

  /** While the work runs nothing is removed, so that it can read at its own pace what there was at one moment. */
  keepingAll<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#upkeep.shutDuring(async () => {
      const store = await this.#access.opened();
      return store ? store.keepingAll(work) : work();
    });
  }

  /** What there is of these accounts now, to be read while everything is kept; undefined when there is nothing. */
  async holdings(accounts: ReadonlySet<string>): Promise<Holdings | undefined> {
    return (await this.#access.opened())?.holdings(accounts);
  }

  /** An empty place for records that are to take the place of all others. */
  replacement(): Promise<ReplacementStore> {
    return this.#access.replacement();
  }

  /** Puts a replacement that is ready in place together with what the control store commits. */
  swapIn<Result>(replacement: ReplacementStore, commit: (mark: Mark) => Promise<Result>): Promise<Result> {
    // Upkeep may take minutes, which searches and batches need not wait for.
    return this.#upkeep.shutDuring(() => this.#access.swapIn(replacement, commit));
  }

  close(): Promise<void> {
    return this.#access.close();
  }

  /** What has to wait is done the next time. */
  async #maintain(work: (store: TelemetryStore) => Promise<void>): Promise<void> {
    if (this.#upkeep.isShut || !(await this.#access.opened())) return;
    await this.#upkeep.pass(() => this.#access.use(work));
  }

  async #answer(
    { epoch }: TelemetryStore,
    { dataset: { path }, account, upTo }: RecordSearch,
    question: Question,
    { text, rows, last, missingDays = [] }: Page,
    shown: number,
    total: number,
  ): Promise<AnswerPage> {
    // Never a next page after an empty one: a client divides by the rows of a page.
    const isLast = last === undefined || shown >= total;
    const next = isLast
      ? undefined
      : await this.#cursors.write({ path, account, question, epoch, upTo, after: last, shown, total });
    return { text, rows, totalRows: total, next, missingDays };
  }
}

function fieldsIn(store: TelemetryStore, dataset: TelemetryDataset, account: string): Fields {
  const further = [...store.undeclaredMembers(account, dataset.path)];
  const columns = Object.fromEntries(further.map((name) => [name, { type: 'json' as const }]));
  return { columns: { ...columns, ...fieldsOf(dataset).columns } };
}

function wantedIn(
  store: TelemetryStore,
  dataset: TelemetryDataset,
  account: string,
  { range, filters: bodies, returns, partial }: Question,
  upTo: number,
): RecordSearch {
  const fields = fieldsIn(store, dataset, account);
  return { dataset, account, range, filters: readFilters(bodies, fields), upTo, returns, partial };
}
