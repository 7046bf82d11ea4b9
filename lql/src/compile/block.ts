import type { CheckedBlock } from '../check/checked.ts';
import type { Sql } from './dialect.ts';
import { Expressions, type Surroundings } from './expressions.ts';
import { type Reader, Sources } from './sources.ts';
import type { Value } from './values.ts';

export interface BlockSql {
  /** What it returns, in order. */
  readonly values: readonly Value[];
  select(columns: readonly Sql[], distinct?: boolean): Sql;
}

export function blockOf(block: CheckedBlock, reader: Reader, around: Surroundings): BlockSql {
  const sources = new Sources(block, reader);
  const expressions = new Expressions(around, sources);
  sources.add(around.values, ({ array }) => {
    const value = around.values.converted(expressions.value(array), 'Json');
    return value.type === 'Json' ? value : { type: 'Json', sql: around.writer.nothing('Json'), keys: [] };
  });
  const where = block.filter ? ` where ${expressions.condition(block.filter)}` : '';
  return {
    values: block.returned.map(({ value }) => expressions.value(value)),
    select: (columns, distinct) =>
      sources.filled(
        `select ${distinct ? 'distinct ' : ''}${columns.join(', ')} from ${sources.from}${where}`,
      ),
  };
}
