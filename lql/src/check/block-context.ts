import type { Block, Expression } from '../syntax/tree.ts';
import type { Checked, CheckedBlock } from './checked.ts';
import type { QueryContext, Scope } from './scope.ts';

/** A returned value whose type may still change until the block is used. */
export interface Returned {
  readonly name: string;
  readonly value: Checked;
  readonly written: Expression;
  readonly description: string | undefined;
}

export interface BlockInProgress extends Omit<CheckedBlock, 'returned'> {
  readonly returned: readonly Returned[];
}

export interface BlockContext extends QueryContext {
  readonly scope: Scope;
  /** Undefined after an error, so that dependent checks stay silent. */
  value(expression: Expression): Checked | undefined;
  block(block: Block): BlockInProgress | undefined;
}
