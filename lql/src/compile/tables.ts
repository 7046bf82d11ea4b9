import type { Column, Datasource } from '../catalogue/catalogue.ts';

/** Parameter value of a statement. */
export type Bound = string | bigint | number | boolean;

/** Adds a parameter and returns its placeholder. Query and caller input never enters the statement otherwise. */
export type Bind = (value: Bound) => string;

/** Range of batch sequence numbers, `after` exclusive, `upTo` inclusive. */
export interface ArrivalRange {
  readonly after: number;
  readonly upTo: number;
}

/** Resources of which something changed after a position: themselves, or the parts of them in other datasources. */
export interface ChangeRange {
  readonly after: number;
  /** The datasources of the changes. */
  readonly datasources: readonly string[];
}

/** Visible rows: one account, start inclusive, end exclusive. */
export interface Bounds {
  readonly account: string;
  readonly start: number;
  readonly end: number;
  /** Restricts the first source to rows of these batches instead of the time range. */
  readonly arrived?: ArrivalRange | undefined;
  /** Restricts the first source to changed resources. */
  readonly changed?: ChangeRange | undefined;
}

/** A path into a Json column. */
export interface Path {
  readonly column: string;
  readonly keys: readonly string[];
}

/**
 * Type of a path stored in a separate column, null if the path is missing or JSON null: `String` if all values are
 * strings, `Number` if all are integers, `Text` for the string form of any value.
 */
export type ExtractedType = 'String' | 'Number' | 'Text';

export interface PathColumn extends Path {
  readonly type: ExtractedType;
  /** Alias in the SELECT. */
  readonly as: string;
}

/** Items of a Json column, as the dialect expands them. */
export interface ItemsColumn {
  readonly column: string;
  /** Alias in the SELECT. */
  readonly as: string;
}

export interface TableRead {
  readonly datasource: Datasource;
  /** Required columns; may be empty. */
  readonly columns: readonly Column[];
  /** Paths of the query that `extractedTypes` supports. */
  readonly paths?: readonly PathColumn[];
  /** Expanded arrays that `hasItems` supports. */
  readonly items?: readonly ItemsColumn[];
  readonly bounds: Bounds;
  readonly bind: Bind;
}

/**
 * Physical tables of datasources, the only access of a query to rows. Columns have their quoted names: strings for String,
 * integers or doubles for Number, epoch milliseconds for Timestamp, serialized JSON for Json.
 */
export interface Tables {
  /** A SELECT of exactly these columns, paths and items, within the bounds. */
  rows(read: TableRead): string;
  /**
   * Type of a path with a separate column, which avoids parsing JSON. Called once per source, because a query may have
   * thousands of paths.
   */
  extractedTypes?(datasource: Datasource, bounds: Bounds): (path: Path) => ExtractedType | undefined;
  /** Whether the items of a Json column are stored, which avoids parsing its JSON again. */
  hasItems?(datasource: Datasource, column: string): boolean;
}
