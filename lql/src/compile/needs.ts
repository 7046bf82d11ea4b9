import { type Checked, type CheckedBlock, latestBy } from '../check/checked.ts';
import { partsOf } from '../check/parts.ts';
import type { Path } from './tables.ts';

/** Columns and paths that a block reads from a source. */
export interface Needs {
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
export function needsOf(block: CheckedBlock): ReadonlyMap<number, Needs> {
  const needs = new Map<number, { columns: Set<string>; paths: Map<string, Path>; arrays: Set<string> }>();
  const of = (source: number) => {
    const known = needs.get(source) ?? { columns: new Set(), paths: new Map(), arrays: new Set() };
    needs.set(source, known);
    return known;
  };
  const need = (source: number, column: string, keys: readonly string[] = []) => {
    of(source).columns.add(column);
    if (keys.length > 0) of(source).paths.set(pathKey(column, keys), { column, keys });
  };
  const visit = (value: Checked) => {
    if (value.kind === 'column') need(value.source, value.column);
    if (value.kind === 'path' && value.of.kind === 'column')
      need(value.of.source, value.of.column, value.keys);
    partsOf(value).forEach(visit);
  };
  if (block.filter) visit(block.filter);
  block.sources.forEach((source, at) => {
    if (source.kind === 'expanded') {
      const { array } = source;
      visit(array);
      if (array.kind === 'column') of(array.source).arrays.add(array.column);
    }
    if (source.kind !== 'joined') return;
    const last = latestBy(source);
    if (last) need(at, last);
    for (const { from, to } of source.relationship.on) {
      need(source.from, from.column, from.keys);
      need(at, to.column, to.keys);
    }
  });
  for (const { value } of block.returned) visit(value);
  return needs;
}
