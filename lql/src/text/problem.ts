import type { Span } from './span.ts';

/** Replacement for a span of the query. */
export interface Fix extends Span {
  readonly text: string;
}

/** An error, or a warning about a probable mistake. */
export interface Problem extends Span {
  readonly severity: 'error' | 'warning';
  readonly stage: 'lexical' | 'syntax' | 'semantic';
  /** Names the problem and the fix. */
  readonly message: string;
  readonly fix?: Fix;
}
