import type { AllColumns, Block, Expression, ReturnedValue } from '../syntax/tree.ts';
import type { Span } from '../text/span.ts';
import type { Checked } from './checked.ts';
import type { Checking, Returned } from './checking.ts';

/** Far more than anybody reads; each is written several times in a statement. */
const mostColumns = 1_000;

/** What a block returns, each under a name of its own; undefined when a part of it is wrong. */
export function checkReturned(block: Block, checking: Checking): readonly Returned[] | undefined {
  const names = new Set<string>();
  const returned: Returned[] = [];
  let isWhole = true;
  for (const item of block.items) {
    const columns = item.kind === 'all' ? allColumns(item, checking) : oneColumn(item, checking);
    isWhole &&= columns !== undefined;
    const repeated = columns?.filter(({ name }) => names.has(name)) ?? [];
    if (repeated.length > 0) complainOfNames(repeated, item, checking);
    const isTooMany =
      returned.length <= mostColumns && returned.length + (columns?.length ?? 0) > mostColumns;
    if (isTooMany) checking.problems.error(item, `A query returns at most ${mostColumns} columns.`);
    for (const column of columns ?? []) {
      names.add(column.name);
      returned.push(column);
    }
  }
  return isWhole ? returned : undefined;
}

function complainOfNames(repeated: readonly Returned[], at: Span, { problems }: Checking): void {
  const names = repeated.slice(0, 5).map(({ name }) => name);
  const [first] = repeated as [Returned];
  const why = first.written.kind === 'path' ? ' A path is named after its column.' : '';
  problems.error(
    at,
    repeated.length === 1
      ? `Two columns of the result are called ${first.name}.${why} Give one another name with \`as\`.`
      : `Several columns of the result have the same name: ${names.join(', ')}. Return them one by one, with \`as\`.`,
  );
}

function allColumns(item: AllColumns, { scope }: Checking): Returned[] | undefined {
  const source = scope.find(item.of);
  if (!source?.columns) return undefined;
  return [...source.columns.values()].map(({ name, description }) => ({
    name,
    value: scope.valueOf(source, name) as Checked,
    written: {
      kind: 'column',
      source: item.of,
      column: { text: name, start: item.start, end: item.end },
      start: item.start,
      end: item.end,
    },
    description,
  }));
}

function oneColumn(item: ReturnedValue, checking: Checking): Returned[] | undefined {
  const { problems, scope } = checking;
  const value = checking.value(item.value);
  const name = resultName(item);
  if (name === undefined)
    problems.error(item.value, 'This needs a name in the result: write `as` and a name after it.');
  if (value?.type === 'Boolean')
    return problems.error(
      item.value,
      "A Boolean can not be returned: use `case when … then 'true' else 'false' end`.",
    );
  if (!value || name === undefined) return undefined;
  const column = value.kind === 'column' && scope.sources[value.source]?.columns?.get(value.column);
  return [{ name, value, written: item.value, description: column ? column.description : undefined }];
}

/** What a returned value is called: a path after its column, anything else but a column only by an alias. */
export function resultName({ alias, value }: ReturnedValue): string | undefined {
  if (alias) return alias.text;
  let base: Expression = value;
  while (base.kind === 'path') base = base.of;
  return base.kind === 'column' ? base.column.text : undefined;
}
