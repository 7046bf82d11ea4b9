import type { Name } from '../syntax/tree.ts';
import { nearest } from '../text/nearest.ts';
import type { Fix } from '../text/problem.ts';

export interface Suggestion {
  /** A sentence with a leading space, or empty. */
  readonly text: string;
  readonly fix?: Fix;
}

/** Suggests names similar to unknown ones. */
export class Spelling {
  /** Remaining comparisons: many unknown names must not each scan the whole catalogue. */
  #budget = 7_500;

  suggest(name: Name, known: Iterable<string>, otherwise = ''): Suggestion {
    if (this.#budget <= 0) return { text: '' };
    const candidates = [...known];
    this.#budget -= candidates.length;
    const suggestion = nearest(name.text, candidates);
    if (suggestion === undefined) return { text: otherwise && ` ${otherwise}` };
    const fix = { start: name.start, end: name.end, text: suggestion };
    const differsInCase = suggestion.toLowerCase() === name.text.toLowerCase();
    return {
      text: differsInCase
        ? ` Names are case-sensitive: write \`${suggestion}\`.`
        : ` Did you mean \`${suggestion}\`?`,
      fix,
    };
  }
}
