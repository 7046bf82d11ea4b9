import { type Cursor, deepest } from './cursor.ts';
import type { Document } from './tree.ts';

interface Node {
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'start' in value;

/**
 * Refuses a tree that is deeper than those who read it can go: `a + b + c` nests as well, though no parentheses show it.
 */
export function refuseDepth(cursor: Cursor, document: Document): void {
  let level: Node[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) {
      const [{ start, end }] = level as [Node];
      cursor.complain(
        { start, end },
        `This is nested more than ${deepest} levels deep, as are sums of that many: put parts into parentheses.`,
      );
      cursor.whole = false;
      return;
    }
    level = level.flatMap((node) => Object.values(node).flat().filter(isNode));
  }
}
