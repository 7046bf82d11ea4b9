import type { Block, Expression } from '../syntax/tree.ts';
import type { Checked, CheckedBlock } from './checked.ts';
import type { Scope, Surroundings } from './scope.ts';

/** A value that a block returns, with what is still open until the block is used. */
export interface Returned {
  readonly name: string;
  readonly value: Checked;
  readonly written: Expression;
  readonly description: string | undefined;
}

export interface BlockInProgress extends Omit<CheckedBlock, 'returned'> {
  readonly returned: readonly Returned[];
}

/** What the parts of the check work with; each part has one kind of expression or clause. */
export interface Checking extends Surroundings {
  readonly scope: Scope;
  /** Undefined after a problem: what needs the value then says nothing more. */
  value(expression: Expression): Checked | undefined;
  block(block: Block): BlockInProgress | undefined;
}
