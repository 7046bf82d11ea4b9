import type { Checked, CheckedBlock } from '../check/checked.ts';
import { partsOf } from '../check/parts.ts';

/**
 * The columns that a block reads of each of its sources, in the order in which its filter names them: engines look at
 * them in the order in which they are selected. A sub-query has sources of its own.
 */
export function needsOf(block: CheckedBlock): ReadonlyMap<number, ReadonlySet<string>> {
  const needs = new Map<number, Set<string>>();
  const need = (source: number, column: string) => {
    needs.set(source, (needs.get(source) ?? new Set()).add(column));
  };
  const visit = (value: Checked) => {
    if (value.kind === 'column') need(value.source, value.column);
    partsOf(value).forEach(visit);
  };
  if (block.filter) visit(block.filter);
  block.sources.forEach((source, at) => {
    if (source.kind === 'expanded') visit(source.array);
    if (source.kind !== 'joined') return;
    for (const { from, to } of source.relationship.on) {
      need(source.from, from.column);
      need(at, to.column);
    }
  });
  for (const { value } of block.returned) visit(value);
  return needs;
}
