import type { JoinKey } from '../catalogue/catalogue.ts';
import { type CheckedBlock, type CheckedQuery, type CheckedSource, latestBy } from '../check/checked.ts';
import { evaluate, type Scope } from './expression.ts';
import { atPath, type Json } from './json.ts';
import { convert, jsonString, type ReferenceValue } from './values.ts';

export type Row = ReadonlyMap<string, ReferenceValue>;

export interface EvaluationContext {
  rows(datasource: string): readonly Row[];
  readonly now: number;
  /** Whether a regular expression matches the whole string; null if invalid. */
  matches(string: string, pattern: string): boolean | null;
}

/** A row of a datasource, null for an outer-join row, or an item. */
type SourceRow = { readonly row: Row | null } | { readonly item: Json | null };

/** Reference implementation of LQL, simple and slow: tests compare the engines with it. Rows are serialized JSON. */
export function evaluateQuery(query: CheckedQuery, context: EvaluationContext): string[] {
  const rows = query.blocks.map((block) => {
    const rows = rowsOf(block, context).map((row) => {
      const members = query.columns.map(({ name, type }, at) => {
        const valueType = block.returned[at]?.value.type ?? 'Null';
        return `${JSON.stringify(name)}:${jsonString(convert(row[at] ?? null, valueType, type), type)}`;
      });
      return `{${members.join(',')}}`;
    });
    return block.distinct ? [...new Set(rows)] : rows;
  });
  const all = rows.flat();
  return query.blocks.length > 1 && query.combine === 'union' ? [...new Set(all)] : all;
}

function rowsOf(block: CheckedBlock, context: EvaluationContext): ReferenceValue[][] {
  let combinations: SourceRow[][] = [[]];
  for (const source of block.sources)
    combinations = combinations.flatMap((sourceRows) =>
      rowsOfSource(source, sourceRows, block, context).map((sourceRow) => [...sourceRows, sourceRow]),
    );
  const scopes = combinations.map((sourceRows) => scopeOf(sourceRows, context));
  const matching = scopes.filter((scope) => !block.filter || evaluate(block.filter, scope) === true);
  return matching.map((scope) => block.returned.map(({ value }) => evaluate(value, scope)));
}

function rowsOfSource(
  source: CheckedSource,
  sourceRows: readonly SourceRow[],
  block: CheckedBlock,
  context: EvaluationContext,
): SourceRow[] {
  switch (source.kind) {
    case 'table':
      return context.rows(source.datasource.name).map((row) => ({ row }));
    case 'joined': {
      const left = sourceRows[source.from];
      const from = block.sources[source.from];
      if (!left || !('row' in left) || !from || from.kind === 'expanded') return [{ row: null }];
      const matching = context.rows(source.datasource.name).filter((row) =>
        source.relationship.on.every((pair) => {
          const own = keyString(left.row, from.datasource.columns, pair.from);
          return own !== null && own === keyString(row, source.datasource.columns, pair.to);
        }),
      );
      const latestColumn = latestBy(source);
      const timestampOf = (row: Row) =>
        Number((latestColumn && row.get(latestColumn)) ?? Number.NEGATIVE_INFINITY);
      const joined =
        latestColumn === undefined
          ? matching
          : matching.toSorted((one, other) => timestampOf(other) - timestampOf(one)).slice(0, 1);
      return joined.length > 0 ? joined.map((row) => ({ row })) : [{ row: null }];
    }
    case 'expanded': {
      const array = evaluate(source.array, scopeOf(sourceRows, context)) as Json | null;
      if (array?.kind === 'array' && array.items.length > 0) return array.items.map((item) => ({ item }));
      return source.nonEmpty ? [] : [{ item: null }];
    }
  }
}

function keyString(
  row: Row | null,
  columns: readonly { readonly name: string; readonly type: 'String' | 'Number' | 'Timestamp' | 'Json' }[],
  { column, keys }: JoinKey,
): ReferenceValue {
  const type = columns.find(({ name }) => name === column)?.type ?? 'String';
  const value = row?.get(column) ?? null;
  return convert(type === 'Json' ? atPath(value as Json | null, keys ?? []) : value, type, 'String');
}

function scopeOf(sourceRows: readonly SourceRow[], context: EvaluationContext): Scope {
  return {
    column: (source, column) => {
      const sourceRow = sourceRows[source];
      return sourceRow && 'row' in sourceRow ? (sourceRow.row?.get(column) ?? null) : null;
    },
    item: (source) => {
      const sourceRow = sourceRows[source];
      return sourceRow && 'item' in sourceRow ? sourceRow.item : null;
    },
    now: context.now,
    matches: context.matches,
    rows: (block) => rowsOf(block, context),
  };
}
