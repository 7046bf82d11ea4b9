import { type Cursor, deepest } from './cursor.ts';
import { type Node, partsOf } from './node.ts';
import type { Document } from './tree.ts';

/**
 * Refuses a tree that is deeper than those who read it can go: `a + b + c` nests as well, though no parentheses show it.
 */
export function refuseDepth(cursor: Cursor, document: Document): void {
  let level: Node[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    const [first] = level;
    if (first && depth > deepest) {
      cursor.whole = false;
      cursor.complain(
        first,
        `This is nested more than ${deepest} levels deep, as are sums of that many: put parts into parentheses.`,
      );
      return;
    }
    level = level.flatMap(partsOf);
  }
}
