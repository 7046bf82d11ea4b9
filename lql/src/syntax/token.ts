import type { Span } from '../text/span.ts';
import type { Keyword } from './keywords.ts';
import type { StringForm } from './tree.ts';

export type TokenKind = 'word' | 'string' | 'number' | 'symbol' | 'end' | 'bad';

/** One shape for all kinds, for fast access in the parser. */
export interface Token extends Span {
  /** `bad` was reported by the lexer and must not be reported again. */
  readonly kind: TokenKind;
  /** Source text; the value for a string. */
  readonly text: string;
  /** Set for keywords. */
  readonly keyword: Keyword | undefined;
  /** Set for strings. */
  readonly form: StringForm | undefined;
}
