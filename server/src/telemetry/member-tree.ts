import { parsePath } from '../search/path.ts';
import type { InnerMember, Member } from './dataset.ts';

/** A member, or the members of an object by name. */
export type MemberTree = Map<string, InnerMember | MemberTree>;

/** Nests inner members by their paths. */
export function treeOf(inner: NonNullable<Member['inner']>): MemberTree {
  const root: MemberTree = new Map();
  for (const [path, member] of Object.entries(inner)) {
    const steps = stepsOf(path);
    const last = steps.pop() as string;
    let tree = root;
    for (const step of steps) {
      const below = tree.get(step);
      const next: MemberTree = below instanceof Map ? below : new Map();
      tree.set(step, next);
      tree = next;
    }
    tree.set(last, member);
  }
  return root;
}

/** The steps of a path below an object. */
export function stepsOf(path: string): string[] {
  const parsed = parsePath(path);
  if (!parsed) throw new Error(`'${path}' is not a path below an object.`);
  return [parsed.field, ...parsed.steps.map(String)];
}
