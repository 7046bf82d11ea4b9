import type { Checked, CheckedBlock } from '../check/checked.ts';
import { partsOf } from '../check/parts.ts';
import type { Path } from './tables.ts';

/** What a block reads of one of its sources. */
export interface Needs {
  readonly columns: ReadonlySet<string>;
  /** By what `pathKey` calls them. */
  readonly paths: ReadonlyMap<string, Path>;
}

export function pathKey(column: string, keys: readonly string[]): string {
  return JSON.stringify([column, ...keys]);
}

/**
 * What a block reads of each of its sources, in the order in which its filter names it: engines look at columns in the
 * order in which they are selected. A sub-query has sources of its own.
 */
export function needsOf(block: CheckedBlock): ReadonlyMap<number, Needs> {
  const needs = new Map<number, { columns: Set<string>; paths: Map<string, Path> }>();
  const need = (source: number, column: string, keys: readonly string[] = []) => {
    const known = needs.get(source) ?? { columns: new Set(), paths: new Map() };
    needs.set(source, known);
    known.columns.add(column);
    if (keys.length > 0) known.paths.set(pathKey(column, keys), { column, keys });
  };
  const visit = (value: Checked) => {
    if (value.kind === 'column') need(value.source, value.column);
    if (value.kind === 'path' && value.of.kind === 'column')
      need(value.of.source, value.of.column, value.keys);
    partsOf(value).forEach(visit);
  };
  if (block.filter) visit(block.filter);
  block.sources.forEach((source, at) => {
    if (source.kind === 'expanded') visit(source.array);
    if (source.kind !== 'joined') return;
    for (const { from, to } of source.relationship.on) {
      need(source.from, from.column, from.keys);
      need(at, to.column, to.keys);
    }
  });
  for (const { value } of block.returned) visit(value);
  return needs;
}
