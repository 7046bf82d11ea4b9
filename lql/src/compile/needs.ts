import type { Checked, CheckedBlock } from '../check/checked.ts';

/** The columns that a block reads of each of its sources. A sub-query has sources of its own. */
export function needsOf(block: CheckedBlock): ReadonlyMap<number, ReadonlySet<string>> {
  const needs = new Map<number, Set<string>>();
  const need = (source: number, column: string) => {
    const columns = needs.get(source) ?? new Set();
    needs.set(source, columns.add(column));
  };
  block.sources.forEach((source, at) => {
    if (source.kind === 'expanded') visit(source.array, need);
    if (source.kind !== 'joined') return;
    for (const { from, to } of source.relationship.on) {
      need(source.from, from.column);
      need(at, to.column);
    }
  });
  if (block.filter) visit(block.filter, need);
  for (const { value } of block.returned) visit(value, need);
  return needs;
}

function visit(checked: Checked, need: (source: number, column: string) => void): void {
  const left = [checked];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.kind === 'column') need(next.source, next.column);
    left.push(...partsOf(next));
  }
}

function partsOf(checked: Checked): readonly Checked[] {
  switch (checked.kind) {
    case 'constant':
    case 'column':
    case 'item':
      return [];
    case 'path':
    case 'converted':
    case 'negated':
    case 'inverted':
      return [checked.of];
    case 'called':
    case 'combined':
    case 'within':
      return checked.values;
    case 'chosen':
      return [
        ...checked.branches.flatMap(({ when, then }) => [when, then]),
        ...(checked.otherwise ? [checked.otherwise] : []),
      ];
    case 'computed':
    case 'joinedText':
    case 'compared':
      return [checked.left, checked.right];
    case 'among':
      return [checked.value, ...checked.values];
    case 'matched':
      return [checked.value, ...checked.patterns];
    case 'nullTested':
      return [checked.value];
  }
}
