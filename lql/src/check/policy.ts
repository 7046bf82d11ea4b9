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
 * with several rows per resource require `distinct` and must not be returned.
 */
export function policyProblems(document: Document, query: CheckedQuery): Problem[] {
  const problems = new Problems();
  const { body } = document;
  const written: readonly Block[] = body.kind === 'union' ? body.blocks : [body];
  for (const [place, block] of written.entries())
    checkPolicy(block, query.blocks[place] as CheckedBlock, problems);
  return problems.list;
}

function checkPolicy(written: Block, block: CheckedBlock, problems: Problems): void {
  reportJoinedActivity(written, block, problems);
  const single = singleSources(block.sources);
  const names = [...flattened(written.sources)].map((item) => nameOf(item).text);
  const several = block.sources.findIndex((_, place) => !single.has(place));
  if (several < 0) return;
  const reason = `${names[several]} can give several rows for one row of ${names[0]}`;
  const [first] = written.items;
  if (!written.distinct)
    problems.error(first ?? written, `${reason}: a policy must use \`return distinct\`.`);
  const returned = new Map(block.returned.map(({ name, value }) => [name, value]));
  for (const item of written.items) {
    const place = valuesOf(item, block, names, returned)
      .flatMap((value) => [...sourcesIn(value)])
      .find((source) => !single.has(source));
    if (place !== undefined)
      problems.error(
        item,
        `This value comes from ${names[place]}, which can give several rows for one row of ${names[0]}: a policy can filter by it, but not return it.`,
      );
  }
}

/** Indexes of the first source and of sources with at most one row per row of it. */
function singleSources(sources: readonly CheckedSource[]): ReadonlySet<number> {
  const single = new Set([0]);
  for (const [place, source] of sources.entries())
    if (source.kind === 'joined' && source.relationship.cardinality === 'ONE' && single.has(source.from))
      single.add(place);
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
  const place = names.indexOf(item.of.text);
  const of = sources[place];
  if (!of) return [];
  return [
    of.kind === 'expanded'
      ? { kind: 'item', type: 'Json', source: place }
      : { kind: 'column', type: 'String', source: place, column: '' },
  ];
}

function* sourcesIn(value: CheckedExpression): Generator<number> {
  if (value.kind === 'column' || value.kind === 'item') yield value.source;
  for (const part of operandsOf(value)) yield* sourcesIn(part);
}

function reportJoinedActivity(written: Block, { sources }: CheckedBlock, problems: Problems): void {
  const isActivity = (source: CheckedSource) =>
    source.kind !== 'expanded' && activityLog.test(source.datasource.name);
  const tables = [...flattened(written.sources)].filter(({ kind }) => kind === 'connected');
  if (tables.length < 2 || !sources.some(isActivity)) return;
  const [, second] = tables as [unknown, (typeof tables)[number]];
  problems.error(second, 'A policy on an activity log can not read other datasources: remove this one.');
}
