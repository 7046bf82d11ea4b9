import type { Block, Document, ReturnItem } from '../syntax/tree.ts';
import type { Problem } from '../text/problem.ts';
import type { CheckedBlock, CheckedExpression, CheckedQuery, CheckedSource } from './checked.ts';
import { operandsOf } from './operands.ts';
import { Problems } from './problems.ts';
import { resultName } from './returned-columns.ts';
import { flattened, nameOf } from './source-items.ts';

/** Activity datasources: a policy on one reads no other datasource. */
const activityLog = /^(?:CloudTrailRawEvents$|LW_ACT_)/;

/**
 * Reports why a query cannot be used by a policy, where each result row is one resource of the first datasource. Sources
 * with multiple rows per resource require `distinct` and must not be returned.
 */
export function policyProblems(document: Document, query: CheckedQuery): Problem[] {
  const problems = new Problems();
  const { body } = document;
  const blockNodes: readonly Block[] = body.kind === 'union' ? body.blocks : [body];
  for (const [index, block] of blockNodes.entries())
    checkPolicy(block, query.blocks[index] as CheckedBlock, problems);
  return problems.list;
}

function checkPolicy(node: Block, block: CheckedBlock, problems: Problems): void {
  reportJoinedActivity(node, block, problems);
  const single = singleSources(block.sources);
  const names = [...flattened(node.sources)].map((item) => nameOf(item).text);
  const multiple = block.sources.findIndex((_, index) => !single.has(index));
  if (multiple < 0) return;
  const reason = `${names[multiple]} can give several rows for one row of ${names[0]}`;
  const [first] = node.items;
  if (!node.distinct) problems.error(first ?? node, `${reason}: a policy must use \`return distinct\`.`);
  const returned = new Map(block.returned.map(({ name, value }) => [name, value]));
  for (const item of node.items) {
    const index = valuesOf(item, block, names, returned)
      .flatMap((value) => [...sourcesIn(value)])
      .find((source) => !single.has(source));
    if (index !== undefined)
      problems.error(
        item,
        `This value comes from ${names[index]}, which can give several rows for one row of ${names[0]}: a policy can filter by it, but not return it.`,
      );
  }
}

/** Indexes of the first source and of sources with at most one row per row of it. */
function singleSources(sources: readonly CheckedSource[]): ReadonlySet<number> {
  const single = new Set([0]);
  for (const [index, source] of sources.entries())
    if (source.kind === 'joined' && source.relationship.cardinality === 'ONE' && single.has(source.from))
      single.add(index);
  return single;
}

function valuesOf(
  item: ReturnItem,
  { sources }: CheckedBlock,
  names: readonly string[],
  returned: ReadonlyMap<string, CheckedExpression>,
): readonly CheckedExpression[] {
  if (item.kind === 'value') {
    const value = returned.get(resultName(item) ?? '');
    return value ? [value] : [];
  }
  const index = names.indexOf(item.of.text);
  const of = sources[index];
  if (!of) return [];
  return [
    of.kind === 'expanded'
      ? { kind: 'item', type: 'Json', source: index }
      : { kind: 'column', type: 'String', source: index, column: '' },
  ];
}

function* sourcesIn(value: CheckedExpression): Generator<number> {
  if (value.kind === 'column' || value.kind === 'item') yield value.source;
  for (const operand of operandsOf(value)) yield* sourcesIn(operand);
}

function reportJoinedActivity(node: Block, { sources }: CheckedBlock, problems: Problems): void {
  const isActivity = (source: CheckedSource) =>
    source.kind !== 'expanded' && activityLog.test(source.datasource.name);
  const tables = [...flattened(node.sources)].filter(({ kind }) => kind === 'connected');
  if (tables.length < 2 || !sources.some(isActivity)) return;
  const [, second] = tables as [unknown, (typeof tables)[number]];
  problems.error(second, 'A policy on an activity log can not read other datasources: remove this one.');
}
