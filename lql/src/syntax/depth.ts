import { type Cursor, maxDepth } from './cursor.ts';
import { childrenOf, type Node } from './node.ts';
import type { Document } from './tree.ts';

/**
 * Rejects trees deeper than recursive visitors can handle: `a + b + c` nests too, even without parentheses.
 */
export function rejectDepth(cursor: Cursor, document: Document): void {
  let level: Node[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    const [first] = level;
    if (first && depth > maxDepth) {
      cursor.isComplete = false;
      cursor.error(
        first,
        `This is nested more than ${maxDepth} levels deep; a sum of that many terms is, too: group terms with parentheses.`,
      );
      return;
    }
    level = level.flatMap(childrenOf);
  }
}
