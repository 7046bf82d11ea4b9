import type { Checked, CheckedBlock } from '../check/checked.ts';

/**
 * The expansions of a block whose rows of nulls never reach the result: a filter or a later expansion drops them. They
 * need not be made, which spares the engine a look at every list.
 */
export function necessaryItems({ sources, filter }: CheckedBlock): ReadonlySet<number> {
  const necessary = new Set<number>();
  if (filter) for (const item of demanded(filter)) necessary.add(item);
  for (let at = sources.length - 1; at >= 0; at--) {
    const source = sources[at];
    if (source?.kind !== 'expanded' || !(source.nonEmpty || necessary.has(at))) continue;
    const item = itemOf(source.array);
    if (item !== undefined) necessary.add(item);
  }
  return necessary;
}

/** The items that can not be null where the condition is true. */
function demanded(condition: Checked): number[] {
  switch (condition.kind) {
    case 'combined':
      return condition.operator === 'and' ? condition.values.flatMap(demanded) : [];
    case 'compared':
      return [condition.left, condition.right].flatMap((value) => itemOf(value) ?? []);
    case 'among':
    case 'matched':
      return [itemOf(condition.value) ?? []].flat();
    default:
      return [];
  }
}

/** The item that a value is a part of, so that it is null where that is null. */
function itemOf(value: Checked): number | undefined {
  if (value.kind === 'item') return value.source;
  return value.kind === 'path' || value.kind === 'converted' ? itemOf(value.of) : undefined;
}
