import type { Cursor } from './cursor.ts';
import { type Node, partsOf } from './node.ts';
import type { Block, Call, Expression, Union } from './tree.ts';

const expansions: ReadonlySet<string> = new Set(['array_to_rows', 'array_to_rows_non_empty']);

export const isExpansion = (name: string) => expansions.has(name.toLowerCase());

/** Refuses what makes rows wherever it is asked for a value. */
export function refuseExpansions(cursor: Cursor, body: Block | Union): void {
  for (const block of body.kind === 'union' ? body.blocks : [body]) refuseIn(cursor, block, block);
}

function refuseIn(cursor: Cursor, node: Node, block: Block): void {
  const call = node as Expression;
  if (call.kind === 'call' && isSearch(call)) refuseSearch(cursor, call, block);
  else if (call.kind === 'call' && isExpansion(call.name.text)) {
    cursor.whole = false;
    cursor.complain(call, `\`${call.name.text}\` makes rows, not a value: it belongs into \`source\`.`);
  } else {
    const within = (node as Block).kind === 'block' ? (node as Block) : block;
    for (const part of partsOf(node)) refuseIn(cursor, part, within);
  }
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
