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
  readonly filter: CheckedExpression | undefined;
  readonly distinct: boolean;
  /** In the order of the query's columns; names are unique. */
  readonly returned: readonly { readonly name: string; readonly value: CheckedExpression }[];
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
  readonly array: CheckedExpression;
  readonly nonEmpty: boolean;
}

/** A type-checked expression. */
export type CheckedExpression =
  | CheckedConstant
  | CheckedColumn
  | CheckedItem
  | CheckedPath
  | CheckedConversion
  | CheckedCall
  | CheckedCase
  | CheckedNegative
  | CheckedArithmetic
  | CheckedConcatenation
  | CheckedComparison
  | CheckedInList
  | CheckedInSubquery
  | CheckedPattern
  | CheckedNullTest
  | CheckedNot
  | CheckedLogical;

export interface CheckedConstant {
  readonly kind: 'constant';
  readonly type: Type;
  /** The digits of a number; null for type Null. */
  readonly value: string | boolean | null;
}

export interface CheckedColumn {
  readonly kind: 'column';
  readonly type: ColumnType;
  /** Index of its source in the block. */
  readonly source: number;
  readonly column: string;
}

/** The current item of an expansion. */
export interface CheckedItem {
  readonly kind: 'item';
  readonly type: 'Json';
  readonly source: number;
}

export interface CheckedPath {
  readonly kind: 'path';
  readonly type: 'Json';
  readonly of: CheckedExpression;
  readonly keys: readonly string[];
}

/** Null if the value cannot be converted. */
export interface CheckedConversion {
  readonly kind: 'conversion';
  readonly type: Exclude<Type, 'Null'>;
  readonly of: CheckedExpression;
}

export interface CheckedCall {
  readonly kind: 'call';
  readonly type: Type;
  readonly name: FunctionName;
  readonly values: readonly CheckedExpression[];
}

/** Takes the first branch whose condition is true. */
export interface CheckedCase {
  readonly kind: 'case';
  readonly type: Type;
  readonly branches: readonly { readonly when: CheckedExpression; readonly then: CheckedExpression }[];
  readonly otherwise: CheckedExpression | undefined;
}

export interface CheckedNegative {
  readonly kind: 'negative';
  readonly type: 'Number';
  readonly of: CheckedExpression;
}

export interface CheckedArithmetic {
  readonly kind: 'arithmetic';
  readonly type: 'Number';
  readonly operator: '+' | '-' | '*' | '/' | '%';
  readonly left: CheckedExpression;
  readonly right: CheckedExpression;
}

export interface CheckedConcatenation {
  readonly kind: 'concatenation';
  readonly type: 'String';
  readonly left: CheckedExpression;
  readonly right: CheckedExpression;
}

/** Both values have the same type, or one is Null. Json is compared as a string. */
export interface CheckedComparison {
  readonly kind: 'comparison';
  readonly type: 'Boolean';
  readonly operator: ComparisonOperator;
  readonly left: CheckedExpression;
  readonly right: CheckedExpression;
}

/** `in` with constants of the same type, none of them null. */
export interface CheckedInList {
  readonly kind: 'inList';
  readonly type: 'Boolean';
  readonly value: CheckedExpression;
  readonly values: readonly CheckedExpression[];
}

/** `in` with a subquery; each value has the type of its column. */
export interface CheckedInSubquery {
  readonly kind: 'inSubquery';
  readonly type: 'Boolean';
  readonly values: readonly CheckedExpression[];
  readonly block: CheckedBlock;
}

/** Whether one of the patterns matches the whole string. */
export interface CheckedPattern {
  readonly kind: 'pattern';
  readonly type: 'Boolean';
  readonly operator: PatternOperator;
  readonly value: CheckedExpression;
  readonly patterns: readonly CheckedExpression[];
}

/** Whether the value is null; with `json`: whether it is JSON null, and null if the path is missing. */
export interface CheckedNullTest {
  readonly kind: 'nullTest';
  readonly type: 'Boolean';
  readonly json: boolean;
  readonly value: CheckedExpression;
}

export interface CheckedNot {
  readonly kind: 'not';
  readonly type: 'Boolean';
  readonly of: CheckedExpression;
}

export interface CheckedLogical {
  readonly kind: 'logical';
  readonly type: 'Boolean';
  readonly operator: 'and' | 'or';
  readonly values: readonly CheckedExpression[];
}
