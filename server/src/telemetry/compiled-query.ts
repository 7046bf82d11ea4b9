import type { Compiled } from '@vedette/lql/compile/compile';
import type { Bound, Tables } from '@vedette/lql/compile/tables';

/** Compiles a query against the tables as they are when it runs; they are pinned meanwhile. */
export type CompileWith = (tables: Tables) => Compiled;

/** The compiled query and its plan. */
export interface Plan {
  readonly sql: string;
  readonly parameters: readonly Bound[];
  /** The engine's query plan, as rendered by EXPLAIN. */
  readonly explanation: string;
}
