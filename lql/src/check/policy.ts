import type { Block, Document, ReturnItem } from '../syntax/tree.ts';
import type { Problem } from '../text/problem.ts';
import type { Checked, CheckedBlock, CheckedQuery, CheckedSource } from './checked.ts';
import { partsOf } from './parts.ts';
import { Problems } from './problems.ts';
import { resultName } from './returned.ts';
import { flattened, nameOf } from './written-sources.ts';

/** Datasources that hold what happened; a policy on one looks at nothing else. */
const activityLog = /^(?:CloudTrailRawEvents$|LW_ACT_)/;

/**
 * What keeps a query from being that of a policy, where a row of the result is one resource of the first datasource. What
 * makes several rows of a resource must come back as one: distinct, and without columns of what there are several of.
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
  complainOfJoinedLogs(written, block, problems);
  const single = singleSources(block.sources);
  const names = [...flattened(written.sources)].map((item) => nameOf(item).text);
  const several = block.sources.findIndex((_, place) => !single.has(place));
  if (several < 0) return;
  const why = `${names[several]} can give several rows for one row of ${names[0]}`;
  const [first] = written.items;
  if (!written.distinct)
    problems.error(first ?? written, `${why}: a policy has to use \`return distinct\` then.`);
  const returned = new Map(block.returned.map(({ name, value }) => [name, value]));
  for (const item of written.items) {
    const place = valuesOf(item, block, names, returned)
      .flatMap((value) => [...sourcesIn(value)])
      .find((source) => !single.has(source));
    if (place !== undefined)
      problems.error(
        item,
        `This comes from ${names[place]}, of which there can be several rows for one row of ${names[0]}: a policy can filter by it, but not return it.`,
      );
  }
}

/** The places of the first source and of those that it leads to one row of. */
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
  returned: ReadonlyMap<string, Checked>,
): readonly Checked[] {
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

function* sourcesIn(value: Checked): Generator<number> {
  if (value.kind === 'column' || value.kind === 'item') yield value.source;
  for (const part of partsOf(value)) yield* sourcesIn(part);
}

function complainOfJoinedLogs(written: Block, { sources }: CheckedBlock, problems: Problems): void {
  const isLog = (source: CheckedSource) =>
    source.kind !== 'expanded' && activityLog.test(source.datasource.name);
  const tables = [...flattened(written.sources)].filter(({ kind }) => kind === 'connected');
  if (tables.length < 2 || !sources.some(isLog)) return;
  const [, second] = tables as [unknown, (typeof tables)[number]];
  problems.error(
    second,
    'A policy on an activity log can not read other datasources beside it: leave this one out.',
  );
}
