import type { ControlStore } from '../control/store.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Fields } from '../search/dataset.ts';
import { readFilter } from '../search/filter.ts';
import { Admission } from './admission.ts';
import { Cursors, type Question } from './cursor.ts';
import type { TelemetryDataset } from './dataset.ts';
import { Door } from './door.ts';
import type { Page, Wanted } from './duckdb/reader.ts';
import { Intake } from './intake.ts';
import { fieldsOf } from './record-form.ts';
import { type Holdings, mostRows, type Successor, type TelemetryStore } from './store.ts';
import { type Mark, StoreAccess, type StoreParts } from './store-access.ts';

export interface TelemetryParts extends StoreParts {
  readonly keyring: Keyring;
}

/** One page of an answer. */
export interface AnswerPage {
  /** The records as JSON text with commas between. */
  readonly text: string;
  readonly rows: number;
  readonly totalRows: number;
  /** What asks for the page after it. */
  readonly next: string | undefined;
}

const rowsOfPage = 5_000;
/** Each keeps two statements busy; sixteen at once would take seconds each. */
const searchesAtOnce = 3;
const mostWaitingSearches = 64;

/** What agents and clouds report: taken in, kept and searched. */
export class Telemetry {
  readonly intake: Intake;
  readonly #access: StoreAccess;
  readonly #control: ControlStore;
  readonly #cursors: Cursors;
  readonly #admission = new Admission(searchesAtOnce, mostWaitingSearches);
  /** Where whatever removes records goes through; shut while a backup reads them. */
  readonly #removal = new Door('A backup is being taken: nothing is removed until it is done.');

  private constructor(access: StoreAccess, parts: TelemetryParts) {
    this.#access = access;
    this.#control = parts.store;
    this.#cursors = new Cursors(parts);
    this.intake = new Intake({ store: (batch) => access.use((store) => store.store(batch)) });
  }

  static async open(parts: TelemetryParts): Promise<Telemetry> {
    return new Telemetry(await StoreAccess.open(parts), parts);
  }

  /** What the account can search a dataset by: the declared members, and those that its records had besides. */
  fieldsFor(dataset: TelemetryDataset, account: string): Promise<Fields> {
    return this.#access.use(async (store) => fieldsIn(store, dataset, account));
  }

  /** The first page; page and total are read side by side. */
  search(dataset: TelemetryDataset, account: string, question: Question): Promise<AnswerPage> {
    return this.#access.use(async (store) => {
      const wanted = wantedIn(store, dataset, account, question, store.lastSequence());
      const [page, total] = await this.#admission.run(account, () =>
        Promise.all([store.page(wanted, undefined, rowsOfPage), store.count(wanted)]),
      );
      return this.#answer(store, wanted, question, page, page.rows, total);
    });
  }

  nextPage(dataset: TelemetryDataset, account: string, cursorText: string): Promise<AnswerPage> {
    return this.#access.use(async (store) => {
      const { path } = dataset;
      const cursor = await this.#cursors.read(cursorText, { path, account, epoch: store.epoch });
      const wanted = wantedIn(store, dataset, account, cursor.question, cursor.upTo);
      const rows = Math.min(rowsOfPage, mostRows - cursor.shown);
      const page = await this.#admission.run(account, () => store.page(wanted, cursor.after, rows));
      return this.#answer(store, wanted, cursor.question, page, cursor.shown + page.rows, cursor.total);
    });
  }

  /** Removes what a deleted account reported, unless a restore has brought the account back. */
  async forgetAccount(account: string): Promise<void> {
    if (!this.#access.isOpen) return;
    await this.#removal.pass(() =>
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
  async forgetBefore(moment: number): Promise<void> {
    if (!this.#access.isOpen || this.#removal.isShut) return;
    await this.#removal.pass(() => this.#access.use((store) => store.forgetBefore(moment)));
  }

  /** While the work runs nothing is removed, so that it can read at its own pace what there was at one moment. */
  keepingAll<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#removal.shutDuring(work);
  }

  /** What there is of these accounts now, to be read while everything is kept; undefined when there is nothing. */
  holdings(accounts: ReadonlySet<string>): Promise<Holdings | undefined> {
    return this.#access.holdings(accounts);
  }

  /** An empty place for records that are to take the place of all others. */
  successor(): Promise<Successor> {
    return this.#access.successor();
  }

  /** Puts a successor that is ready in place together with what the control store commits. */
  succeed<Result>(successor: Successor, commit: (mark: Mark) => Promise<Result>): Promise<Result> {
    return this.#access.succeed(successor, commit);
  }

  close(): Promise<void> {
    return this.#access.close();
  }

  async #answer(
    { epoch }: TelemetryStore,
    { dataset: { path }, account, upTo }: Wanted,
    question: Question,
    { text, rows, last }: Page,
    shown: number,
    total: number,
  ): Promise<AnswerPage> {
    // Never a next page after an empty one: a client divides by the rows of a page.
    const isLast = last === undefined || shown >= total;
    const next = isLast
      ? undefined
      : await this.#cursors.write({ path, account, question, epoch, upTo, after: last, shown, total });
    return { text, rows, totalRows: total, next };
  }
}

function fieldsIn(store: TelemetryStore, dataset: TelemetryDataset, account: string): Fields {
  const further = [...store.furtherMembers(account, dataset.path)];
  const columns = Object.fromEntries(further.map((name) => [name, { type: 'json' as const }]));
  return { columns: { ...columns, ...fieldsOf(dataset).columns } };
}

function wantedIn(
  store: TelemetryStore,
  dataset: TelemetryDataset,
  account: string,
  { range, filters: bodies, returns }: Question,
  upTo: number,
): Wanted {
  const fields = fieldsIn(store, dataset, account);
  const filters = bodies.map((body, index) => readFilter(body, `filters[${index}]`, fields));
  return { dataset, account, range, filters, upTo, returns };
}
