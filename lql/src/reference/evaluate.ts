import type { JoinKey } from '../catalogue/catalogue.ts';
import { type CheckedBlock, type CheckedQuery, type CheckedSource, latestBy } from '../check/checked.ts';
import { evaluate, type Scope } from './expression.ts';
import { atPath, type Json } from './json.ts';
import { convert, jsonString, type Known } from './values.ts';

export type Row = ReadonlyMap<string, Known>;

export interface World {
  rows(datasource: string): readonly Row[];
  readonly now: number;
  /** Whether a regular expression matches the whole string; null if invalid. */
  matches(text: string, pattern: string): boolean | null;
}

/** A row of a datasource, null for an outer-join row, or an item. */
type Part = { readonly row: Row | null } | { readonly item: Json | null };

/** Reference implementation of LQL, simple and slow: tests compare the engines with it. Rows are serialized JSON. */
export function answer(query: CheckedQuery, world: World): string[] {
  const rows = query.blocks.map((block) => {
    const rows = rowsOf(block, world).map((row) => {
      const members = query.columns.map(({ name, type }, at) => {
        const given = block.returned[at]?.value.type ?? 'Null';
        return `${JSON.stringify(name)}:${jsonString(convert(row[at] ?? null, given, type), type)}`;
      });
      return `{${members.join(',')}}`;
    });
    return block.distinct ? [...new Set(rows)] : rows;
  });
  const all = rows.flat();
  return query.blocks.length > 1 && query.combine === 'union' ? [...new Set(all)] : all;
}

function rowsOf(block: CheckedBlock, world: World): Known[][] {
  let combinations: Part[][] = [[]];
  for (const source of block.sources)
    combinations = combinations.flatMap((parts) =>
      partsOf(source, parts, block, world).map((part) => [...parts, part]),
    );
  const scopes = combinations.map((parts) => scopeOf(parts, world));
  const kept = scopes.filter((scope) => !block.filter || evaluate(block.filter, scope) === true);
  return kept.map((scope) => block.returned.map(({ value }) => evaluate(value, scope)));
}

function partsOf(source: CheckedSource, parts: readonly Part[], block: CheckedBlock, world: World): Part[] {
  switch (source.kind) {
    case 'table':
      return world.rows(source.datasource.name).map((row) => ({ row }));
    case 'joined': {
      const left = parts[source.from];
      const from = block.sources[source.from];
      if (!left || !('row' in left) || !from || from.kind === 'expanded') return [{ row: null }];
      const found = world.rows(source.datasource.name).filter((row) =>
        source.relationship.on.every((pair) => {
          const own = keyText(left.row, from.datasource.columns, pair.from);
          return own !== null && own === keyText(row, source.datasource.columns, pair.to);
        }),
      );
      const last = latestBy(source);
      const timestampOf = (row: Row) => Number((last && row.get(last)) ?? Number.NEGATIVE_INFINITY);
      const kept =
        last === undefined
          ? found
          : found.toSorted((one, other) => timestampOf(other) - timestampOf(one)).slice(0, 1);
      return kept.length > 0 ? kept.map((row) => ({ row })) : [{ row: null }];
    }
    case 'expanded': {
      const list = evaluate(source.array, scopeOf(parts, world)) as Json | null;
      if (list?.kind === 'list' && list.items.length > 0) return list.items.map((item) => ({ item }));
      return source.nonEmpty ? [] : [{ item: null }];
    }
  }
}

function keyText(
  row: Row | null,
  columns: readonly { readonly name: string; readonly type: 'String' | 'Number' | 'Timestamp' | 'Json' }[],
  { column, keys }: JoinKey,
): Known {
  const type = columns.find(({ name }) => name === column)?.type ?? 'String';
  const value = row?.get(column) ?? null;
  return convert(type === 'Json' ? atPath(value as Json | null, keys ?? []) : value, type, 'String');
}

function scopeOf(parts: readonly Part[], world: World): Scope {
  return {
    column: (source, column) => {
      const part = parts[source];
      return part && 'row' in part ? (part.row?.get(column) ?? null) : null;
    },
    item: (source) => {
      const part = parts[source];
      return part && 'item' in part ? part.item : null;
    },
    now: world.now,
    matches: world.matches,
    rows: (block) => rowsOf(block, world),
  };
}
