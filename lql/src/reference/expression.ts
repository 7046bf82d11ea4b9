import type { CheckedBlock, CheckedCall, CheckedExpression, CheckedPattern } from '../check/checked.ts';
import { calculate } from './arithmetic.ts';
import { functions } from './functions.ts';
import { atPath, type Json } from './json.ts';
import type { Numeric } from './numbers.ts';
import { isLike, lower } from './strings.ts';
import { compare, convert, type ReferenceValue } from './values.ts';

/** One combination of source rows and items. */
export interface Scope {
  column(source: number, column: string): ReferenceValue;
  item(source: number): Json | null;
  readonly now: number;
  /** Null for an invalid pattern. */
  matches(string: string, pattern: string): boolean | null;
  rows(block: CheckedBlock): readonly (readonly ReferenceValue[])[];
}

export function evaluate(checked: CheckedExpression, scope: Scope): ReferenceValue {
  const value = (of: CheckedExpression) => evaluate(of, scope);
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
    case 'conversion':
      return convert(value(checked.of), checked.of.type, checked.type);
    case 'call':
      return call(checked, scope);
    case 'case': {
      const branch = checked.branches.find(({ when }) => value(when) === true);
      if (branch) return value(branch.then);
      return checked.otherwise ? value(checked.otherwise) : null;
    }
    case 'negative':
    case 'arithmetic':
      return calculate(checked, (of) => value(of) as Numeric | null);
    case 'concatenation': {
      const [left, right] = [value(checked.left), value(checked.right)];
      return left === null || right === null ? null : `${left}${right}`;
    }
    case 'comparison':
      return compare(checked.operator, checked.left.type, value(checked.left), value(checked.right));
    case 'inList': {
      const own = value(checked.value);
      return or(checked.values.map((each) => compare('=', checked.value.type, own, value(each))));
    }
    case 'inSubquery': {
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
    case 'pattern':
      return match(checked, scope);
    case 'nullTest': {
      const own = value(checked.value);
      if (!checked.json) return own === null;
      return own === null ? null : (own as Json).kind === 'null';
    }
    case 'not': {
      const own = value(checked.of);
      return own === null ? null : !own;
    }
    case 'logical': {
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
  const integer = /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
  return integer !== undefined && BigInt.asIntN(64, integer) === integer ? integer : Number(digits);
}

function match({ operator, value, patterns }: CheckedPattern, scope: Scope): boolean | null {
  const string = evaluate(value, scope);
  return or(
    patterns.map((each) => {
      const pattern = evaluate(each, scope);
      if (typeof string !== 'string' || typeof pattern !== 'string') return null;
      if (operator === 'rlike') return scope.matches(string, pattern);
      return operator === 'like' ? isLike(string, pattern) : isLike(lower(string), lower(pattern));
    }),
  );
}

function call({ name, values }: CheckedCall, scope: Scope): ReferenceValue {
  const args = values.map((value) => evaluate(value, scope));
  const [first = null] = args;
  switch (name) {
    case 'value_exists':
      return first !== null && (first as Json).kind !== 'null';
    case 'key_exists':
      return first !== null;
    case 'coalesce':
      return args.find((value) => value !== null) ?? null;
    case 'any_in_array': {
      const array = first as Json | null;
      if (array?.kind !== 'array') return false;
      return values
        .slice(1)
        .some(({ type }, at) =>
          array.items.some(
            (item) => compare('=', type, convert(item, 'Json', type), args[at + 1] ?? null) === true,
          ),
        );
    }
    default:
      return args.includes(null) ? null : functions[name](args as never, scope.now);
  }
}
