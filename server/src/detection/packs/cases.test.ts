import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedCaseStore, openCaseStore } from '../../testing/case-store.ts';
import { StoredCase } from './case-runner.ts';
import { Pack, shippedPacks } from './pack.ts';
import { readPolicyCases } from './policy-cases.ts';

const book = await readPolicyCases(shippedPacks(), await Pack.load(shippedPacks()));

describe('activity policies', () => {
  test.each(book)('$policy.folder has a case in which it fires and two in which it does not', ({ cases }) => {
    const silent = cases.filter(({ alerts }) => alerts === 'none');
    expect(silent.length).toBeGreaterThanOrEqual(2);
    expect(cases.length).toBeGreaterThan(silent.length);
  });
});

describe('cases of activity policies', () => {
  let place: OpenedCaseStore;
  beforeAll(async () => {
    place = await openCaseStore();
  });
  afterAll(() => place.close());

  test.each(book)('$policy.folder returns the expected violations', async ({ policy, query, cases }) => {
    const taken = await Promise.all(
      cases.map((one, index) => StoredCase.take(place, `${policy.number}-${index}`, one)),
    );
    for (const one of taken)
      expect([one.of.name, await one.complaint(query)]).toEqual([one.of.name, undefined]);
  });
});
