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
  /** A text full of wrong names must not cost a look through the catalogue for each. */
  #left = 20;

  suggest(name: Name, known: Iterable<string>, otherwise = ''): Suggestion {
    if (this.#left === 0) return { text: '' };
    this.#left--;
    const meant = nearest(name.text, known);
    if (meant === undefined) return { text: otherwise && ` ${otherwise}` };
    const fix = { start: name.start, end: name.end, text: meant };
    const differsInCase = meant.toLowerCase() === name.text.toLowerCase();
    return {
      text: differsInCase ? ` Names are case-sensitive: write \`${meant}\`.` : ` Did you mean \`${meant}\`?`,
      fix,
    };
  }
}
