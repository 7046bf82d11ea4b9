import type { Block } from '../syntax/tree.ts';
import type { BlockInProgress, Checking } from './checking.ts';
import { demand } from './demand.ts';
import { checkExpression } from './expression.ts';
import { checkReturned } from './returned.ts';
import { Scope, type Surroundings } from './scope.ts';
import { checkSources } from './sources.ts';

/** Checks a block; one inside another does not see the sources of that one. */
export function checkBlock(
  block: Block,
  surroundings: Surroundings,
  outer?: Scope,
): BlockInProgress | undefined {
  const scope = new Scope(block, surroundings, outer);
  const checking: Checking = {
    ...surroundings,
    scope,
    value: (expression) => {
      const value = checkExpression(expression, checking);
      if (value) surroundings.extent.addValue(value, expression);
      return value;
    },
    block: (inner) => checkBlock(inner, surroundings, scope),
  };
  const sources = checkSources(block, checking);
  const filter = block.filter && demand(block.filter, 'Boolean', 'What `filter` holds', checking);
  const returned = checkReturned(block, checking);
  const isWhole =
    sources.length === scope.sources.length &&
    returned !== undefined &&
    (filter !== undefined || !block.filter);
  return isWhole ? { sources, filter, distinct: block.distinct, returned } : undefined;
}
