import type { Column, Datasource } from '../catalogue/catalogue.ts';

/** What a statement may be given besides its text. */
export type Bound = string | bigint | number | boolean;

/** Adds a parameter and returns its place in the text. Nothing else of a query or a caller becomes part of the text. */
export type Bind = (value: Bound) => string;

/** Batches of records by the number that they got when they came in: from the one after `after` up to `upTo`. */
export interface Arrived {
  readonly after: number;
  readonly upTo: number;
}

/** What a query may see, wherever it reads: the rows of one account, in a range of time from start to before end. */
export interface Bounds {
  readonly account: string;
  readonly start: number;
  readonly end: number;
  /** Of what the query is about, its first source, the rows that came in these batches instead, whatever their time. */
  readonly arrived?: Arrived | undefined;
}

/** What lies in a Json column under keys. */
export interface Path {
  readonly column: string;
  readonly keys: readonly string[];
}

/**
 * How an engine has what lies under a path apart from its column, null where nothing or a null lies there: `String` where
 * all else is strings, `Number` where all else is whole numbers, `Text` where it is the text of whatever is there.
 */
export type Apart = 'String' | 'Number' | 'Text';

export interface PathColumn extends Path {
  readonly apart: Apart;
  /** The name that it has in the SELECT. */
  readonly as: string;
}

/** The items of a Json column, as the dialect has them when it takes a list apart. */
export interface ItemsColumn {
  readonly column: string;
  /** The name that they have in the SELECT. */
  readonly as: string;
}

export interface Reading {
  readonly datasource: Datasource;
  /** Those that the query needs; there may be none. */
  readonly columns: readonly Column[];
  /** Those of the paths of the query that `apart` knows. */
  readonly paths?: readonly PathColumn[];
  /** Those of the lists that the query takes apart that `hasItems` knows. */
  readonly items?: readonly ItemsColumn[];
  readonly bounds: Bounds;
  readonly bind: Bind;
}

/**
 * Datasources as an engine has them, and the only way from a query to rows. Columns are named by their quoted names: texts
 * for String, whole numbers or doubles for Number, epoch milliseconds for Timestamp, JSON text for Json.
 */
export interface Tables {
  /** A SELECT of exactly these columns, paths and items, of the rows in the bounds. */
  rows(reading: Reading): string;
  /**
   * Whether the rows have what lies under a path apart, so that no JSON has to be read for it. Asked once for a source, for
   * a query may have thousands of paths.
   */
  apart?(datasource: Datasource, bounds: Bounds): (path: Path) => Apart | undefined;
  /** Whether the rows have the items of a Json column, so that its JSON is not read a second time for them. */
  hasItems?(datasource: Datasource, column: string): boolean;
}
