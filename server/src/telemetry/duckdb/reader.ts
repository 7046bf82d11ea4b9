import { mostRows } from '../store.ts';
import { pathOf } from './columns.ts';
import { type Engine, quoted } from './engine.ts';
import { endOf, order, type Place, type Scope, sourceOf, type Wanted } from './scope.ts';
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

  /** The first page, and how many records there are. */
  first(wanted: Wanted, rows: number): Promise<FirstPage> {
    return this.#segments.reading(async () => {
      const { page, total } = await this.#read(wanted, undefined, rows);
      return { ...page, total: Math.min(total, mostRows) };
    });
  }

  /** The page after a place. */
  next(wanted: Wanted, after: Place, rows: number): Promise<Page> {
    return this.#segments.reading(async () => (await this.#read(wanted, after, rows)).page);
  }

  async #read(
    wanted: Wanted,
    after: Place | undefined,
    rows: number,
  ): Promise<{ page: Page; total: number }> {
    const scope = this.#scope(wanted, after);
    if (scope.segments.length === 0) return { page: nothing, total: 0 };
    const survey = await this.#survey(scope);
    const page =
      survey.total === 0 ? nothing : await this.#page({ ...scope, from: survey.startOfNewest(rows) }, rows);
    return { page, total: survey.total };
  }

  #scope(wanted: Wanted, after: Place | undefined): Scope {
    const { dataset, range } = wanted;
    const segments = this.#segments.covering(dataset.path, range.start, endOf({ range, after }));
    return { ...wanted, after, segments };
  }

  async #survey(scope: Scope): Promise<Survey> {
    const survey = new Survey(scope.range);
    const source = sourceOf(scope);
    const text = `select ${survey.sliceSql('t')} as slice, count(*) as count from ${source.sql} group by slice`;
    for (const { slice, count } of await this.#rows(text, source)) survey.add(Number(slice), Number(count));
    return survey;
  }

  async #page(scope: Scope, rows: number): Promise<Page> {
    const { dataset, from = scope.range.start, returns } = scope;
    const segments = scope.segments.filter((segment) => segment.covers(dataset.path, from, endOf(scope)));
    const source = sourceOf({ ...scope, segments });
    const text = `select string_agg(${shownSql(returns)}, ',' order by ${order}) as text, count(*) as count,
      min({'t': t, 'seq': seq, 'n': n}) as last
      from (select t, seq, n, doc from ${source.sql} order by ${order} limit ${rows})`;
    const [row] = await this.#rows(text, source);
    if (!row?.last) return nothing;
    const { t, seq, n } = (row.last as { entries: Record<keyof Place, bigint> }).entries;
    return {
      text: row.text as string,
      rows: Number(row.count),
      last: { t: Number(t), seq: Number(seq), n: Number(n) },
    };
  }

  async #rows(text: string, { parameters, types }: Sql) {
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
