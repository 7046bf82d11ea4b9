import { isTimestamp } from '../platform/instant.ts';
import type { MemberType, TelemetryDataset } from './dataset.ts';
import { type MemberTree, treeOf } from './member-tree.ts';

/** Whether a value is of its type beyond doubt: whole numbers near the limits of 64 bits were rounded when parsed. */
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
/** Of members of the record itself these are what they should be: it has been checked. */
const isChecked: ReadonlySet<MemberType> = new Set(['string', 'boolean', 'time']);

/**
 * Whether every member of a record, also below objects, is of the type that was declared for it, or absent. The store
 * can then read all of them at once without asking what each is. The record has been checked.
 */
export function isWellTyped(dataset: TelemetryDataset, record: unknown): boolean {
  let test = tests.get(dataset);
  if (!test) {
    const inDoubt = [...typedTree(dataset)].filter(
      ([, below]) => below instanceof Map || !isChecked.has(below.type),
    );
    test = testOf(new Map(inDoubt));
    tests.set(dataset, test);
  }
  return test(record);
}

/** What has a column of its own, top-level members too. */
export function typedTree({ members }: TelemetryDataset): MemberTree {
  const tree: MemberTree = new Map();
  for (const [name, member] of Object.entries(members)) {
    if (member.type !== 'json') tree.set(name, member);
    else if (member.inner) tree.set(name, treeOf(member.inner));
  }
  return tree;
}

/** Asked for every object that comes in, so all that can be known beforehand is. */
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
