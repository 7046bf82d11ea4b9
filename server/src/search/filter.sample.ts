import fc from 'fast-check';
import { Refusal } from '../platform/errors.ts';
import type { Fields } from './dataset.ts';
import { checkPatterns, type FilterBody, type FilterValue, readFilter } from './filter.ts';
import { operators, usableOperators } from './operators.ts';

/** Valid filters with every operator on the fields. */
export function filtersOn(
  fields: Fields,
  field: fc.Arbitrary<string>,
  valueFor: (field: string, expression: string) => fc.Arbitrary<FilterValue>,
): fc.Arbitrary<FilterBody> {
  return fc
    .tuple(field, fc.constantFrom(...usableOperators))
    .chain(([field, expression]): fc.Arbitrary<FilterBody> => {
      const value = valueFor(field, expression);
      const size = expression === 'between' ? { minLength: 2, maxLength: 2 } : { minLength: 1, maxLength: 4 };
      return operators[expression].uses === 'value'
        ? value.map((value) => ({ field, expression, value }))
        : fc.array(value, size).map((values) => ({ field, expression, values }));
    })
    .filter((body) => isAccepted(body, fields));
}

export function isAccepted(body: FilterBody, fields: Fields): boolean {
  try {
    checkPatterns([readFilter(body, 'filters[0]', fields)]);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
