import type { Cursor } from './cursor.ts';
import { isExpansion } from './keywords.ts';
import { childrenOf, type Node } from './node.ts';
import type { Block, Call, Expression, Union } from './tree.ts';

/** Rejects tuples and expansions where the grammar allows any expression. */
export function rejectMisplaced(cursor: Cursor, body: Block | Union): void {
  for (const block of body.kind === 'union' ? body.blocks : [body]) rejectIn(cursor, block, block);
}

function rejectIn(cursor: Cursor, node: Node, block: Block): void {
  const visited = node as Expression | Block;
  if (visited.kind === 'call' && isArraySearch(visited)) rejectArraySearch(cursor, visited, block);
  else if (visited.kind === 'call' && isExpansion(visited.name.text)) {
    reject(cursor, visited, `\`${visited.name.text}\` makes rows, not a value: use it in \`source\`.`);
  } else if (visited.kind === 'row') {
    reject(cursor, visited, 'Several values in parentheses are only allowed before `in { … }`.');
  } else {
    const enclosing = visited.kind === 'block' ? visited : block;
    for (const child of visitedChildren(visited)) rejectIn(cursor, child, enclosing);
  }
}

/** Replaces an allowed tuple by its values. */
function visitedChildren(visited: Expression | Block): readonly Node[] {
  if (visited.kind !== 'inBlock' || visited.value.kind !== 'row') return childrenOf(visited);
  return [...visited.value.values, visited.block];
}

function reject(cursor: Cursor, visited: Node, message: string): void {
  cursor.isComplete = false;
  cursor.error(visited, message);
}

/** `value_exists(array_to_rows(array), item, condition)`, a form of outdated LQL notes. */
function isArraySearch({ name, values }: Call): boolean {
  const [array] = values;
  return (
    name.text.toLowerCase() === 'value_exists' &&
    values.length === 3 &&
    array?.kind === 'call' &&
    isExpansion(array.name.text)
  );
}

function rejectArraySearch(cursor: Cursor, call: Call, block: Block): void {
  cursor.isComplete = false;
  if (cursor.hasMaxErrors) return;
  const [array, item, condition] = call.values as [Call, Expression, Expression];
  const sourceOf = ({ start, end }: Node) => cursor.text.slice(start, end);
  const from = block.sources.at(-1)?.end ?? call.start;
  const between = cursor.text.slice(from, call.start);
  const text = `, ${sourceOf(array)} as (${sourceOf(item)})${between}(${sourceOf(condition)})`;
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
