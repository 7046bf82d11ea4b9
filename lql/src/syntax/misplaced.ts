import type { Cursor } from './cursor.ts';
import { isExpansion } from './keywords.ts';
import { type Node, partsOf } from './node.ts';
import type { Block, Call, Expression, Union } from './tree.ts';

/** Refuses what the grammar would let stand anywhere: rows of values, and what makes rows where a value is meant. */
export function refuseMisplaced(cursor: Cursor, body: Block | Union): void {
  for (const block of body.kind === 'union' ? body.blocks : [body]) refuseIn(cursor, block, block);
}

function refuseIn(cursor: Cursor, node: Node, block: Block): void {
  const part = node as Expression | Block;
  if (part.kind === 'call' && isSearch(part)) refuseSearch(cursor, part, block);
  else if (part.kind === 'call' && isExpansion(part.name.text)) {
    refuse(cursor, part, `\`${part.name.text}\` makes rows, not a value: it belongs into \`source\`.`);
  } else if (part.kind === 'row') {
    refuse(cursor, part, 'Several values in parentheses may only stand before `in { … }`.');
  } else {
    const within = part.kind === 'block' ? part : block;
    for (const child of childrenOf(part)) refuseIn(cursor, child, within);
  }
}

/** Those of a row where it may stand, instead of the row. */
function childrenOf(part: Expression | Block): readonly Node[] {
  if (part.kind !== 'inBlock' || part.value.kind !== 'row') return partsOf(part);
  return [...part.value.values, part.block];
}

function refuse(cursor: Cursor, part: Node, message: string): void {
  cursor.whole = false;
  cursor.complain(part, message);
}

/** `value_exists(array_to_rows(list), item, condition)`, which some notes on the language know. */
function isSearch({ name, values }: Call): boolean {
  const [list] = values;
  return (
    name.text.toLowerCase() === 'value_exists' &&
    values.length === 3 &&
    list?.kind === 'call' &&
    isExpansion(list.name.text)
  );
}

function refuseSearch(cursor: Cursor, call: Call, block: Block): void {
  cursor.whole = false;
  if (cursor.full) return;
  const [list, item, condition] = call.values as [Call, Expression, Expression];
  const written = ({ start, end }: Node) => cursor.text.slice(start, end);
  const from = block.sources.at(-1)?.end ?? call.start;
  const between = cursor.text.slice(from, call.start);
  const text = `, ${written(list)} as (${written(item)})${between}(${written(condition)})`;
  cursor.complain(
    call,
    '`value_exists` takes one value. To search a list, make rows of its items in `source` and ask of those.',
    isAsked(block.filter, call) && item.kind === 'column' ? { start: from, end: call.end, text } : undefined,
  );
}

/** Nothing negates it: a row that is found more than once is then a row that is found. */
function isAsked(filter: Expression | undefined, call: Call): boolean {
  if (filter?.kind === 'logical') return filter.values.some((value) => isAsked(value, call));
  return filter === call;
}
