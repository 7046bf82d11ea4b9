import type { Compiled } from '@vedette/lql/compile/compile';
import type { Bound, Tables } from '@vedette/lql/compile/tables';

/** Makes a statement from the tables as they are when it runs; they stay there for as long. */
export type CompileWith = (tables: Tables) => Compiled;

/** What a query is for the engine. */
export interface Plan {
  readonly sql: string;
  readonly parameters: readonly Bound[];
  /** What the engine would do, as it draws it. */
  readonly drawing: string;
}
