import type { Place } from './scope.ts';

export interface Page {
  /** Pieces of the records as JSON text with commas between, in UTF-8: they are never made into a string on their way. */
  readonly texts: readonly Uint8Array[];
  readonly rows: number;
  /** Of the last record; undefined in an empty page. */
  readonly last: Place | undefined;
}

export interface FirstPage extends Page {
  /** Records of all pages, counted up to the most that pages show. */
  readonly total: number;
}
