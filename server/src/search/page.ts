import type { StreamedBuffer } from '../platform/streamed-buffer.ts';
import type { FilterBody } from './filter.ts';
import type { TimeRange } from './time-range.ts';

/** What was asked for, as the first page understood it. */
export interface Question {
  readonly range: TimeRange;
  readonly filters: readonly FilterBody[];
  readonly returns: readonly string[] | undefined;
  /** Whether days that are damaged are left out rather than an error. */
  readonly partial?: boolean;
}

/** One page of an answer. */
export interface AnswerPage {
  /** The records as JSON text with commas between, in UTF-8. */
  readonly text: StreamedBuffer;
  readonly rows: number;
  readonly totalRows: number;
  /** What asks for the page after it. */
  readonly next: string | undefined;
  /** Days that were left out because they are damaged. */
  readonly missingDays?: readonly string[];
}

export const rowsOfPage = 5_000;

/** Records of all pages of a search together; counting stops there, too. */
export const mostRows = 500_000;

/** The records of a page as one JSON array, for those who look into them. */
export function arrayText({ text }: Pick<AnswerPage, 'text'>): string {
  return `[${Buffer.concat(text.chunks).toString('utf8')}]`;
}
