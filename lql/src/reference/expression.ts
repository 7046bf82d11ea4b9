import type { Called, Checked, CheckedBlock, Matched } from '../check/checked.ts';
import { calculate } from './arithmetic.ts';
import { functions } from './functions.ts';
import { atPath, type Json } from './json.ts';
import type { Numeric } from './numbers.ts';
import { isLike, lower } from './strings.ts';
import { compare, convert, type Known } from './values.ts';

/** One combination of source rows and items. */
export interface Scope {
  column(source: number, column: string): Known;
  item(source: number): Json | null;
  readonly now: number;
  /** Null for an invalid pattern. */
  matches(text: string, pattern: string): boolean | null;
  rows(block: CheckedBlock): readonly (readonly Known[])[];
}

export function evaluate(checked: Checked, scope: Scope): Known {
  const value = (of: Checked) => evaluate(of, scope);
  switch (checked.kind) {
    case 'constant':
      if (checked.type === 'Number' && checked.value !== null) return constantNumber(String(checked.value));
      return convert(
        checked.value,
        typeof checked.value === 'string' ? 'String' : checked.type,
        checked.type,
      );
    case 'column':
      return scope.column(checked.source, checked.column);
    case 'item':
      return scope.item(checked.source);
    case 'path':
      return atPath(value(checked.of) as Json | null, checked.keys);
    case 'converted':
      return convert(value(checked.of), checked.of.type, checked.type);
    case 'called':
      return call(checked, scope);
    case 'chosen': {
      const branch = checked.branches.find(({ when }) => value(when) === true);
      if (branch) return value(branch.then);
      return checked.otherwise ? value(checked.otherwise) : null;
    }
    case 'negated':
    case 'computed':
      return calculate(checked, (of) => value(of) as Numeric | null);
    case 'concatenated': {
      const [left, right] = [value(checked.left), value(checked.right)];
      return left === null || right === null ? null : `${left}${right}`;
    }
    case 'compared':
      return compare(checked.operator, checked.left.type, value(checked.left), value(checked.right));
    case 'among': {
      const own = value(checked.value);
      return or(checked.values.map((each) => compare('=', checked.value.type, own, value(each))));
    }
    case 'within': {
      const own = checked.values.map(value);
      const strings = checked.values.map(({ type }, at) => convert(own[at] ?? null, type, 'String'));
      if (strings.includes(null)) return null;
      return scope
        .rows(checked.block)
        .some((row) =>
          own.every(
            (each, at) => compare('=', checked.values[at]?.type ?? 'Null', each, row[at] ?? null) === true,
          ),
        );
    }
    case 'matched':
      return match(checked, scope);
    case 'nullTested': {
      const own = value(checked.value);
      if (!checked.json) return own === null;
      return own === null ? null : (own as Json).kind === 'null';
    }
    case 'inverted': {
      const own = value(checked.of);
      return own === null ? null : !own;
    }
    case 'combined': {
      const values = checked.values.map((each) => value(each) as boolean | null);
      return checked.operator === 'or' ? or(values) : and(values);
    }
  }
}

const or = (values: readonly (boolean | null)[]) =>
  values.includes(true) ? true : values.includes(null) ? null : false;
const and = (values: readonly (boolean | null)[]) =>
  values.includes(false) ? false : values.includes(null) ? null : true;

function constantNumber(digits: string): Numeric {
  const whole = /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
  return whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : Number(digits);
}

function match({ operator, value, patterns }: Matched, scope: Scope): boolean | null {
  const text = evaluate(value, scope);
  return or(
    patterns.map((each) => {
      const pattern = evaluate(each, scope);
      if (typeof text !== 'string' || typeof pattern !== 'string') return null;
      if (operator === 'rlike') return scope.matches(text, pattern);
      return operator === 'like' ? isLike(text, pattern) : isLike(lower(text), lower(pattern));
    }),
  );
}

function call({ name, values }: Called, scope: Scope): Known {
  const given = values.map((value) => evaluate(value, scope));
  const [first = null] = given;
  switch (name) {
    case 'value_exists':
      return first !== null && (first as Json).kind !== 'null';
    case 'key_exists':
      return first !== null;
    case 'coalesce':
      return given.find((value) => value !== null) ?? null;
    case 'any_in_array': {
      const list = first as Json | null;
      if (list?.kind !== 'list') return false;
      return values
        .slice(1)
        .some(({ type }, at) =>
          list.items.some(
            (item) => compare('=', type, convert(item, 'Json', type), given[at + 1] ?? null) === true,
          ),
        );
    }
    default:
      return given.includes(null) ? null : functions[name](given as never, scope.now);
  }
}
