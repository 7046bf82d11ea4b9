import type { Name, SourceItem } from '../syntax/tree.ts';

export function nameOf(item: SourceItem): Name {
  if (item.kind === 'connected') return item.alias ?? item.datasource;
  return item.table ?? item.column;
}

/** Depth-first: joined sources follow the one that they are joined to. */
export function* flattened(items: readonly SourceItem[]): Generator<SourceItem> {
  const pending: SourceItem[] = [...items].reverse();
  for (let item = pending.pop(); item; item = pending.pop()) {
    yield item;
    if (item.kind === 'connected') for (const branch of item.branches.toReversed()) pending.push(branch.to);
  }
}
