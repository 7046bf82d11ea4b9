import type { Name, SourceItem } from '../syntax/tree.ts';

/** How a source is called in its block. */
export function nameOf(item: SourceItem): Name {
  if (item.kind === 'connected') return item.alias ?? item.datasource;
  return item.table ?? item.column;
}

/** Sources in the order of their places: those that are joined follow the one that they are joined to. */
export function* flattened(items: readonly SourceItem[]): Generator<SourceItem> {
  const waiting: SourceItem[] = [...items].reverse();
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    yield item;
    if (item.kind === 'connected') for (const branch of item.branches.toReversed()) waiting.push(branch.to);
  }
}
