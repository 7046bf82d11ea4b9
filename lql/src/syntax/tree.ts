import type { Span } from '../text/span.ts';

/** Syntax tree of a query, before name resolution. */
export interface Document extends Span {
  /** Query name of the older form. */
  readonly id: Name | undefined;
  readonly body: Block | Union;
}

export interface Name extends Span {
  readonly text: string;
}

export interface Union extends Span {
  readonly kind: 'union';
  readonly all: boolean;
  readonly blocks: readonly Block[];
}

export interface Block extends Span {
  readonly kind: 'block';
  readonly sources: readonly SourceItem[];
  readonly filter: Expression | undefined;
  readonly distinct: boolean;
  readonly items: readonly ReturnItem[];
}

export type SourceItem = Connected | Expansion;

/** A datasource and the datasources joined to it. */
export interface Connected extends Span {
  readonly kind: 'connected';
  readonly datasource: Name;
  readonly alias: Name | undefined;
  readonly branches: readonly Branch[];
}

export interface Branch extends Span {
  readonly to: Connected;
  /** The name of the relationship. */
  readonly on: StringLiteral | undefined;
}

export interface Expansion extends Span {
  readonly kind: 'expansion';
  readonly nonEmpty: boolean;
  readonly array: Expression;
  readonly table: Name | undefined;
  readonly column: Name;
}

export type ReturnItem = AllColumns | ReturnedValue;

/** `name.*` */
export interface AllColumns extends Span {
  readonly kind: 'all';
  readonly of: Name;
}

export interface ReturnedValue extends Span {
  readonly kind: 'value';
  readonly value: Expression;
  readonly alias: Name | undefined;
}

export type Expression =
  | Literal
  | ColumnReference
  | Path
  | Cast
  | Call
  | Case
  | Negative
  | Arithmetic
  | Comparison
  | InList
  | InBlock
  | Pattern
  | Between
  | NullTest
  | Not
  | Logical
  | Row;

export type Literal = StringLiteral | NumberLiteral | BooleanLiteral | NullLiteral;

/** `s'…'`, `"…"`, and the older `'…'`. */
export type StringForm = 'plain' | 'escaped' | 'legacy';

export interface StringLiteral extends Span {
  readonly kind: 'string';
  readonly form: StringForm;
  /** Without quotes and escapes. */
  readonly value: string;
}

export interface NumberLiteral extends Span {
  readonly kind: 'number';
  /** Source digits, because a double may lose precision. In a list after `in`, a `-` may precede them. */
  readonly digits: string;
}

export interface BooleanLiteral extends Span {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface NullLiteral extends Span {
  readonly kind: 'null';
}

export interface ColumnReference extends Span {
  readonly kind: 'column';
  readonly source: Name | undefined;
  readonly column: Name;
}

export interface Key extends Name {
  readonly quoted: boolean;
}

/** `value:key.key` */
export interface Path extends Span {
  readonly kind: 'path';
  readonly of: Expression;
  readonly keys: readonly Key[];
}

/** `value::Type`; the check resolves the type. */
export interface Cast extends Span {
  readonly kind: 'cast';
  readonly of: Expression;
  readonly to: Name;
}

export interface Call extends Span {
  readonly kind: 'call';
  readonly name: Name;
  readonly values: readonly Expression[];
}

export interface Case extends Span {
  readonly kind: 'case';
  /** Compared with each `when`; without it each `when` is a condition. */
  readonly subject: Expression | undefined;
  readonly branches: readonly CaseBranch[];
  readonly otherwise: Expression | undefined;
}

export interface CaseBranch extends Span {
  readonly when: Expression;
  readonly then: Expression;
}

export interface Negative extends Span {
  readonly kind: 'negative';
  readonly of: Expression;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '||';

export interface Arithmetic extends Span {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export interface Comparison extends Span {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface InList extends Span {
  readonly kind: 'inList';
  readonly negated: boolean;
  readonly value: Expression;
  readonly values: readonly Literal[];
}

/** The value is a tuple if the subquery returns several columns. */
export interface InBlock extends Span {
  readonly kind: 'inBlock';
  readonly negated: boolean;
  readonly value: Expression;
  readonly block: Block;
}

export type PatternOperator = 'like' | 'ilike' | 'rlike';

export interface Pattern extends Span {
  readonly kind: 'pattern';
  readonly operator: PatternOperator;
  readonly negated: boolean;
  readonly any: boolean;
  readonly value: Expression;
  /** One, unless `any` is set. */
  readonly patterns: readonly Expression[];
}

export interface Between extends Span {
  readonly kind: 'between';
  readonly negated: boolean;
  readonly value: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

export interface NullTest extends Span {
  readonly kind: 'nullTest';
  readonly negated: boolean;
  readonly json: boolean;
  readonly value: Expression;
}

export interface Not extends Span {
  readonly kind: 'not';
  readonly of: Expression;
}

export interface Logical extends Span {
  readonly kind: 'logical';
  readonly operator: 'and' | 'or';
  /** Two or more. */
  readonly values: readonly Expression[];
}

/** Tuple of values; only before `in { … }`. */
export interface Row extends Span {
  readonly kind: 'row';
  readonly values: readonly Expression[];
}
