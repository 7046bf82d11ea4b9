import type { Datasource } from '../catalogue/catalogue.ts';
import type { CheckedBlock, CheckedExpression, CheckedQuery, CheckedSource } from './checked.ts';
import { operandsOf } from './operands.ts';
import { blocksIn, datasourcesOf } from './query-blocks.ts';

type Columns = Datasource['columns'];

/**
 * The resources that a policy's query evaluates, whether they violate it or not: all rows of its first datasource, with
 * the value that it returns as `key`, and further columns of that datasource. Undefined if it returns no such key.
 */
export function evaluatedResources(
  query: CheckedQuery,
  key: string,
  columns: Columns,
): CheckedQuery | undefined {
  return withColumns(query, key, columns, ({ sources: [first] }) =>
    first?.kind === 'table' ? { sources: [first], filter: undefined } : undefined,
  );
}

/** The resources that a query selects, as the scope of a policy. */
export function selectedResources(
  query: CheckedQuery,
  key: string,
  columns: Columns,
): CheckedQuery | undefined {
  return withColumns(query, key, columns, (block) => block);
}

function withColumns(
  query: CheckedQuery,
  key: string,
  columns: Columns,
  rowsOf: (block: CheckedBlock) => Pick<CheckedBlock, 'sources' | 'filter'> | undefined,
): CheckedQuery | undefined {
  const blocks = query.blocks.map((block) => {
    const value = keyOf(block, key);
    const rows = rowsOf(block);
    const [first, ...others] = rows?.sources ?? [];
    if (!value || !rows || first?.kind !== 'table') return undefined;
    return {
      sources: [{ ...first, datasource: extended(first.datasource, columns) }, ...others],
      filter: rows.filter,
      distinct: true,
      returned: [
        { name: key, value: { kind: 'conversion', type: 'String', of: value } as const },
        ...columns.map(({ name, type }) => ({
          name,
          value: { kind: 'column', type, source: 0, column: name } as const,
        })),
      ],
    };
  });
  if (!blocks.every((block) => block !== undefined)) return undefined;
  return { combine: 'union', blocks, columns: [{ name: key, type: 'String' }, ...columns] };
}

function extended(datasource: Datasource, columns: Columns): Datasource {
  const others = columns.filter(({ name }) => datasource.columns.every((column) => column.name !== name));
  return { ...datasource, columns: [...datasource.columns, ...others] };
}

/** The value of the key, if it is one of the first datasource alone. */
function keyOf({ returned }: CheckedBlock, key: string): CheckedExpression | undefined {
  const value = returned.find(({ name }) => name === key)?.value;
  return value && isOfFirst(value) ? value : undefined;
}

function isOfFirst(value: CheckedExpression): boolean {
  if ((value.kind === 'column' || value.kind === 'item') && value.source !== 0) return false;
  return value.kind !== 'inSubquery' && operandsOf(value).every(isOfFirst);
}

/**
 * The datasources of which a row can only change the result for the rows of the first datasource that have the same value
 * in one of the `columns`: the first itself, and those joined to it by them. Empty if the key is another value.
 */
export function datasourcesByResource(
  query: CheckedQuery,
  key: string,
  columns: ReadonlySet<string>,
): ReadonlySet<string> {
  const isOne = (column: string | undefined) => column !== undefined && columns.has(column);
  const bySource = (source: CheckedSource, at: number) => {
    if (at === 0) return source.kind === 'table';
    if (source.kind !== 'joined' || source.from !== 0) return false;
    return source.relationship.on.some(
      ({ from, to }) => isOne(from.column) && !from.keys && isOne(to.column) && !to.keys,
    );
  };
  const result = new Set<string>();
  const others = new Set<string>();
  for (const block of query.blocks) {
    const value = keyOf(block, key);
    const column = value?.kind === 'conversion' ? value.of : value;
    if (column?.kind !== 'column' || !isOne(column.column)) return new Set();
    for (const [at, source] of block.sources.entries()) {
      if (source.kind === 'expanded') continue;
      (bySource(source, at) ? result : others).add(source.datasource.name);
    }
    const [, ...subqueries] = blocksIn(block);
    for (const { name } of datasourcesOf({ blocks: subqueries })) others.add(name);
  }
  return new Set([...result].filter((name) => !others.has(name)));
}
