import type { Span } from '../text/span.ts';

/** Any part of a tree. */
export type Node = Span;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'start' in value;

/** The parts that a part of a tree is made of. */
export function partsOf(node: Node): Node[] {
  const parts: Node[] = [];
  for (const value of Object.values(node)) {
    if (isNode(value)) parts.push(value);
    else if (Array.isArray(value)) for (const one of value) if (isNode(one)) parts.push(one);
  }
  return parts;
}
