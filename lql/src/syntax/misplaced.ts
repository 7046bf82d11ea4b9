import type { Cursor } from './cursor.ts';
import { isExpansion } from './keywords.ts';
import { childrenOf, type Node } from './node.ts';
import type { Block, Call, Expression, Union } from './tree.ts';

/** Rejects tuples and expansions in places where the grammar allows any expression. */
export function rejectMisplaced(cursor: Cursor, body: Block | Union): void {
  for (const block of body.kind === 'union' ? body.blocks : [body]) rejectIn(cursor, block, block);
}

function rejectIn(cursor: Cursor, node: Node, block: Block): void {
  const part = node as Expression | Block;
  if (part.kind === 'call' && isSearch(part)) rejectSearch(cursor, part, block);
  else if (part.kind === 'call' && isExpansion(part.name.text)) {
    reject(cursor, part, `\`${part.name.text}\` makes rows, not a value: use it in \`source\`.`);
  } else if (part.kind === 'row') {
    reject(cursor, part, 'Several values in parentheses are only allowed before `in { … }`.');
  } else {
    const within = part.kind === 'block' ? part : block;
    for (const child of visitedChildren(part)) rejectIn(cursor, child, within);
  }
}

/** Replaces an allowed tuple by its values. */
function visitedChildren(part: Expression | Block): readonly Node[] {
  if (part.kind !== 'inBlock' || part.value.kind !== 'row') return childrenOf(part);
  return [...part.value.values, part.block];
}

function reject(cursor: Cursor, part: Node, message: string): void {
  cursor.isComplete = false;
  cursor.error(part, message);
}

/** `value_exists(array_to_rows(array), item, condition)`, a form of outdated LQL notes. */
function isSearch({ name, values }: Call): boolean {
  const [list] = values;
  return (
    name.text.toLowerCase() === 'value_exists' &&
    values.length === 3 &&
    list?.kind === 'call' &&
    isExpansion(list.name.text)
  );
}

function rejectSearch(cursor: Cursor, call: Call, block: Block): void {
  cursor.isComplete = false;
  if (cursor.isFull) return;
  const [list, item, condition] = call.values as [Call, Expression, Expression];
  const written = ({ start, end }: Node) => cursor.text.slice(start, end);
  const from = block.sources.at(-1)?.end ?? call.start;
  const between = cursor.text.slice(from, call.start);
  const text = `, ${written(list)} as (${written(item)})${between}(${written(condition)})`;
  cursor.error(
    call,
    '`value_exists` takes one value. To search an array, make rows of its items in `source` and filter them.',
    isPositiveCondition(block.filter, call) && item.kind === 'column'
      ? { start: from, end: call.end, text }
      : undefined,
  );
}

/** Not negated, so that duplicate rows do not change the result. */
function isPositiveCondition(filter: Expression | undefined, call: Call): boolean {
  if (filter?.kind === 'logical') return filter.values.some((value) => isPositiveCondition(value, call));
  return filter === call;
}
