/** Type of a datasource or result column. */
export type ColumnType = 'String' | 'Number' | 'Timestamp' | 'Json';

/** Type of an expression. Null is compatible with every type. */
export type Type = ColumnType | 'Boolean' | 'Null';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly description?: string;
}

/** A column, or a JSON path into it. */
export interface JoinKey {
  readonly column: string;
  readonly keys?: readonly string[];
}

/** A predefined join: queries only name it. */
export interface Relationship {
  readonly name: string;
  readonly to: string;
  readonly description: string;
  /** Number of rows in the target datasource per row of this one. */
  readonly cardinality: 'ONE' | 'MANY';
  /** Join keys, compared as strings. */
  readonly on: readonly { readonly from: JoinKey; readonly to: JoinKey }[];
}

/** Used when the query names no relationship. */
export const defaultRelationship = '(default)';

export interface Datasource {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly Column[];
  readonly relationships: readonly Relationship[];
  /** Timestamp column of repeatedly reported entities: a relationship to ONE joins the latest row. */
  readonly reportedAt?: string;
}

/** Datasources that a query may read. There may be thousands, so each is created on demand. */
export interface Catalogue {
  find(name: string): Datasource | undefined;
  names(): Iterable<string>;
}
