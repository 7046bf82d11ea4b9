import type { ColumnType, Datasource, Relationship, Type } from '../catalogue/catalogue.ts';
import type { FunctionName } from '../catalogue/functions.ts';
import type { ComparisonOperator, PatternOperator } from '../syntax/tree.ts';

/**
 * A query that was looked up in a catalogue and typed. All that the text leaves open is said here: which source a column
 * is of, and where a value is converted. What runs it need not know the catalogue, and can not meet a wrong type.
 */
export interface CheckedQuery {
  readonly combine: 'union' | 'union all';
  /** One, or those of a union; all return the same columns. */
  readonly blocks: readonly CheckedBlock[];
  readonly columns: readonly ResultColumn[];
}

export interface ResultColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly description?: string;
}

export interface CheckedBlock {
  /** Each refers to earlier ones only. The first is a datasource, and its `id` is its place here. */
  readonly sources: readonly CheckedSource[];
  readonly filter: Checked | undefined;
  readonly distinct: boolean;
  /** As the columns of the query: by name, each once. */
  readonly returned: readonly { readonly name: string; readonly value: Checked }[];
}

export type CheckedSource = TableSource | JoinedSource | ExpandedSource;

/** All rows of a datasource; a second one makes all combinations. */
export interface TableSource {
  readonly kind: 'table';
  readonly datasource: Datasource;
}

/** The rows that belong to one of an earlier source, or one row of nulls; the last told where there is to be one. */
export interface JoinedSource {
  readonly kind: 'joined';
  readonly datasource: Datasource;
  readonly from: number;
  readonly relationship: Relationship;
}

/** The column by which one row is chosen of those that belong to another, where there is one. */
export function lastTold({ datasource, relationship }: JoinedSource): string | undefined {
  return relationship.cardinality === 'ONE' ? datasource.toldAt : undefined;
}

/** The items of a list, a row each. What is no list, and an empty one: one row of null, or none when `nonEmpty`. */
export interface ExpandedSource {
  readonly kind: 'expanded';
  readonly array: Checked;
  readonly nonEmpty: boolean;
}

/** An expression whose parts have the types that it needs. */
export type Checked =
  | Constant
  | ColumnValue
  | ItemValue
  | PathValue
  | Converted
  | Called
  | Chosen
  | Negated
  | Computed
  | Joined
  | Compared
  | Among
  | Within
  | Matched
  | NullTested
  | Inverted
  | Combined;

export interface Constant {
  readonly kind: 'constant';
  readonly type: Type;
  /** Of a number its digits; null when the type is Null. */
  readonly value: string | boolean | null;
}

export interface ColumnValue {
  readonly kind: 'column';
  readonly type: ColumnType;
  /** The place of its source in the block. */
  readonly source: number;
  readonly column: string;
}

/** What an expansion made a row of. */
export interface ItemValue {
  readonly kind: 'item';
  readonly type: 'Json';
  readonly source: number;
}

export interface PathValue {
  readonly kind: 'path';
  readonly type: 'Json';
  readonly of: Checked;
  readonly keys: readonly string[];
}

/** Another type for a value; null where that value can not be one. */
export interface Converted {
  readonly kind: 'converted';
  readonly type: Exclude<Type, 'Null'>;
  readonly of: Checked;
}

export interface Called {
  readonly kind: 'called';
  readonly type: Type;
  readonly name: FunctionName;
  readonly values: readonly Checked[];
}

/** The first branch whose condition is true. */
export interface Chosen {
  readonly kind: 'chosen';
  readonly type: Type;
  readonly branches: readonly { readonly when: Checked; readonly then: Checked }[];
  readonly otherwise: Checked | undefined;
}

export interface Negated {
  readonly kind: 'negated';
  readonly type: 'Number';
  readonly of: Checked;
}

export interface Computed {
  readonly kind: 'computed';
  readonly type: 'Number';
  readonly operator: '+' | '-' | '*' | '/' | '%';
  readonly left: Checked;
  readonly right: Checked;
}

/** Two texts, one after the other. */
export interface Joined {
  readonly kind: 'joinedText';
  readonly type: 'String';
  readonly left: Checked;
  readonly right: Checked;
}

/** Two values of one type: String, Number, Timestamp, Boolean, or Json by its text. One may be Null. */
export interface Compared {
  readonly kind: 'compared';
  readonly type: 'Boolean';
  readonly operator: ComparisonOperator;
  readonly left: Checked;
  readonly right: Checked;
}

/** One of these values, which have its type and are not null. */
export interface Among {
  readonly kind: 'among';
  readonly type: 'Boolean';
  readonly value: Checked;
  readonly values: readonly Checked[];
}

/** Values that a row of the block has, in order; each has the type of its column. */
export interface Within {
  readonly kind: 'within';
  readonly type: 'Boolean';
  readonly values: readonly Checked[];
  readonly block: CheckedBlock;
}

/** A text that one of the patterns fits as a whole. */
export interface Matched {
  readonly kind: 'matched';
  readonly type: 'Boolean';
  readonly operator: PatternOperator;
  readonly value: Checked;
  readonly patterns: readonly Checked[];
}

/** Nothing there, or with `json`: a null of JSON, and null where nothing is there. */
export interface NullTested {
  readonly kind: 'nullTested';
  readonly type: 'Boolean';
  readonly json: boolean;
  readonly value: Checked;
}

export interface Inverted {
  readonly kind: 'inverted';
  readonly type: 'Boolean';
  readonly of: Checked;
}

export interface Combined {
  readonly kind: 'combined';
  readonly type: 'Boolean';
  readonly operator: 'and' | 'or';
  readonly values: readonly Checked[];
}
