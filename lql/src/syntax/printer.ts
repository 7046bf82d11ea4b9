import { keywordOf } from './keywords.ts';
import {
  blank,
  braced,
  end,
  group,
  indented,
  joined,
  type Layout,
  parenthesised,
  render,
  row,
} from './layout.ts';
import { printExpression } from './print-expression.ts';
import { writeString } from './strings.ts';
import type { Block, Branch, Connected, Document, Expansion, Name, ReturnItem, SourceItem } from './tree.ts';

/** Formats a query. Parsing the result gives the same tree; comments are lost. */
export function print({ id, body }: Document): string {
  const head = id ? `${id.text} ` : '';
  const text = body.kind === 'block' ? printLong(body) : printUnion(body.all, body.blocks);
  return render(row(head, text));
}

function printUnion(all: boolean, blocks: readonly Block[]): Layout {
  const head = all ? 'union all {' : 'union {';
  return row(head, indented(row(end, joined(blocks.map(printLong), ',', end))), end, '}');
}

function clauses({ sources, filter, distinct, items }: Block): Layout[] {
  return [
    row('source ', braced(joined(sources.map(printSource), ',', blank))),
    ...(filter ? [row('filter ', braced(printExpression(filter)))] : []),
    row(distinct ? 'return distinct ' : 'return ', braced(joined(items.map(printItem), ',', blank))),
  ];
}

/** Each clause starts a line. */
const printLong = (block: Block) => row('{', indented(row(end, joined(clauses(block), end))), end, '}');

/** On one line if it fits. */
export const printBlock = (block: Block): Layout => braced(joined(clauses(block), blank));

const printSource = (item: SourceItem) =>
  item.kind === 'expansion' ? printExpansion(item) : printConnected(item);

function printExpansion({ nonEmpty, array, table, column }: Expansion): Layout {
  const name = nonEmpty ? 'array_to_rows_non_empty' : 'array_to_rows';
  return row(name, parenthesised([printExpression(array)]), ` as ${table?.text ?? ''}(${column.text})`);
}

const printAlias = (alias: Name | undefined) =>
  alias ? `${keywordOf(alias.text) ? ' as ' : ' '}${alias.text}` : '';

/** `closed` prevents a following `on` from attaching to the last branch. */
function printConnected({ datasource, alias, branches }: Connected, closed = false): Layout {
  const name = `${datasource.text}${printAlias(alias)}`;
  const [first] = branches;
  if (!first) return row(name);
  const bare = branches.length === 1 && !(closed && first.on === undefined);
  const target = bare ? printBranch(first) : parenthesised(branches.map(printBranch));
  return group(row(name, indented(row(blank, 'with ', target))));
}

function printBranch({ to, on }: Branch): Layout {
  if (!on) return printConnected(to);
  return row(printConnected(to, true), ` on ${writeString(on.value, on.form)}`);
}

function printItem(item: ReturnItem): Layout {
  if (item.kind === 'all') return row(`${item.of.text}.*`);
  return row(printExpression(item.value), item.alias ? ` as ${item.alias.text}` : '');
}
