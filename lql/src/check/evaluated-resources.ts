import type { Datasource } from '../catalogue/catalogue.ts';
import type { CheckedBlock, CheckedExpression, CheckedQuery } from './checked.ts';
import { operandsOf } from './operands.ts';

/**
 * The resources that a policy's query evaluates, whether they violate it or not: all rows of its first datasource, with
 * the returned value of `key` and the given columns. Undefined if `key` is not returned, or not a value of that datasource.
 */
export function evaluatedResources(
  query: CheckedQuery,
  key: string,
  columns: Datasource['columns'],
): CheckedQuery | undefined {
  const blocks = query.blocks.map((block) => evaluatedBy(block, key, columns));
  if (!blocks.every((block) => block !== undefined)) return undefined;
  const keyColumn = { name: key, type: 'String' as const };
  return { combine: 'union', blocks, columns: [keyColumn, ...columns] };
}

function evaluatedBy(
  { sources: [first], returned }: CheckedBlock,
  key: string,
  columns: Datasource['columns'],
): CheckedBlock | undefined {
  const value = returned.find(({ name }) => name === key)?.value;
  if (first?.kind !== 'table' || !value || !isOfFirst(value)) return undefined;
  const { datasource } = first;
  const others = columns.filter(({ name }) => datasource.columns.every((column) => column.name !== name));
  return {
    sources: [{ ...first, datasource: { ...datasource, columns: [...datasource.columns, ...others] } }],
    filter: undefined,
    distinct: true,
    returned: [
      { name: key, value: { kind: 'conversion', type: 'String', of: value } },
      ...columns.map(({ name, type }) => ({
        name,
        value: { kind: 'column', type, source: 0, column: name } as const,
      })),
    ],
  };
}

function isOfFirst(value: CheckedExpression): boolean {
  if ((value.kind === 'column' || value.kind === 'item') && value.source !== 0) return false;
  return value.kind !== 'inSubquery' && operandsOf(value).every(isOfFirst);
}
