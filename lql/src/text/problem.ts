import type { Span } from './span.ts';

/** What to write instead of a part of the text. */
export interface Fix extends Span {
  readonly text: string;
}

/** Something that is wrong with a query, or with a warning: something that is probably not meant. */
export interface Problem extends Span {
  readonly severity: 'error' | 'warning';
  readonly stage: 'lexical' | 'syntax' | 'semantic';
  /** What is wrong and what to do, in a sentence or two that stand for themselves. */
  readonly message: string;
  readonly fix?: Fix;
}
