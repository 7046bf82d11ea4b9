import type { Datasource } from '../catalogue/catalogue.ts';
import type { CheckedBlock, CheckedExpression, CheckedQuery } from './checked.ts';
import { operandsOf } from './operands.ts';

/** The expressions of a block with their operands, without those of subqueries. */
export function* expressionsOf({ sources, filter, returned }: CheckedBlock): Generator<CheckedExpression> {
  for (const source of sources) if (source.kind === 'expanded') yield* withOperands(source.array);
  if (filter) yield* withOperands(filter);
  for (const { value } of returned) yield* withOperands(value);
}

function* withOperands(value: CheckedExpression): Generator<CheckedExpression> {
  yield value;
  for (const operand of operandsOf(value)) yield* withOperands(operand);
}

/** A block and the blocks of its subqueries. */
export function* blocksIn(block: CheckedBlock): Generator<CheckedBlock> {
  yield block;
  for (const value of expressionsOf(block)) if (value.kind === 'inSubquery') yield* blocksIn(value.block);
}

/** The datasources that a query reads, with those of its subqueries. */
export function datasourcesOf({ blocks }: Pick<CheckedQuery, 'blocks'>): Datasource[] {
  const all = blocks.flatMap((block) => [...blocksIn(block)]).flatMap(({ sources }) => sources);
  return all.flatMap((source) => (source.kind === 'expanded' ? [] : [source.datasource]));
}

/** Whether the result changes as time passes, even if no row does. */
export function readsClock({ blocks }: Pick<CheckedQuery, 'blocks'>): boolean {
  const all = blocks.flatMap((block) => [...blocksIn(block)]).flatMap((block) => [...expressionsOf(block)]);
  return all.some((value) => value.kind === 'call' && value.name.startsWith('current_timestamp'));
}
