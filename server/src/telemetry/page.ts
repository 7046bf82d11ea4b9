import type { StreamedBuffer } from '../platform/streamed-buffer.ts';

/** The sort position of a record: newest first, then the latest batch, then its last record. */
export interface RecordPosition {
  readonly t: number;
  readonly seq: number;
  readonly n: number;
}

export interface Page {
  /** The records as JSON separated by commas, in UTF-8; never converted to a string. */
  readonly text: StreamedBuffer;
  readonly rows: number;
  /** Position of the last record; undefined in an empty page. */
  readonly last: RecordPosition | undefined;
  /** Days omitted because they are damaged. */
  readonly missingDays?: readonly string[];
}

export interface FirstPage extends Page {
  /** Records of all pages, capped at the maximum that pages show. */
  readonly total: number;
}
