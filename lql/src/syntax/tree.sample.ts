import type { Problem } from '../text/problem.ts';

/** A tree without positions. */
export function withoutPositions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutPositions);
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).filter(([name]) => name !== 'start' && name !== 'end');
  return Object.fromEntries(members.map(([name, value]) => [name, withoutPositions(value)]));
}

/** Applies all fixes, from the end so that offsets stay valid. */
export function withFixes(text: string, problems: readonly Problem[]): string {
  const fixes = problems.flatMap(({ fix }) => fix ?? []).sort((left, right) => right.start - left.start);
  return fixes.reduce((fixed, { start, end, text }) => fixed.slice(0, start) + text + fixed.slice(end), text);
}
