import type { Span } from '../text/span.ts';

export type Node = Span;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'start' in value;

export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node)) {
    if (isNode(value)) children.push(value);
    else if (Array.isArray(value)) for (const child of value) if (isNode(child)) children.push(child);
  }
  return children;
}
