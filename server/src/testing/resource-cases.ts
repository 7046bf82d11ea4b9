import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Pack, shippedPacks } from '../detection/packs/pack.ts';
import { readPolicyResourceCases } from '../detection/packs/policy-cases.ts';
import { StoredResources } from '../detection/packs/resource-case-runner.ts';
import { CaseInventory } from './case-inventory.ts';

/** Cases of all policies over configuration. */
export const resourceCaseBook = async () =>
  readPolicyResourceCases(shippedPacks(), await Pack.load(shippedPacks()));

/** Runs the cases of one cloud: test files run in parallel, so each cloud has its own. */
export async function describeCases(cloud: 'aws' | 'azure' | 'gcp' | 'k8s'): Promise<void> {
  const book = (await resourceCaseBook()).filter(({ policy }) => policy.folder.startsWith(`${cloud}/`));

  describe(`cases of policies over ${cloud}`, () => {
    let place: CaseInventory;
    beforeAll(async () => {
      place = await CaseInventory.open();
    });
    afterAll(() => place.close());

    test.each(book)(
      '$policy.folder evaluates resources as expected',
      async ({ policy, cases, ...queries }) => {
        const taken = await StoredResources.take(place, `${policy.number}`, cases);
        for (const one of taken)
          expect([one.of.name, await one.complaint(queries)]).toEqual([one.of.name, undefined]);
      },
    );
  });
}
