import { type Datasource, defaultRelationship } from '../catalogue/catalogue.ts';
import type { Block, Connected, Expansion, Name, StringLiteral } from '../syntax/tree.ts';
import type { BlockContext } from './block-context.ts';
import type { CheckedSource } from './checked.ts';
import { conversionHint, implicitlyConverted, withArticle } from './conversion.ts';
import { nameOf } from './source-items.ts';

interface Joinable {
  readonly index: number;
  readonly datasource: Datasource | undefined;
}

interface PendingSource {
  readonly item: Connected | Expansion;
  readonly from?: Joinable;
  readonly on?: StringLiteral | undefined;
}

/** Depth-first from left to right: joined sources follow the one that they are joined to. */
export function checkSources(block: Block, context: BlockContext): CheckedSource[] {
  const checked: CheckedSource[] = [];
  const pending: PendingSource[] = block.sources.map((item) => ({ item })).reverse();
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { item } = next;
    if (item.kind === 'expansion') {
      const source = checkExpansion(item, context);
      if (source) checked.push(source);
      continue;
    }
    const datasource = findDatasource(item.datasource, context);
    const { index } = context.scope.addDatasource(nameOf(item), datasource);
    if (!next.from && index > 0) warnCrossJoin(item, context);
    const source = next.from
      ? checkJoin(next.from, item, datasource, next.on, context)
      : datasource && { kind: 'table' as const, datasource };
    if (source) checked.push(source);
    const from = { index, datasource };
    for (const { to, on } of item.branches.toReversed()) pending.push({ item: to, from, on });
  }
  return checked;
}

function warnCrossJoin({ datasource }: Connected, { problems }: BlockContext): void {
  problems.warn(
    datasource,
    `${datasource.text} is not related to the sources before it, so the result is a cross join. Use \`with\` to join related rows.`,
  );
}

function findDatasource(name: Name, context: BlockContext): Datasource | undefined {
  const { catalogue, problems, spelling, limits } = context;
  limits.add(name);
  const datasource = catalogue.find(name.text);
  if (datasource) return datasource;
  const { text, fix } = spelling.suggest(name, catalogue.names());
  return problems.error(name, `There is no datasource ${name.text}.${text}`, fix);
}

function checkJoin(
  from: Joinable,
  item: Connected,
  datasource: Datasource | undefined,
  on: StringLiteral | undefined,
  { problems }: BlockContext,
): CheckedSource | undefined {
  if (!from.datasource || !datasource) return undefined;
  const relationships = from.datasource.relationships.filter(({ to }) => to === datasource.name);
  const name = on?.value ?? defaultRelationship;
  const relationship = relationships.find((one) => one.name === name);
  if (relationship) return { kind: 'joined', datasource, from: from.index, relationship };
  const pair = `from ${from.datasource.name} to ${datasource.name}`;
  if (relationships.length > 0) {
    const names = relationships.map((one) => `'${one.name}'`).join(', ');
    return problems.error(
      on ?? item.datasource,
      on
        ? `Cannot find defined relationships ${pair} with the name '${name}'. There is: ${names}.`
        : `Cannot find defined relationships ${pair} that need no name. Name one of these with \`on\`: ${names}.`,
    );
  }
  return problems.error(
    item.datasource,
    `Cannot find defined relationships ${pair}. ${alternatives(from.datasource, datasource)}`,
  );
}

function alternatives(from: Datasource, to: Datasource): string {
  if (to.relationships.some((one) => one.to === from.name))
    return `There is one from ${to.name} to ${from.name}: write \`${to.name}\` first.`;
  const names = [...new Set(from.relationships.map((one) => one.to))];
  if (names.length === 0) return `${from.name} has no relationships.`;
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `${from.name} is related to ${names.slice(0, 10).join(', ')}${more}.`;
}

function checkExpansion(item: Expansion, context: BlockContext): CheckedSource | undefined {
  const { scope, problems, limits } = context;
  limits.addExpansion(item);
  const isFirst = scope.sources.length === 0;
  if (isFirst) problems.error(item, 'The first source must be a datasource: expansions come after it.');
  const value = isFirst ? undefined : context.value(item.array);
  scope.addExpansion(nameOf(item), item.column.text);
  if (!value) return undefined;
  const array = implicitlyConverted(value, 'Json');
  if (array) return { kind: 'expanded', array, nonEmpty: item.nonEmpty };
  const hint = value.type === 'String' ? `: ${conversionHint('String', 'Json')}.` : '.';
  return problems.error(item.array, `Only Json can be expanded; this is ${withArticle(value.type)}${hint}`);
}
