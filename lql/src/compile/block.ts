import type { CheckedBlock } from '../check/checked.ts';
import type { Sql } from './dialect.ts';
import { type CompileContext, Expressions } from './expressions.ts';
import { type SourceContext, Sources } from './sources.ts';
import type { Value } from './values.ts';

export interface BlockSql {
  readonly values: readonly Value[];
  select(columns: readonly Sql[], distinct?: boolean): Sql;
}

export function blockOf(
  block: CheckedBlock,
  sourceContext: SourceContext,
  context: CompileContext,
): BlockSql {
  const sources = new Sources(block, sourceContext);
  const expressions = new Expressions(context, sources);
  sources.add(context.values, ({ array }) => {
    const value = context.values.converted(expressions.value(array), 'Json');
    return value.type === 'Json' ? value : { type: 'Json', sql: context.writer.nullOf('Json'), keys: [] };
  });
  const where = block.filter ? ` where ${expressions.condition(block.filter)}` : '';
  return {
    values: block.returned.map(({ value }) => expressions.value(value)),
    select: (columns, distinct) =>
      sources.withTableReads(
        `select ${distinct ? 'distinct ' : ''}${columns.join(', ')} from ${sources.from}${where}`,
      ),
  };
}
