import { parseInstant } from '../platform/instant.ts';
import type { Filter } from './filter.ts';
import { ilikeMatcher, likeMatcher, maxSegmentLength } from './like.ts';
import { readsString, type ScalarTest, type StringTest, type Test } from './operators.ts';
import { reach } from './path.ts';
import type { ApiRecord } from './record.ts';
import { rlikeMatcher } from './rlike.ts';
import { coerce, compare, type Kind, type Scalar, textOf } from './scalar.ts';
import { operandSteps, StepBudget } from './step-budget.ts';

/** The reference implementation of filters, which the databases must agree with. */
export function matches(record: ApiRecord, filter: Filter): boolean {
  return matcher([filter])(record);
}

/** Whether a value passes the test of a filter. */
type ValueTest = (stored: unknown) => boolean;

/** Compiles filters into one predicate for many records; expensive filters run last. */
export function matcher(
  filters: readonly Filter[],
  budget: StepBudget = new StepBudget(),
): (record: ApiRecord) => boolean {
  const tests = filters
    .toSorted((one, other) => costs[one.test] - costs[other.test])
    .map((filter) => {
      const { path, test, negated } = filter;
      const steps = [path.field, ...path.steps];
      const passes = readsString(test) ? stringTest(test, filter, budget) : scalarTest(test, filter, budget);
      return (record: ApiRecord) => passes(reach(record, steps)) !== negated;
    });
  return (record) => tests.every((test) => test(record));
}

const costs: Record<Test, number> = {
  ...{ eq: 0, in: 0, gt: 0, lt: 0, ge: 0, le: 0, between: 0 },
  ...{ like: 1, ilike: 1, rlike: 2 },
};

interface StringMatcher {
  /** Maximum number of steps per character. */
  readonly size: number;
  matches(string: string): boolean;
}

const stringMatchers: Record<StringTest, (pattern: string) => StringMatcher> = {
  like: (pattern) => ({ size: maxSegmentLength(pattern), matches: likeMatcher(pattern) }),
  ilike: (pattern) => ({ size: maxSegmentLength(pattern), matches: ilikeMatcher(pattern) }),
  rlike: rlikeMatcher,
};

function stringTest(test: StringTest, filter: Filter, budget: StepBudget): ValueTest {
  const { size, matches } = stringMatchers[test](textOf(filter.values[0]));
  return (stored) => {
    if (stored === undefined || stored === null) return false;
    const string = textOf(stored);
    budget.take(size * string.length, filter);
    return matches(string);
  };
}

/** An array passes if one of its elements does; an object never passes. */
function scalarTest(test: ScalarTest, filter: Filter, budget: StepBudget): ValueTest {
  const { values, type } = filter;
  const isTime = type === 'time';
  const strings = comparison(test, values, 'string');
  const numbers = comparison(test, values, 'number');
  const integers = comparison(test, values, 'integer');
  const booleans = comparison(test, values, 'boolean');
  const passes = (stored: unknown) => {
    if (typeof stored === 'string')
      return isTime ? numbers(parseInstant(stored) ?? Number.NaN) : strings(stored);
    if (typeof stored === 'number') return numbers(stored);
    if (typeof stored === 'bigint') return integers(stored);
    return typeof stored === 'boolean' && booleans(stored);
  };
  const steps = operandSteps(values.map((value) => textOf(value).length));
  return (stored) => {
    if (!Array.isArray(stored)) return passes(stored);
    budget.take(steps * stored.length, filter);
    return stored.some(passes);
  };
}

/** `kind` is that of the stored value; a filter value that can not be converted to it matches nothing. */
function comparison(test: ScalarTest, values: readonly Scalar[], kind: Kind): (stored: Scalar) => boolean {
  const operands = values.map((value) => coerce(value, kind)).filter((value) => value !== undefined);
  const [first, second] = operands;
  if (first === undefined) return () => false;
  switch (test) {
    case 'eq':
    case 'in': {
      const operandSet = new Set(operands);
      return (stored) => operandSet.has(stored);
    }
    case 'gt':
      return (stored) => compare(stored, first) > 0;
    case 'lt':
      return (stored) => compare(stored, first) < 0;
    case 'ge':
      return (stored) => compare(stored, first) >= 0;
    case 'le':
      return (stored) => compare(stored, first) <= 0;
    case 'between':
      return (stored) => second !== undefined && compare(stored, first) >= 0 && compare(stored, second) <= 0;
  }
}
