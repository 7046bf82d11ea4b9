import { parseInstant } from '../platform/instant.ts';
import type { Filter } from './filter.ts';
import { ilikeMatcher, likeMatcher } from './like.ts';
import { readsText, type ScalarTest, type TextTest } from './operators.ts';
import { reach } from './path.ts';
import type { ApiRecord } from './record.ts';
import { rlikeMatcher } from './rlike.ts';
import { coerce, compare, type Kind, type Scalar, textOf } from './scalar.ts';

/** What every store must agree with: whether the record satisfies the filter. */
export function matches(record: ApiRecord, filter: Filter): boolean {
  return matcher([filter])(record);
}

/** Whether a record satisfies all of the filters, prepared once for many records. */
export function matcher(filters: readonly Filter[]): (record: ApiRecord) => boolean {
  const tests = filters.map((filter) => {
    const { path, test, values, type, negated } = filter;
    const steps = [path.field, ...path.steps];
    const holds = readsText(test) ? textTest(test, values) : scalarTest(test, values, type === 'time');
    return (record: ApiRecord) => holds(reach(record, steps)) !== negated;
  });
  return (record) => tests.every((test) => test(record));
}

const textMatchers: Record<TextTest, (pattern: string) => (text: string) => boolean> = {
  like: likeMatcher,
  ilike: ilikeMatcher,
  rlike: rlikeMatcher,
};

function textTest(test: TextTest, values: readonly Scalar[]): (stored: unknown) => boolean {
  const holds = textMatchers[test](textOf(values[0]));
  return (stored) => stored !== undefined && stored !== null && holds(textOf(stored));
}

/** A list satisfies the test when one of its elements does; an object never does. */
function scalarTest(
  test: ScalarTest,
  values: readonly Scalar[],
  moments: boolean,
): (stored: unknown) => boolean {
  const strings = comparison(test, values, 'string');
  const numbers = comparison(test, values, 'number');
  const integers = comparison(test, values, 'integer');
  const booleans = comparison(test, values, 'boolean');
  const holds = (stored: unknown) => {
    if (typeof stored === 'string')
      return moments ? numbers(parseInstant(stored) ?? Number.NaN) : strings(stored);
    if (typeof stored === 'number') return numbers(stored);
    if (typeof stored === 'bigint') return integers(stored);
    return typeof stored === 'boolean' && booleans(stored);
  };
  return (stored) => (Array.isArray(stored) ? stored.some(holds) : holds(stored));
}

/** The kind is that of the stored value; a filter value that can not be read as it satisfies nothing. */
function comparison(test: ScalarTest, values: readonly Scalar[], kind: Kind): (stored: Scalar) => boolean {
  const operands = values.map((value) => coerce(value, kind)).filter((value) => value !== undefined);
  const [first, second] = operands;
  if (first === undefined) return () => false;
  switch (test) {
    case 'eq':
    case 'in': {
      const wanted = new Set(operands);
      return (stored) => wanted.has(stored);
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
