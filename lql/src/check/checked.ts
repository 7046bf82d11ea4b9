import type { ColumnType, Datasource, Relationship, Type } from '../catalogue/catalogue.ts';
import type { FunctionName } from '../catalogue/functions.ts';
import type { ComparisonOperator, PatternOperator } from '../syntax/tree.ts';

/**
 * A resolved and typed query: every column refers to its source, and conversions are explicit. Backends need no
 * catalogue and no type checks.
 */
export interface CheckedQuery {
  readonly combine: 'union' | 'union all';
  /** Several for a union; all return the same columns. */
  readonly blocks: readonly CheckedBlock[];
  readonly columns: readonly ResultColumn[];
}

export interface ResultColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly description?: string;
}

export interface CheckedBlock {
  /** Each refers to earlier sources only, by index. The first is a datasource. */
  readonly sources: readonly CheckedSource[];
  readonly filter: Checked | undefined;
  readonly distinct: boolean;
  /** In the order of the query's columns; names are unique. */
  readonly returned: readonly { readonly name: string; readonly value: Checked }[];
}

export type CheckedSource = TableSource | JoinedSource | ExpandedSource;

/** All rows of a datasource; a second one is cross-joined. */
export interface TableSource {
  readonly kind: 'table';
  readonly datasource: Datasource;
}

/** Left join to an earlier source; with cardinality ONE, only the latest matching row. */
export interface JoinedSource {
  readonly kind: 'joined';
  readonly datasource: Datasource;
  readonly from: number;
  readonly relationship: Relationship;
}

/** Timestamp column that selects the latest matching row, if the join needs one. */
export function latestBy({ datasource, relationship }: JoinedSource): string | undefined {
  return relationship.cardinality === 'ONE' ? datasource.reportedAt : undefined;
}

/** One row per array item. An empty array or another value gives one row of null, or none if `nonEmpty`. */
export interface ExpandedSource {
  readonly kind: 'expanded';
  readonly array: Checked;
  readonly nonEmpty: boolean;
}

/** A type-checked expression. */
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
  | Concatenated
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
  /** The digits of a number; null for type Null. */
  readonly value: string | boolean | null;
}

export interface ColumnValue {
  readonly kind: 'column';
  readonly type: ColumnType;
  /** Index of its source in the block. */
  readonly source: number;
  readonly column: string;
}

/** The current item of an expansion. */
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

/** Null if the value cannot be converted. */
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

/** Takes the first branch whose condition is true. */
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

export interface Concatenated {
  readonly kind: 'concatenated';
  readonly type: 'String';
  readonly left: Checked;
  readonly right: Checked;
}

/** Both values have the same type, or one is Null. Json is compared as a string. */
export interface Compared {
  readonly kind: 'compared';
  readonly type: 'Boolean';
  readonly operator: ComparisonOperator;
  readonly left: Checked;
  readonly right: Checked;
}

/** `in` with constants of the same type, none of them null. */
export interface Among {
  readonly kind: 'among';
  readonly type: 'Boolean';
  readonly value: Checked;
  readonly values: readonly Checked[];
}

/** `in` with a subquery; each value has the type of its column. */
export interface Within {
  readonly kind: 'within';
  readonly type: 'Boolean';
  readonly values: readonly Checked[];
  readonly block: CheckedBlock;
}

/** Whether one of the patterns matches the whole string. */
export interface Matched {
  readonly kind: 'matched';
  readonly type: 'Boolean';
  readonly operator: PatternOperator;
  readonly value: Checked;
  readonly patterns: readonly Checked[];
}

/** Whether the value is null; with `json`: whether it is JSON null, and null if the path is missing. */
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
