import { isTimestamp } from '../platform/instant.ts';
import type { MemberType, TelemetryDataset } from './dataset.ts';
import { type MemberTree, treeOf } from './member-tree.ts';

/** Whether a value certainly has its type: integers near the 64-bit limits may have been rounded by parsing. */
const isWellTypedValue: Record<MemberType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 63,
  number: (value) => typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value)),
  boolean: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && isTimestamp(value),
  json: () => true,
};

type Test = (value: unknown) => boolean;

const tests = new WeakMap<TelemetryDataset, Test>();
/** Types that validation guarantees for top-level members. */
const guaranteed: ReadonlySet<MemberType> = new Set(['string', 'boolean', 'time']);

/**
 * Whether every declared member of a validated record, including inner members, has its declared type or is absent.
 * The store can then parse the record once without checking types.
 */
export function isWellTyped(dataset: TelemetryDataset, record: unknown): boolean {
  let test = tests.get(dataset);
  if (!test) {
    const unchecked = [...typedTree(dataset)].filter(
      ([, below]) => below instanceof Map || !guaranteed.has(below.type),
    );
    test = testOf(new Map(unchecked));
    tests.set(dataset, test);
  }
  return test(record);
}

/** The members with typed columns, including top-level ones. */
export function typedTree({ members }: TelemetryDataset): MemberTree {
  const tree: MemberTree = new Map();
  for (const [name, member] of Object.entries(members)) {
    if (member.type !== 'json') tree.set(name, member);
    else if (member.inner) tree.set(name, treeOf(member.inner));
  }
  return tree;
}

/** Precomputed, because it runs for every record. */
function testOf(tree: MemberTree): Test {
  const members = [...tree].map(([name, below]) => ({
    name,
    isWellTyped: below instanceof Map ? testOf(below) : isWellTypedValue[below.type],
  }));
  return (value) => {
    if (value === null || value === undefined) return true;
    if (typeof value !== 'object' || Array.isArray(value)) return false;
    for (const { name, isWellTyped } of members) {
      const member = (value as Record<string, unknown>)[name];
      if (member !== null && member !== undefined && !isWellTyped(member)) return false;
    }
    return true;
  };
}
