import type { StreamedBuffer } from '../platform/streamed-buffer.ts';
import type { FilterBody } from './filter.ts';
import type { TimeRange } from './time-range.ts';

/** The search as the first page parsed it. */
export interface SearchQuery {
  readonly range: TimeRange;
  readonly filters: readonly FilterBody[];
  readonly returns: readonly string[] | undefined;
  /** Whether damaged days are omitted instead of failing the search. */
  readonly partial?: boolean;
  /** When the search began, if its result depends on it: the same on all pages. */
  readonly asOf?: number;
  /** For a search of resources: the provider. */
  readonly provider?: string;
}

/** One page of a search result. */
export interface ResultPage {
  /** The records as JSON separated by commas, in UTF-8. */
  readonly text: StreamedBuffer;
  readonly rows: number;
  readonly totalRows: number;
  /** Cursor of the next page. */
  readonly next: string | undefined;
  /** Days omitted because they are damaged. */
  readonly missingDays?: readonly string[];
}

export const maxPageRows = 5_000;

/** Maximum number of records over all pages of a search; counting stops there too. */
export const maxRows = 500_000;

/** The records of a page as a JSON array. */
export function jsonArray({ text }: Pick<ResultPage, 'text'>): string {
  return `[${Buffer.concat(text.chunks).toString('utf8')}]`;
}
