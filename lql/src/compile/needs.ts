import type { Checked, CheckedBlock } from '../check/checked.ts';
import { partsOf } from '../check/parts.ts';

/** The columns that a block reads of each of its sources. A sub-query has sources of its own. */
export function needsOf(block: CheckedBlock): ReadonlyMap<number, ReadonlySet<string>> {
  const needs = new Map<number, Set<string>>();
  const need = (source: number, column: string) => {
    needs.set(source, (needs.get(source) ?? new Set()).add(column));
  };
  const left: Checked[] = block.returned.map(({ value }) => value);
  if (block.filter) left.push(block.filter);
  block.sources.forEach((source, at) => {
    if (source.kind === 'expanded') left.push(source.array);
    if (source.kind !== 'joined') return;
    for (const { from, to } of source.relationship.on) {
      need(source.from, from.column);
      need(at, to.column);
    }
  });
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.kind === 'column') need(next.source, next.column);
    left.push(...partsOf(next));
  }
  return needs;
}
