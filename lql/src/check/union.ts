import type { ColumnType } from '../catalogue/catalogue.ts';
import type { Block } from '../syntax/tree.ts';
import type { BlockInProgress, ReturnedColumn } from './block-context.ts';
import type { CheckedBlock, CheckedQuery } from './checked.ts';
import { converted, withArticle } from './conversion.ts';
import type { Problems } from './problems.ts';

/**
 * Unifies the columns of all blocks: the same names and types, in the order of the first block. A null column takes any
 * type.
 */
export function unifyColumns(
  blocks: readonly BlockInProgress[],
  blockNodes: readonly Block[],
  problems: Problems,
): Pick<CheckedQuery, 'blocks' | 'columns'> | undefined {
  const [first, ...rest] = blocks.map(
    ({ returned }) => new Map(returned.map((column) => [column.name, column])),
  );
  if (!first) return undefined;
  const types = new Map<string, ColumnType>();
  for (const [index, columns] of [first, ...rest].entries()) {
    reportColumnMismatch(first, columns, blockNodes[index] as Block, problems);
    for (const { name, value, expression } of columns.values()) {
      if (value.type === 'Null' || value.type === 'Boolean') continue;
      const type = types.get(name) ?? value.type;
      types.set(name, type);
      if (type !== value.type)
        problems.error(
          expression,
          `${name} is ${withArticle(value.type)} here and ${withArticle(type)} in the blocks before: all blocks of a union return the same columns. Write \`::${type}\` after it.`,
        );
    }
  }
  if (problems.failed) return undefined;
  const columns = [...first.values()].map(({ name, description }) => ({
    name,
    type: types.get(name) ?? 'String',
    ...(description === undefined ? {} : { description }),
  }));
  return {
    columns,
    blocks: blocks.map((block, index) => ({
      ...block,
      returned: columns.map(({ name, type }) => {
        const column = (index === 0 ? first : rest[index - 1])?.get(name) as ReturnedColumn;
        return { name, value: converted(column.value, type) };
      }),
    })) satisfies CheckedBlock[],
  };
}

function reportColumnMismatch(
  first: ReadonlyMap<string, ReturnedColumn>,
  columns: ReadonlyMap<string, ReturnedColumn>,
  block: Block,
  problems: Problems,
): void {
  for (const { name, expression } of columns.values())
    if (!first.has(name))
      problems.error(
        expression,
        `The first block of the union does not return ${name}: all blocks must return the same columns. Use \`as\` if only the name differs.`,
      );
  const missing = [...first.keys()].filter((name) => !columns.has(name));
  if (missing.length > 0)
    problems.error(
      block.items[0] ?? block,
      `The first block of the union also returns ${missing.slice(0, 5).join(', ')}, and all blocks must return the same columns.`,
    );
}
