import { keywordOf } from './keywords.ts';
import {
  braced,
  concat,
  group,
  hardLine,
  indented,
  join,
  type Layout,
  line,
  parenthesised,
  render,
} from './layout.ts';
import { printExpression } from './print-expression.ts';
import { writeString } from './strings.ts';
import type { Block, Branch, Connected, Document, Expansion, Name, ReturnItem, SourceItem } from './tree.ts';

/** Formats a query. Parsing the result gives the same tree; comments are lost. */
export function print({ id, body }: Document): string {
  const head = id ? `${id.text} ` : '';
  const text = body.kind === 'block' ? printMultiline(body) : printUnion(body.all, body.blocks);
  return render(concat(head, text));
}

function printUnion(all: boolean, blocks: readonly Block[]): Layout {
  const head = all ? 'union all {' : 'union {';
  return concat(
    head,
    indented(concat(hardLine, join(blocks.map(printMultiline), ',', hardLine))),
    hardLine,
    '}',
  );
}

function clausesOf({ sources, filter, distinct, items }: Block): Layout[] {
  return [
    concat('source ', braced(join(sources.map(printSource), ',', line))),
    ...(filter ? [concat('filter ', braced(printExpression(filter)))] : []),
    concat(distinct ? 'return distinct ' : 'return ', braced(join(items.map(printItem), ',', line))),
  ];
}

/** Each clause starts a line. */
const printMultiline = (block: Block) =>
  concat('{', indented(concat(hardLine, join(clausesOf(block), hardLine))), hardLine, '}');

/** On one line if it fits. */
export const printBlock = (block: Block): Layout => braced(join(clausesOf(block), line));

const printSource = (item: SourceItem) =>
  item.kind === 'expansion' ? printExpansion(item) : printConnected(item);

function printExpansion({ nonEmpty, array, table, column }: Expansion): Layout {
  const name = nonEmpty ? 'array_to_rows_non_empty' : 'array_to_rows';
  return concat(name, parenthesised([printExpression(array)]), ` as ${table?.text ?? ''}(${column.text})`);
}

const printAlias = (alias: Name | undefined) =>
  alias ? `${keywordOf(alias.text) ? ' as ' : ' '}${alias.text}` : '';

/** `closed` prevents a following `on` from attaching to the last branch. */
function printConnected({ datasource, alias, branches }: Connected, closed = false): Layout {
  const name = `${datasource.text}${printAlias(alias)}`;
  const [first] = branches;
  if (!first) return concat(name);
  const bare = branches.length === 1 && !(closed && first.on === undefined);
  const target = bare ? printBranch(first) : parenthesised(branches.map(printBranch));
  return group(concat(name, indented(concat(line, 'with ', target))));
}

function printBranch({ to, on }: Branch): Layout {
  if (!on) return printConnected(to);
  return concat(printConnected(to, true), ` on ${writeString(on.value, on.form)}`);
}

function printItem(item: ReturnItem): Layout {
  if (item.kind === 'all') return concat(`${item.of.text}.*`);
  return concat(printExpression(item.value), item.alias ? ` as ${item.alias.text}` : '');
}
