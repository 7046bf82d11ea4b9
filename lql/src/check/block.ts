import type { Block } from '../syntax/tree.ts';
import type { BlockContext, BlockInProgress } from './block-context.ts';
import { checkExpression } from './expression.ts';
import { requireType } from './required-type.ts';
import { checkReturned } from './returned-columns.ts';
import { type QueryContext, Scope } from './scope.ts';
import { checkSources } from './sources.ts';

/** A subquery cannot use the sources of the enclosing block. */
export function checkBlock(
  block: Block,
  queryContext: QueryContext,
  outer?: Scope,
): BlockInProgress | undefined {
  const scope = new Scope(block, queryContext, outer);
  const context: BlockContext = {
    ...queryContext,
    scope,
    value: (expression) => {
      const value = checkExpression(expression, context);
      if (value) queryContext.limits.addValue(value, expression);
      return value;
    },
    block: (inner) => checkBlock(inner, queryContext, scope),
  };
  const sources = checkSources(block, context);
  const filter = block.filter && requireType(block.filter, 'Boolean', 'The condition of `filter`', context);
  const returned = checkReturned(block, context);
  const isComplete =
    sources.length === scope.sources.length &&
    returned !== undefined &&
    (filter !== undefined || !block.filter);
  return isComplete ? { sources, filter, distinct: block.distinct, returned } : undefined;
}
