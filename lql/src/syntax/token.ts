import type { Span } from '../text/span.ts';
import type { Keyword } from './keywords.ts';
import type { StringForm } from './tree.ts';

export type TokenKind = 'word' | 'string' | 'number' | 'symbol' | 'end' | 'bad';

/** One shape for all kinds, since the parser reads little else. */
export interface Token extends Span {
  /** `bad` was reported already: whoever meets it says nothing more. */
  readonly kind: TokenKind;
  /** As written; of a string: what it stands for. */
  readonly text: string;
  /** Of a word that is one. */
  readonly keyword: Keyword | undefined;
  /** Of a string. */
  readonly form: StringForm | undefined;
}
