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

/** What a block reads of each of its sources. A sub-query has sources of its own. */
export function needsOf(block: CheckedBlock): ReadonlyMap<number, Needs> {
  const needs = new Map<number, { columns: Set<string>; paths: Map<string, Path> }>();
  const need = (source: number, column: string, keys: readonly string[] = []) => {
    const known = needs.get(source) ?? { columns: new Set(), paths: new Map() };
    needs.set(source, known);
    known.columns.add(column);
    if (keys.length > 0) known.paths.set(pathKey(column, keys), { column, keys });
  };
  const left: Checked[] = block.returned.map(({ value }) => value);
  if (block.filter) left.push(block.filter);
  block.sources.forEach((source, at) => {
    if (source.kind === 'expanded') left.push(source.array);
    if (source.kind !== 'joined') return;
    for (const { from, to } of source.relationship.on) {
      need(source.from, from.column, from.keys);
      need(at, to.column, to.keys);
    }
  });
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.kind === 'column') need(next.source, next.column);
    if (next.kind === 'path' && next.of.kind === 'column') need(next.of.source, next.of.column, next.keys);
    left.push(...partsOf(next));
  }
  return needs;
}
