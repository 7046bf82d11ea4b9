import type { CheckedBlock, CheckedExpression } from '../check/checked.ts';

/**
 * Expansions whose null rows are dropped by a filter or a later expansion anyway. They can use inner expansion, which is
 * cheaper.
 */
export function requiredItems({ sources, filter }: CheckedBlock): ReadonlySet<number> {
  const required = new Set<number>();
  if (filter) for (const item of itemsRequiredBy(filter)) required.add(item);
  for (let at = sources.length - 1; at >= 0; at--) {
    const source = sources[at];
    if (source?.kind !== 'expanded' || !(source.nonEmpty || required.has(at))) continue;
    const item = itemOf(source.array);
    if (item !== undefined) required.add(item);
  }
  return required;
}

/** Items that are not null if the condition is true. */
function itemsRequiredBy(condition: CheckedExpression): number[] {
  switch (condition.kind) {
    case 'logical':
      return condition.operator === 'and' ? condition.values.flatMap(itemsRequiredBy) : [];
    case 'comparison':
      return [condition.left, condition.right].flatMap((value) => itemOf(value) ?? []);
    case 'inList':
    case 'pattern':
      return [itemOf(condition.value) ?? []].flat();
    default:
      return [];
  }
}

/** The item that a value is derived from: null if the item is null. */
function itemOf(value: CheckedExpression): number | undefined {
  if (value.kind === 'item') return value.source;
  return value.kind === 'path' || value.kind === 'conversion' ? itemOf(value.of) : undefined;
}
