import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Block, Document } from '../syntax/tree.ts';
import type { Problem } from '../text/problem.ts';
import { checkBlock } from './block.ts';
import type { CheckedQuery } from './checked.ts';
import { Problems } from './problems.ts';
import { QueryLimits } from './query-limits.ts';
import { Repetition } from './repetition.ts';
import { Spelling } from './spelling.ts';
import { unifyColumns } from './union.ts';

/** Resolves names and types. Reports all problems at once; `query` is undefined if there are errors. */
export function check(
  document: Document,
  catalogue: Catalogue,
): { readonly query: CheckedQuery | undefined; readonly problems: readonly Problem[] } {
  const problems = new Problems();
  const queryContext = {
    catalogue,
    problems,
    spelling: new Spelling(),
    repetition: new Repetition(problems),
    limits: new QueryLimits(problems),
  };
  const { body } = document;
  const blockNodes: readonly Block[] = body.kind === 'union' ? body.blocks : [body];
  const blocks = blockNodes.map((block) => checkBlock(block, queryContext));
  const unified = blocks.every((block) => block !== undefined)
    ? unifyColumns(blocks, blockNodes, problems)
    : undefined;
  const combine = body.kind === 'union' && !body.all ? 'union' : 'union all';
  const query = unified && !problems.failed ? ({ combine, ...unified } as const) : undefined;
  return { query, problems: problems.list };
}
