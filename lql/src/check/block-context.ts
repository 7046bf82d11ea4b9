import type { Block, Expression } from '../syntax/tree.ts';
import type { CheckedBlock, CheckedExpression } from './checked.ts';
import type { QueryContext, Scope } from './scope.ts';

/** A returned value whose type may still change until the block is used. */
export interface ReturnedColumn {
  readonly name: string;
  readonly value: CheckedExpression;
  readonly expression: Expression;
  readonly description: string | undefined;
}

export interface BlockInProgress extends Omit<CheckedBlock, 'returned'> {
  readonly returned: readonly ReturnedColumn[];
}

export interface BlockContext extends QueryContext {
  readonly scope: Scope;
  /** Undefined after an error, so that dependent checks stay silent. */
  value(expression: Expression): CheckedExpression | undefined;
  block(block: Block): BlockInProgress | undefined;
}
