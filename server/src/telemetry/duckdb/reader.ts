import { mostRows } from '../store.ts';
import { pathOf } from './columns.ts';
import { type Engine, quoted } from './engine.ts';
import { endOf, order, type Place, type Scope, sourceOf, type Wanted } from './scope.ts';
import type { Segment } from './segment.ts';
import type { Segments } from './segments.ts';
import type { Sql } from './sql.ts';
import { Survey } from './survey.ts';

export interface Page {
  /** The records as JSON text with commas between. */
  readonly text: string;
  readonly rows: number;
  /** Of the last record; undefined in an empty page. */
  readonly last: Place | undefined;
}

export interface FirstPage extends Page {
  /** Records of all pages, counted up to the most that pages show. */
  readonly total: number;
}

/** Records that a survey has counted already, and where the others are. */
interface Bounds {
  readonly from: number | undefined;
  readonly counted: number;
  readonly uncounted: readonly Segment[];
}

const nothing: Page = { text: '', rows: 0, last: undefined };

/**
 * Reads pages by keyset, so that the hundredth costs what the second does. What is dear is the text of documents, so a
 * survey of narrow columns finds out first how far back a page has to look.
 */
export class Reader {
  readonly #engine: Engine;
  readonly #segments: Segments;

  constructor(engine: Engine, segments: Segments) {
    this.#engine = engine;
    this.#segments = segments;
  }

  /** The first page, and how many records there are; what the survey left uncounted is counted beside the page. */
  first(wanted: Wanted, rows: number): Promise<FirstPage> {
    return this.#segments.reading(async () => {
      const scope = this.#scope(wanted, undefined);
      const { from, counted, uncounted } = await this.#bounds(scope, rows);
      const [page, rest] = await Promise.all([
        this.#page({ ...scope, from }, rows),
        this.#count({ ...scope, segments: uncounted }),
      ]);
      return { ...page, total: Math.min(counted + rest, mostRows) };
    });
  }

  /** The page after a place. */
  next(wanted: Wanted, after: Place, rows: number): Promise<Page> {
    return this.#segments.reading(async () => {
      const scope = this.#scope(wanted, after);
      const { from } = await this.#bounds(scope, rows);
      return this.#page({ ...scope, from }, rows);
    });
  }

  #scope(wanted: Wanted, after: Place | undefined): Scope {
    const { dataset, range } = wanted;
    const segments = this.#segments.covering(dataset.path, range.start, endOf({ range, after }));
    return { ...wanted, after, segments };
  }

  /**
   * How far back a page has to look. The newest segment tells: it fills the page, or there is so little that all of the
   * range is needed, or the other segments have to be surveyed, too.
   */
  async #bounds(scope: Scope, rows: number): Promise<Bounds> {
    const [newest, ...older] = scope.segments;
    const isDerived = scope.dataset.search?.newestPer !== undefined;
    if (!newest || isDerived) return { from: undefined, counted: 0, uncounted: scope.segments };
    const survey = new Survey(scope.range);
    await this.#survey({ ...scope, segments: [newest] }, survey);
    const fillsPage = survey.total >= rows;
    const isOnePage = survey.total * scope.segments.length < rows;
    if (fillsPage || isOnePage || older.length === 0) {
      return { from: survey.startOfNewest(rows), counted: survey.total, uncounted: older };
    }
    await this.#survey({ ...scope, segments: older }, survey);
    return { from: survey.startOfNewest(rows), counted: survey.total, uncounted: [] };
  }

  async #survey(scope: Scope, survey: Survey): Promise<void> {
    const source = sourceOf(scope);
    const text = `select ${survey.sliceSql('t')} as slice, count(*) as count from ${source.sql} group by slice`;
    for (const { slice, count } of await this.#read(text, source)) survey.add(Number(slice), Number(count));
  }

  async #page(scope: Scope, rows: number): Promise<Page> {
    const { dataset, from = scope.range.start, returns } = scope;
    const segments = scope.segments.filter((segment) => segment.covers(dataset.path, from, endOf(scope)));
    if (segments.length === 0) return nothing;
    const source = sourceOf({ ...scope, segments });
    const text = `select string_agg(${shownSql(returns)}, ',' order by ${order}) as text, count(*) as count,
      min({'t': t, 'seq': seq, 'n': n}) as last
      from (select t, seq, n, doc from ${source.sql} order by ${order} limit ${rows})`;
    const [row] = await this.#read(text, source);
    if (!row?.last) return nothing;
    const { t, seq, n } = (row.last as { entries: Record<keyof Place, bigint> }).entries;
    return {
      text: row.text as string,
      rows: Number(row.count),
      last: { t: Number(t), seq: Number(seq), n: Number(n) },
    };
  }

  /** How many records there are, counted up to the most that pages show. */
  async #count(scope: Scope): Promise<number> {
    if (scope.segments.length === 0) return 0;
    const source = sourceOf(scope);
    const text = `select count(*) as count from (select 1 from ${source.sql} limit ${mostRows})`;
    const [row] = await this.#read(text, source);
    return Number(row?.count ?? 0);
  }

  async #read(text: string, { parameters, types }: Sql) {
    const result = await this.#engine.use((connection) =>
      connection.runAndReadAll(text, [...parameters], [...types]),
    );
    return result.getRowObjects();
  }
}

/** The record as it came, or the members of it that are asked for; what it lacks is left out. */
function shownSql(returns: readonly string[] | undefined): string {
  if (!returns) return 'doc';
  const members = returns.map((name) => {
    const key = quoted(`${JSON.stringify(name)}:`);
    return `${key} || json_extract(doc, ${quoted(pathOf([name]))})`;
  });
  return `'{' || concat_ws(',', ${members.join(', ')}) || '}'`;
}
