import type { Type } from '../catalogue/catalogue.ts';
import type { Checked } from './checked.ts';

/** The types of values that are something. */
export type ValueType = Exclude<Type, 'Null'>;

/** The types as casts name them, in any case. */
export const castTypes: ReadonlyMap<string, ValueType> = new Map(
  (['String', 'Number', 'Timestamp', 'Json', 'Boolean'] as const).map((type) => [type.toLowerCase(), type]),
);

/** What a cast can make of each type, besides itself. */
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

/** What to do where a type is needed and no cast gives it. */
const ways: Partial<Record<`${ValueType} to ${ValueType}`, string>> = {
  'Boolean to String': "use `case when … then 'true' else 'false' end`",
  'Boolean to Number': 'use `case when … then 1 else 0 end`',
  'Timestamp to Number': 'use `epoch_ms(…)` or `epoch_sec(…)`',
  'Timestamp to Boolean': 'compare it with another Timestamp',
  'String to Json': 'use `to_json(…)`, which reads JSON text',
};

/** What turns one type into another, to stand at the end of a message. */
export function wayTo(from: ValueType, to: ValueType): string | undefined {
  return ways[`${from} to ${to}`] ?? (canCast(from, to) ? `write \`::${to}\` after it` : undefined);
}

export function converted(value: Checked, to: ValueType): Checked {
  return value.type === to ? value : { kind: 'converted', type: to, of: value };
}

/** The value as another type where the language does that by itself: Json to what is needed, and null to anything. */
export function fitted(value: Checked, to: ValueType): Checked | undefined {
  return value.type === to || value.type === 'Json' || value.type === 'Null'
    ? converted(value, to)
    : undefined;
}

/** The one type that all of them can have; `Null` when all are null, undefined when two exclude each other. */
export function commonType(values: readonly Checked[]): Type | undefined {
  const types = new Set(values.map(({ type }) => type));
  types.delete('Null');
  if (types.size > 1) types.delete('Json');
  if (types.size > 1) return undefined;
  const [type] = types;
  return type ?? 'Null';
}

export const nullConstant: Checked = { kind: 'constant', type: 'Null', value: null };

/** As it stands in a sentence. */
export const some = (type: Type): string => (type === 'Null' ? 'null' : type === 'Json' ? type : `a ${type}`);
