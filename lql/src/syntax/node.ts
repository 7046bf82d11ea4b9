import type { Span } from '../text/span.ts';

/** Any part of a tree. */
export type Node = Span;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'start' in value;

/** The parts that a part of a tree is made of. */
export const partsOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
