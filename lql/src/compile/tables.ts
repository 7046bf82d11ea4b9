import type { Column, Datasource } from '../catalogue/catalogue.ts';

/** What a statement may be given besides its text. */
export type Bound = string | bigint | number | boolean;

/** Adds a parameter and returns its place in the text. Nothing else of a query or a caller becomes part of the text. */
export type Bind = (value: Bound) => string;

/** What a query may see, wherever it reads: the rows of one account, in a range of time from start to before end. */
export interface Bounds {
  readonly account: string;
  readonly start: number;
  readonly end: number;
}

export interface Reading {
  readonly datasource: Datasource;
  /** Those that the query needs; there may be none. */
  readonly columns: readonly Column[];
  readonly bounds: Bounds;
  readonly bind: Bind;
}

/**
 * Datasources as an engine has them, and the only way from a query to rows. Columns are named by their quoted names: texts
 * for String, whole numbers or doubles for Number, epoch milliseconds for Timestamp, JSON text for Json.
 */
export interface Tables {
  /** A SELECT of exactly these columns, of the rows in the bounds. */
  rows(reading: Reading): string;
}
