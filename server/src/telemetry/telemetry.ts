import { readdirSync } from 'node:fs';
import type { ControlStore } from '../control/store.ts';
import { createDataDirectory } from '../platform/data-directory.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Fields } from '../search/dataset.ts';
import { readFilter } from '../search/filter.ts';
import { Admission } from './admission.ts';
import { Cursors, type Question } from './cursor.ts';
import type { TelemetryDataset } from './dataset.ts';
import type { DuckStoreParts } from './duckdb/duck-store.ts';
import type { Page } from './duckdb/reader.ts';
import type { Wanted } from './duckdb/scope.ts';
import { spaceOf } from './file-system.ts';
import { Intake } from './intake.ts';
import { fieldsOf } from './record-form.ts';
import { mostRows, type TelemetryStore } from './store.ts';

export interface TelemetryParts extends DuckStoreParts {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  /** Seconds that a search may wait for its turn, and then run. */
  readonly searchSeconds: number;
  /** Fewer than clients get, so that a test has many pages with little data. */
  readonly rowsOfPage?: number;
}

/** Bytes that telemetry takes, and bytes that are free beside it. */
export interface DiskUse {
  readonly taken: number;
  readonly free: number;
}

/** One page of an answer. */
export interface AnswerPage {
  /** The records as JSON text with commas between, in UTF-8. */
  readonly text: Uint8Array;
  readonly rows: number;
  readonly totalRows: number;
  /** What asks for the page after it. */
  readonly next: string | undefined;
}

const usualRowsOfPage = 5_000;
/** Each keeps two statements busy; sixteen at once would take seconds each. */
const searchesAtOnce = 3;
const mostWaitingSearches = 64;

/** What agents and clouds report: taken in, kept and searched. */
export class Telemetry {
  readonly intake: Intake;
  readonly #parts: TelemetryParts;
  readonly #cursors: Cursors;
  readonly #rowsOfPage: number;
  readonly #admission: Admission;
  #opened: Promise<TelemetryStore> | undefined;

  private constructor(parts: TelemetryParts) {
    this.#parts = parts;
    this.#cursors = new Cursors(parts);
    this.#rowsOfPage = parts.rowsOfPage ?? usualRowsOfPage;
    this.#admission = new Admission({
      atOnce: searchesAtOnce,
      mostWaiting: mostWaitingSearches,
      seconds: parts.searchSeconds,
    });
    this.intake = new Intake({ store: async (batch) => (await this.#store()).store(batch) });
  }

  /** The engine takes a third of a second and fifty megabytes, so a server that has no telemetry yet goes without. */
  static async open(parts: TelemetryParts): Promise<Telemetry> {
    createDataDirectory(parts.directory);
    const telemetry = new Telemetry(parts);
    if (readdirSync(parts.directory).length > 0) await telemetry.#store();
    return telemetry;
  }

  /** What the account can search a dataset by: the declared members, and those that its records had besides. */
  async fieldsFor(dataset: TelemetryDataset, account: string): Promise<Fields> {
    const further = [...(await this.#store()).furtherMembers(account, dataset.path)];
    const columns = Object.fromEntries(further.map((name) => [name, { type: 'json' as const }]));
    return { columns: { ...columns, ...fieldsOf(dataset).columns } };
  }

  async search(
    dataset: TelemetryDataset,
    account: string,
    question: Question,
    abandoned?: AbortSignal,
  ): Promise<AnswerPage> {
    const store = await this.#store();
    const wanted = await this.#wanted(dataset, account, question, store.lastSequence());
    const read = (signal: AbortSignal) => store.first(wanted, this.#rowsOfPage, signal);
    const page = await this.#admission.run(account, read, abandoned);
    return this.#answer(wanted, question, page, page.rows, page.total);
  }

  async nextPage(
    dataset: TelemetryDataset,
    account: string,
    cursorText: string,
    abandoned?: AbortSignal,
  ): Promise<AnswerPage> {
    const cursor = await this.#cursors.read(cursorText, dataset.path, account);
    const store = await this.#store();
    const wanted = await this.#wanted(dataset, account, cursor.question, cursor.upTo);
    const rows = Math.min(this.#rowsOfPage, mostRows - cursor.shown);
    const read = (signal: AbortSignal) => store.next(wanted, cursor.after, rows, signal);
    const page = await this.#admission.run(account, read, abandoned);
    return this.#answer(wanted, cursor.question, page, cursor.shown + page.rows, cursor.total);
  }

  /** Searches at this moment. */
  get searches(): { readonly running: number; readonly waiting: number } {
    const { running, waiting } = this.#admission;
    return { running, waiting };
  }

  async forgetAccount(account: string): Promise<void> {
    await (await this.#opened)?.forgetAccount(account);
  }

  forgetExpired(): Promise<void> {
    return this.#cursors.forgetExpired();
  }

  /** Gives back the disk of days on which nothing arrived that is newer than the moment. */
  async forgetBefore(moment: number): Promise<void> {
    await (await this.#opened)?.forgetBefore(moment);
  }

  /** Puts what arrived on days that are over into its lasting form. */
  async tidy(): Promise<void> {
    await (await this.#opened)?.tidy();
  }

  async keepWithinCap(): Promise<void> {
    await (await this.#opened)?.keepWithinCap();
  }

  async diskUse(): Promise<DiskUse> {
    const store = await this.#opened;
    return { taken: store?.bytesOnDisk() ?? 0, free: (await spaceOf(this.#parts.directory)).free };
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }

  #store(): Promise<TelemetryStore> {
    this.#opened ??= import('./duckdb/duck-store.ts')
      .then(({ openDuckStore }) => openDuckStore(this.#parts))
      .catch((error: unknown) => {
        // The next one tries again: a disk that was full may have room by then.
        this.#opened = undefined;
        throw error;
      });
    return this.#opened;
  }

  async #answer(
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
      : await this.#cursors.write({ path, account, question, upTo, after: last, shown, total });
    return { text, rows, totalRows: total, next };
  }

  async #wanted(
    dataset: TelemetryDataset,
    account: string,
    { range, filters: bodies, returns }: Question,
    upTo: number,
  ): Promise<Wanted> {
    const fields = await this.fieldsFor(dataset, account);
    const filters = bodies.map((body, index) => readFilter(body, `filters[${index}]`, fields));
    return { dataset, account, range, filters, upTo, returns };
  }
}
