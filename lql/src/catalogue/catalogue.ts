/** What columns and results hold. */
export type ColumnType = 'String' | 'Number' | 'Timestamp' | 'Json';

/** What expressions are. A null fits every type. */
export type Type = ColumnType | 'Boolean' | 'Null';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly description?: string;
}

/** A column, or what lies in it under these keys. */
export interface JoinKey {
  readonly column: string;
  readonly keys?: readonly string[];
}

/** A join that the catalogue knows: queries only name it. */
export interface Relationship {
  readonly name: string;
  readonly to: string;
  readonly description: string;
  /** How many rows of the other datasource belong to a row of this one. */
  readonly cardinality: 'ONE' | 'MANY';
  /** A row belongs to another when the texts of all these are equal. */
  readonly on: readonly { readonly from: JoinKey; readonly to: JoinKey }[];
}

/** The relationship that is meant when none is named. */
export const defaultRelationship = '(default)';

export interface Datasource {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly Column[];
  readonly relationships: readonly Relationship[];
  /** A column of moments, where things are told of again and again: a relationship to ONE means what was told last. */
  readonly toldAt?: string;
}

/** The datasources that a query may read. There may be thousands, so each is made when it is asked for. */
export interface Catalogue {
  find(name: string): Datasource | undefined;
  names(): Iterable<string>;
}
