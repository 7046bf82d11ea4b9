import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { constraintFieldsOf } from './keys.ts';
import { matcherOf } from './matching.ts';
import { proposedConstraints } from './proposal.ts';

const policy = (...keys: Parameters<typeof constraintFieldsOf>[0]) => ({
  exceptionConfiguration: { constraintFields: constraintFieldsOf(keys) },
});
const marks = (texts: object, tags: { key: string; value: string }[] = []) => ({ name: 'x', texts, tags });

describe('a proposed exception', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 3 });
  const some = fc.array(word, { minLength: 0, maxLength: 2 });
  const one = fc.record({
    name: word,
    texts: fc.record(
      { accountIds: some, arns: some, regionNames: some, resourceNames: some },
      { requiredKeys: [] },
    ),
    tags: fc.array(fc.record({ key: word, value: word }), { maxLength: 2 }),
  });
  const offerable = ['accountIds', 'arns', 'regionNames', 'resourceNames', 'resourceTags'] as const;
  const keys = fc.subarray([...offerable]);

  test('covers every violation it is derived from, with each key but resourceNames once', () => {
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), keys, (all, offered) => {
        const constraints = proposedConstraints(policy(...offered), all);
        const covers = matcherOf(constraints);
        if (constraints.length > 0) expect(all.every(covers)).toBe(true);
        const named = constraints.map(({ fieldKey }) => fieldKey);
        expect([...new Set(named)]).toEqual(offered.filter((key) => named.includes(key)));
        const once = named.filter((key) => key !== 'resourceNames');
        expect(new Set(once).size).toBe(once.length);
      }),
    );
  });

  test('covers no violation that differs in a common attribute', () => {
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), (all) => {
        const constraints = proposedConstraints(policy('accountIds', 'arns', 'regionNames'), all);
        for (const { fieldKey } of constraints) {
          const [first] = all as [(typeof all)[number]];
          const moved = { ...first, texts: { ...first.texts, [fieldKey]: ['elsewhere'] } };
          expect(matcherOf(constraints)(moved)).toBe(false);
        }
      }),
    );
  });

  test('omits keys that not all violations have, values with a star, and too many values', () => {
    const all = policy('accountIds', 'arns');
    expect(
      proposedConstraints(all, [marks({ accountIds: ['1'], arns: ['x'] }), marks({ accountIds: ['2'] })]),
    ).toEqual([{ fieldKey: 'accountIds', fieldValues: ['1', '2'] }]);
    expect(proposedConstraints(all, [marks({ accountIds: ['*'] })])).toEqual([]);
    const many = Array.from({ length: 1_001 }, (_, index) =>
      marks({ accountIds: ['1'], arns: [`arn:${index}`] }),
    );
    expect(proposedConstraints(all, many)).toEqual([{ fieldKey: 'accountIds', fieldValues: ['1'] }]);
    expect(proposedConstraints(all, [])).toEqual([]);
  });

  test('for violations on hosts names the hosts and the objects on them', () => {
    const files = ['/etc/shadow', '/etc/sudoers'].map((path) => marks({ resourceNames: ['7', path] }));
    const constraints = proposedConstraints(policy('resourceNames', 'resourceTags'), files);
    expect(constraints).toEqual([
      { fieldKey: 'resourceNames', fieldValues: ['7'] },
      { fieldKey: 'resourceNames', fieldValues: ['/etc/shadow', '/etc/sudoers'] },
    ]);
    const covers = matcherOf(constraints);
    expect(covers(marks({ resourceNames: ['7', '/etc/passwd'] }))).toBe(false);
    expect(covers(marks({ resourceNames: ['8', '/etc/shadow'] }))).toBe(false);
  });

  test('names a common tag only if no other key distinguishes the resources', () => {
    const tags = [{ key: 'env', value: 'dev' }];
    const both = policy('accountIds', 'arns', 'resourceTags');
    const here = { accountIds: ['1'] };
    expect(
      proposedConstraints(both, [marks(here, tags), marks(here, [...tags, { key: 'a', value: 'b' }])]),
    ).toEqual([
      { fieldKey: 'accountIds', fieldValues: ['1'] },
      { fieldKey: 'resourceTags', fieldValues: [{ key: 'env', value: 'dev' }] },
    ]);
    expect(proposedConstraints(both, [marks({ arns: ['x'] }, tags)])).toEqual([
      { fieldKey: 'arns', fieldValues: ['x'] },
    ]);
  });
});
