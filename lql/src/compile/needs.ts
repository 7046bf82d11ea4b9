import { type Checked, type CheckedBlock, lastTold } from '../check/checked.ts';
import { partsOf } from '../check/parts.ts';
import type { Path } from './tables.ts';

/** What a block reads of one of its sources. */
export interface Needs {
  readonly columns: ReadonlySet<string>;
  /** By what `pathKey` calls them. */
  readonly paths: ReadonlyMap<string, Path>;
  /** The columns that are taken apart. */
  readonly lists: ReadonlySet<string>;
}

export function pathKey(column: string, keys: readonly string[]): string {
  return JSON.stringify([column, ...keys]);
}

/**
 * What a block reads of each of its sources, in the order in which its filter names it: engines look at columns in the
 * order in which they are selected. A sub-query has sources of its own.
 */
export function needsOf(block: CheckedBlock): ReadonlyMap<number, Needs> {
  const needs = new Map<number, { columns: Set<string>; paths: Map<string, Path>; lists: Set<string> }>();
  const of = (source: number) => {
    const known = needs.get(source) ?? { columns: new Set(), paths: new Map(), lists: new Set() };
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
      if (array.kind === 'column') of(array.source).lists.add(array.column);
    }
    if (source.kind !== 'joined') return;
    const last = lastTold(source);
    if (last) need(at, last);
    for (const { from, to } of source.relationship.on) {
      need(source.from, from.column, from.keys);
      need(at, to.column, to.keys);
    }
  });
  for (const { value } of block.returned) visit(value);
  return needs;
}
