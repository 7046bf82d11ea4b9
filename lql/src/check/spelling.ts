import type { Name } from '../syntax/tree.ts';
import { nearest } from '../text/nearest.ts';
import type { Fix } from '../text/problem.ts';

export interface Suggestion {
  /** A sentence with a blank before it, or nothing. */
  readonly text: string;
  readonly fix?: Fix;
}

/** Says what may have been meant by names that are not known. */
export class Spelling {
  /** How many names are still looked at: a text full of wrong ones must not cost the whole catalogue for each. */
  #left = 7_500;

  suggest(name: Name, known: Iterable<string>, otherwise = ''): Suggestion {
    if (this.#left <= 0) return { text: '' };
    const candidates = [...known];
    this.#left -= candidates.length;
    const meant = nearest(name.text, candidates);
    if (meant === undefined) return { text: otherwise && ` ${otherwise}` };
    const fix = { start: name.start, end: name.end, text: meant };
    const differsInCase = meant.toLowerCase() === name.text.toLowerCase();
    return {
      text: differsInCase ? ` Names are case-sensitive: write \`${meant}\`.` : ` Did you mean \`${meant}\`?`,
      fix,
    };
  }
}
