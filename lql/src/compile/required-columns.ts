import { type CheckedBlock, type CheckedExpression, latestBy } from '../check/checked.ts';
import { operandsOf } from '../check/operands.ts';
import type { Path } from './tables.ts';

/** Columns and paths that a block reads from a source. */
export interface RequiredColumns {
  readonly columns: ReadonlySet<string>;
  /** By `pathKey`. */
  readonly paths: ReadonlyMap<string, Path>;
  /** Columns that are expanded. */
  readonly arrays: ReadonlySet<string>;
}

export function pathKey(column: string, keys: readonly string[]): string {
  return JSON.stringify([column, ...keys]);
}

/**
 * By source, in the order of the filter: engines evaluate columns in the order in which they are selected. Subqueries
 * have their own sources.
 */
export function requiredColumns(block: CheckedBlock): ReadonlyMap<number, RequiredColumns> {
  const required = new Map<number, { columns: Set<string>; paths: Map<string, Path>; arrays: Set<string> }>();
  const of = (source: number) => {
    const ofSource = required.get(source) ?? { columns: new Set(), paths: new Map(), arrays: new Set() };
    required.set(source, ofSource);
    return ofSource;
  };
  const add = (source: number, column: string, keys: readonly string[] = []) => {
    of(source).columns.add(column);
    if (keys.length > 0) of(source).paths.set(pathKey(column, keys), { column, keys });
  };
  const visit = (value: CheckedExpression) => {
    if (value.kind === 'column') add(value.source, value.column);
    if (value.kind === 'path' && value.of.kind === 'column')
      add(value.of.source, value.of.column, value.keys);
    operandsOf(value).forEach(visit);
  };
  if (block.filter) visit(block.filter);
  block.sources.forEach((source, at) => {
    if (source.kind === 'expanded') {
      const { array } = source;
      visit(array);
      if (array.kind === 'column') of(array.source).arrays.add(array.column);
    }
    if (source.kind !== 'joined') return;
    const latestColumn = latestBy(source);
    if (latestColumn) add(at, latestColumn);
    for (const { from, to } of source.relationship.on) {
      add(source.from, from.column, from.keys);
      add(at, to.column, to.keys);
    }
  });
  for (const { value } of block.returned) visit(value);
  return required;
}
