import type { Type } from '../catalogue/catalogue.ts';
import type { CheckedExpression } from './checked.ts';

export type ValueType = Exclude<Type, 'Null'>;

/** By their lower-case name. */
export const castTypes: ReadonlyMap<string, ValueType> = new Map(
  (['String', 'Number', 'Timestamp', 'Json', 'Boolean'] as const).map((type) => [type.toLowerCase(), type]),
);

/** Allowed casts from each type, besides itself. */
const casts: Record<ValueType, readonly ValueType[]> = {
  Boolean: ['Json'],
  Json: ['Boolean', 'Number', 'String', 'Timestamp'],
  Number: ['Boolean', 'Json', 'String', 'Timestamp'],
  String: ['Boolean', 'Json', 'Number', 'Timestamp'],
  Timestamp: ['Json', 'String'],
};

export function canCast(from: Type, to: ValueType): boolean {
  return from === 'Null' || from === to || casts[from].includes(to);
}

/** Suggested fixes for conversions without a cast. */
const hints: Partial<Record<`${ValueType} to ${ValueType}`, string>> = {
  'Boolean to String': "use `case when … then 'true' else 'false' end`",
  'Boolean to Number': 'use `case when … then 1 else 0 end`',
  'Timestamp to Number': 'use `epoch_ms(…)` or `epoch_sec(…)`',
  'Timestamp to Boolean': 'compare it with another Timestamp',
  'String to Json': 'use `to_json(…)` to parse JSON',
};

/** Suggested fix, as the end of a message. */
export function conversionHint(from: ValueType, to: ValueType): string | undefined {
  return hints[`${from} to ${to}`] ?? (canCast(from, to) ? `write \`::${to}\` after it` : undefined);
}

export function converted(value: CheckedExpression, to: ValueType): CheckedExpression {
  return value.type === to ? value : { kind: 'conversion', type: to, of: value };
}

/** Implicit conversion: from Json and null to any type. */
export function implicitlyConverted(value: CheckedExpression, to: ValueType): CheckedExpression | undefined {
  return value.type === to || value.type === 'Json' || value.type === 'Null'
    ? converted(value, to)
    : undefined;
}

/** `Null` if all values are null, undefined if two types are incompatible. */
export function commonType(values: readonly CheckedExpression[]): Type | undefined {
  const types = new Set(values.map(({ type }) => type));
  types.delete('Null');
  if (types.size > 1) types.delete('Json');
  if (types.size > 1) return undefined;
  const [type] = types;
  return type ?? 'Null';
}

export const nullConstant: CheckedExpression = { kind: 'constant', type: 'Null', value: null };

/** The type with its article, for messages. */
export const withArticle = (type: Type): string =>
  type === 'Null' ? 'null' : type === 'Json' ? type : `a ${type}`;
