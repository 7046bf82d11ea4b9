import type { StreamedBuffer } from '../platform/streamed-buffer.ts';

/** The place of a record in the order of answers: newest first, then the latest batch, then its last record. */
export interface Place {
  readonly t: number;
  readonly seq: number;
  readonly n: number;
}

export interface Page {
  /** The records as JSON text with commas between, in UTF-8: it is never made into a string on its way. */
  readonly text: StreamedBuffer;
  readonly rows: number;
  /** Of the last record; undefined in an empty page. */
  readonly last: Place | undefined;
  /** Days that were left out because they are damaged. */
  readonly missingDays?: readonly string[];
}

export interface FirstPage extends Page {
  /** Records of all pages, counted up to the most that pages show. */
  readonly total: number;
}
