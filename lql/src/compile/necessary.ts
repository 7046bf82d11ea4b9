import type { Checked, CheckedBlock } from '../check/checked.ts';

/**
 * Expansions whose null rows are dropped by a filter or a later expansion anyway. They can use inner expansion, which is
 * cheaper.
 */
export function necessaryItems({ sources, filter }: CheckedBlock): ReadonlySet<number> {
  const necessary = new Set<number>();
  if (filter) for (const item of requiredItems(filter)) necessary.add(item);
  for (let at = sources.length - 1; at >= 0; at--) {
    const source = sources[at];
    if (source?.kind !== 'expanded' || !(source.nonEmpty || necessary.has(at))) continue;
    const item = itemOf(source.array);
    if (item !== undefined) necessary.add(item);
  }
  return necessary;
}

/** Items that are not null if the condition is true. */
function requiredItems(condition: Checked): number[] {
  switch (condition.kind) {
    case 'combined':
      return condition.operator === 'and' ? condition.values.flatMap(requiredItems) : [];
    case 'compared':
      return [condition.left, condition.right].flatMap((value) => itemOf(value) ?? []);
    case 'among':
    case 'matched':
      return [itemOf(condition.value) ?? []].flat();
    default:
      return [];
  }
}

/** The item that a value is derived from: null if the item is null. */
function itemOf(value: Checked): number | undefined {
  if (value.kind === 'item') return value.source;
  return value.kind === 'path' || value.kind === 'converted' ? itemOf(value.of) : undefined;
}
