import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedCaseStore, openCaseStore } from '../../testing/case-store.ts';
import { Pack, shippedPacks } from './pack.ts';
import { readPolicyResourceCases } from './policy-cases.ts';
import { StoredResources } from './resource-case-runner.ts';

/** Cases of all policies over configuration. */
export const resourceCaseBook = async () =>
  readPolicyResourceCases(shippedPacks(), await Pack.load(shippedPacks()));

/** Runs the cases of one cloud: test files run in parallel, so each cloud has its own. */
export async function describeCases(cloud: 'aws' | 'azure' | 'gcp' | 'k8s'): Promise<void> {
  const book = (await resourceCaseBook()).filter(({ policy }) => policy.folder.startsWith(`${cloud}/`));

  describe(`cases of policies over ${cloud}`, () => {
    let place: OpenedCaseStore;
    beforeAll(async () => {
      place = await openCaseStore();
    });
    afterAll(() => place.close());

    test.each(book)(
      '$policy.folder evaluates resources as expected',
      async ({ policy, cases, ...queries }) => {
        const taken = await Promise.all(
          cases.map((one, index) => StoredResources.take(place, `${policy.number}-${index}`, one)),
        );
        for (const one of taken)
          expect([one.of.name, await one.complaint(queries)]).toEqual([one.of.name, undefined]);
      },
    );
  });
}
