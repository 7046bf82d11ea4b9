import { join } from 'node:path';
import type { ControlStore } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { createDataDirectory } from '../platform/data-directory.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Fields } from '../search/dataset.ts';
import { readFilter } from '../search/filter.ts';
import { Admission } from './admission.ts';
import { Cursors, type Question } from './cursor.ts';
import type { TelemetryDataset } from './dataset.ts';
import { datasets } from './datasets.ts';
import { Engine, type EngineLimits } from './duckdb/engine.ts';
import { mostRows, Reader, type Wanted } from './duckdb/reader.ts';
import { Segments } from './duckdb/segments.ts';
import { Writer } from './duckdb/writer.ts';
import { Intake } from './intake.ts';
import { fieldsOf } from './record-form.ts';

export interface TelemetryParts {
  readonly directory: string;
  readonly limits: EngineLimits;
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly clock: Clock;
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
  readonly #engine: Engine;
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #cursors: Cursors;
  readonly #segments: Segments;
  readonly #admission: Admission;

  private constructor(engine: Engine, segments: Segments, parts: TelemetryParts) {
    this.#engine = engine;
    this.#writer = new Writer(engine, segments, parts.clock);
    this.#reader = new Reader(engine, segments);
    this.#cursors = new Cursors(parts);
    this.#segments = segments;
    this.#admission = new Admission(searchesAtOnce, mostWaitingSearches);
    this.intake = new Intake(this.#writer);
  }

  static async open(parts: TelemetryParts): Promise<Telemetry> {
    createDataDirectory(parts.directory);
    const engine = await Engine.open(parts.directory, parts.limits);
    return new Telemetry(engine, await Segments.open(engine, join(parts.directory, 'days'), datasets), parts);
  }

  /** What the account can search a dataset by: the declared members, and those that its records had besides. */
  fieldsFor(dataset: TelemetryDataset, account: string): Fields {
    const further = [...this.#segments.furtherMembers(account, dataset.path)];
    const columns = Object.fromEntries(further.map((name) => [name, { type: 'json' as const }]));
    return { columns: { ...columns, ...fieldsOf(dataset).columns } };
  }

  /** The first page; page and total are read side by side. */
  async search(dataset: TelemetryDataset, account: string, question: Question): Promise<AnswerPage> {
    const wanted = this.#wanted(dataset, account, question, this.#reader.lastSequence);
    const [page, total] = await this.#admission.run(account, () =>
      Promise.all([this.#reader.page(wanted, undefined, rowsOfPage), this.#reader.count(wanted)]),
    );
    return this.#answer(wanted, question, page, page.rows, total);
  }

  async nextPage(dataset: TelemetryDataset, account: string, cursorText: string): Promise<AnswerPage> {
    const cursor = await this.#cursors.read(cursorText, dataset.path, account);
    const wanted = this.#wanted(dataset, account, cursor.question, cursor.upTo);
    const rows = Math.min(rowsOfPage, mostRows - cursor.shown);
    const page = await this.#admission.run(account, () => this.#reader.page(wanted, cursor.after, rows));
    return this.#answer(wanted, cursor.question, page, cursor.shown + page.rows, cursor.total);
  }

  forgetAccount(account: string): Promise<void> {
    return this.#writer.forget(account);
  }

  forgetExpired(): Promise<void> {
    return this.#cursors.forgetExpired();
  }

  /** Gives back the disk of days on which nothing arrived that is newer than the moment. */
  async forgetBefore(moment: number): Promise<void> {
    await this.#segments.dropBefore(moment);
  }

  async close(): Promise<void> {
    await this.#writer.idle();
    this.#engine.close();
  }

  async #answer(
    { dataset: { path }, account, upTo }: Wanted,
    question: Question,
    { text, rows, last }: Awaited<ReturnType<Reader['page']>>,
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

  #wanted(
    dataset: TelemetryDataset,
    account: string,
    { range, filters: bodies, returns }: Question,
    upTo: number,
  ): Wanted {
    const fields = this.fieldsFor(dataset, account);
    const filters = bodies.map((body, index) => readFilter(body, `filters[${index}]`, fields));
    return { dataset, account, range, filters, upTo, returns };
  }
}
