import type { AllColumns, Block, Expression, ReturnedValue } from '../syntax/tree.ts';
import type { Span } from '../text/span.ts';
import type { BlockContext, ReturnedColumn } from './block-context.ts';
import type { CheckedExpression } from './checked.ts';

/** Each column occurs several times in a statement. */
const maxColumns = 1_000;

/** Names are unique; undefined after an error. */
export function checkReturned(block: Block, context: BlockContext): readonly ReturnedColumn[] | undefined {
  const names = new Set<string>();
  const returned: ReturnedColumn[] = [];
  let isComplete = true;
  for (const item of block.items) {
    const columns = item.kind === 'all' ? allColumns(item, context) : oneColumn(item, context);
    isComplete &&= columns !== undefined;
    const repeated = columns?.filter(({ name }) => names.has(name)) ?? [];
    if (repeated.length > 0) reportDuplicateNames(repeated, item, context);
    const isTooMany = returned.length <= maxColumns && returned.length + (columns?.length ?? 0) > maxColumns;
    if (isTooMany) context.problems.error(item, `A query returns at most ${maxColumns} columns.`);
    for (const column of columns ?? []) {
      names.add(column.name);
      returned.push(column);
    }
  }
  return isComplete ? returned : undefined;
}

function reportDuplicateNames(
  repeated: readonly ReturnedColumn[],
  at: Span,
  { problems }: BlockContext,
): void {
  const names = repeated.slice(0, 5).map(({ name }) => name);
  const [first] = repeated as [ReturnedColumn];
  const note = first.expression.kind === 'path' ? ' A path is named after its column.' : '';
  problems.error(
    at,
    repeated.length === 1
      ? `Two result columns are called ${first.name}.${note} Rename one with \`as\`.`
      : `Several result columns have the same name: ${names.join(', ')}. Return them one by one, with \`as\`.`,
  );
}

function allColumns(item: AllColumns, { scope }: BlockContext): ReturnedColumn[] | undefined {
  const source = scope.find(item.of);
  if (!source?.columns) return undefined;
  return [...source.columns.values()].map(({ name, description }) => ({
    name,
    value: scope.valueOf(source, name) as CheckedExpression,
    expression: {
      kind: 'column',
      source: item.of,
      column: { text: name, start: item.start, end: item.end },
      start: item.start,
      end: item.end,
    },
    description,
  }));
}

function oneColumn(item: ReturnedValue, context: BlockContext): ReturnedColumn[] | undefined {
  const { problems, scope } = context;
  const value = context.value(item.value);
  const name = resultName(item);
  if (name === undefined)
    problems.error(item.value, 'This result column needs a name: write `as` and a name after it.');
  if (value?.type === 'Boolean')
    return problems.error(
      item.value,
      "A Boolean can not be returned: use `case when … then 'true' else 'false' end`.",
    );
  if (!value || name === undefined) return undefined;
  const column = value.kind === 'column' && scope.sources[value.source]?.columns?.get(value.column);
  return [{ name, value, expression: item.value, description: column ? column.description : undefined }];
}

/** Alias, or the column of a column or path. */
export function resultName({ alias, value }: ReturnedValue): string | undefined {
  if (alias) return alias.text;
  let base: Expression = value;
  while (base.kind === 'path') base = base.of;
  return base.kind === 'column' ? base.column.text : undefined;
}
