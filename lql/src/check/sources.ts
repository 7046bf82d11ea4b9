import { type Datasource, defaultRelationship } from '../catalogue/catalogue.ts';
import type { Block, Connected, Expansion, Name, StringLiteral } from '../syntax/tree.ts';
import type { CheckedSource } from './checked.ts';
import type { Checking } from './checking.ts';
import { fitted, some, wayTo } from './conversion.ts';
import { nameOf } from './written-sources.ts';

/** A datasource that others are joined to. */
interface Joinable {
  readonly place: number;
  readonly datasource: Datasource | undefined;
}

/** What is still to be added: a source, and for a joined one whose it is. */
interface Waiting {
  readonly item: Connected | Expansion;
  readonly from?: Joinable;
  readonly on?: StringLiteral | undefined;
}

/** Names the sources of a block from left to right; those that are joined follow the one that they are joined to. */
export function checkSources(block: Block, checking: Checking): CheckedSource[] {
  const checked: CheckedSource[] = [];
  const waiting: Waiting[] = block.sources.map((item) => ({ item })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { item } = next;
    if (item.kind === 'expansion') {
      const source = checkExpansion(item, checking);
      if (source) checked.push(source);
      continue;
    }
    const datasource = findDatasource(item.datasource, checking);
    const { place } = checking.scope.addDatasource(nameOf(item), datasource);
    if (!next.from && place > 0) warnOfCombinations(item, checking);
    const source = next.from
      ? joined(next.from, item, datasource, next.on, checking)
      : datasource && { kind: 'table' as const, datasource };
    if (source) checked.push(source);
    const from = { place, datasource };
    for (const { to, on } of item.branches.toReversed()) waiting.push({ item: to, from, on });
  }
  return checked;
}

function warnOfCombinations({ datasource }: Connected, { problems }: Checking): void {
  problems.warn(
    datasource,
    `Nothing relates ${datasource.text} to the sources before it, so that each of its rows comes with each of theirs. Use \`with\` for rows that belong together.`,
  );
}

function findDatasource(name: Name, checking: Checking): Datasource | undefined {
  const { catalogue, problems, spelling, extent } = checking;
  extent.add(name);
  const found = catalogue.find(name.text);
  if (found) return found;
  const { text, fix } = spelling.suggest(name, catalogue.names());
  return problems.error(name, `There is no datasource ${name.text}.${text}`, fix);
}

function joined(
  from: Joinable,
  item: Connected,
  datasource: Datasource | undefined,
  on: StringLiteral | undefined,
  { problems }: Checking,
): CheckedSource | undefined {
  if (!from.datasource || !datasource) return undefined;
  const between = from.datasource.relationships.filter(({ to }) => to === datasource.name);
  const name = on?.value ?? defaultRelationship;
  const relationship = between.find((one) => one.name === name);
  if (relationship) return { kind: 'joined', datasource, from: from.place, relationship };
  const pair = `from ${from.datasource.name} to ${datasource.name}`;
  if (between.length > 0) {
    const names = between.map((one) => `'${one.name}'`).join(', ');
    return problems.error(
      on ?? item.datasource,
      on
        ? `Cannot find defined relationships ${pair} with the name '${name}'. There is: ${names}.`
        : `Cannot find defined relationships ${pair} that need no name. Name one of these with \`on\`: ${names}.`,
    );
  }
  return problems.error(
    item.datasource,
    `Cannot find defined relationships ${pair}. ${others(from.datasource, datasource)}`,
  );
}

function others(from: Datasource, to: Datasource): string {
  if (to.relationships.some((one) => one.to === from.name))
    return `There is one from ${to.name} to ${from.name}: write \`${to.name}\` first.`;
  const names = [...new Set(from.relationships.map((one) => one.to))];
  if (names.length === 0) return `${from.name} has no relationships.`;
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `${from.name} is related to ${names.slice(0, 10).join(', ')}${more}.`;
}

function checkExpansion(item: Expansion, checking: Checking): CheckedSource | undefined {
  const { scope, problems, extent } = checking;
  extent.addExpansion(item);
  const isFirst = scope.sources.length === 0;
  if (isFirst)
    problems.error(item, 'The first source must be a datasource: name it before what is expanded of it.');
  const value = isFirst ? undefined : checking.value(item.array);
  scope.addExpansion(nameOf(item), item.column.text);
  if (!value) return undefined;
  const array = fitted(value, 'Json');
  if (array) return { kind: 'expanded', array, nonEmpty: item.nonEmpty };
  const way = value.type === 'String' ? `: ${wayTo('String', 'Json')}.` : '.';
  return problems.error(item.array, `Only Json has items that make rows; this is ${some(value.type)}${way}`);
}
