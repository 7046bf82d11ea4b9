import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedCaseStore, openCaseStore } from '../../testing/case-store.ts';
import { Pack, shippedPacks } from './pack.ts';
import { readPolicyResourceCases } from './policy-cases.ts';
import { StoredResources } from './resource-case-runner.ts';

const book = await readPolicyResourceCases(shippedPacks(), await Pack.load(shippedPacks()));

describe('policies over configuration', () => {
  test('have compliant and non-compliant resources in their cases, and resources with missing members', () => {
    const incomplete = book.filter(({ cases }) => {
      const passes = cases.some(({ compliant }) => compliant !== 'none');
      const fails = cases.some(({ nonCompliant }) => nonCompliant !== 'none');
      return !passes || !fails || !cases.some(({ isOdd }) => isOdd);
    });
    expect(incomplete.map(({ policy }) => policy.folder)).toEqual([]);
  });

  test('have remediation texts of their own', () => {
    const seen = new Map<string, string>();
    const repeated = book.flatMap(({ policy: { folder, steps } }) => {
      const family = folder.split('/').slice(0, 2).join('/');
      return Object.values(steps ?? {}).flatMap((text) => {
        const earlier = seen.get(text);
        seen.set(text, folder);
        return earlier !== undefined && !earlier.startsWith(`${family}/`) ? [`${folder}: ${text}`] : [];
      });
    });
    expect(repeated).toEqual([]);
  });
});

describe('cases of policies over configuration', () => {
  let place: OpenedCaseStore;
  beforeAll(async () => {
    place = await openCaseStore();
  });
  afterAll(() => place.close());

  test.each(book)('$policy.folder evaluates resources as expected', async ({ policy, cases, ...queries }) => {
    const taken = await Promise.all(
      cases.map((one, index) => StoredResources.take(place, `${policy.number}-${index}`, one)),
    );
    for (const one of taken)
      expect([one.of.name, await one.complaint(queries)]).toEqual([one.of.name, undefined]);
  });
});
