import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonArray } from '../../search/page.ts';
import { type OpenedCaseStore, openCaseStore } from '../../testing/case-store.ts';
import { resourcePolicyOf } from '../evaluation/evaluated-policy.ts';
import { Pack, shippedPacks } from './pack.ts';
import { readPolicyResourceCases } from './policy-cases.ts';
import type { ExpectedResources } from './resource-cases.ts';
import { collectCase } from './resource-snapshots.sample.ts';

const all = await readPolicyResourceCases(shippedPacks(), await Pack.load(shippedPacks()));
/** One of each kind of resources: the cases of all policies run as queries already. Each case has its own account. */
const sample = [
  ...new Map(all.map((one) => [one.query.match(/LW_CFG_[A-Z0-9]+_[A-Z0-9]+/)?.[0], one])).values(),
].map((one) => ({
  ...one,
  cases: one.cases
    .slice(0, 2)
    .map((given, index) => ({ ...given, account: `${one.policy.number}-${index}` })),
}));

interface StoredEvaluation {
  readonly resource: string;
  readonly status: string;
  readonly reason: string;
}

describe('stored evaluations', () => {
  let place: OpenedCaseStore;
  beforeAll(async () => {
    place = await openCaseStore();
    // Snapshots that end at the same time share a transaction.
    const cases = sample.flatMap((one) => one.cases);
    for (let from = 0; from < cases.length; from += 20)
      await Promise.all(cases.slice(from, from + 20).map((one) => collectCase(place, one.account, one)));
  });
  afterAll(() => place.close());

  test.each(sample)(
    'of $policy.folder are those that its cases expect',
    async ({ policy, query, scope, cases }) => {
      const { language, telemetry } = place;
      const resources = resourcePolicyOf({
        query: language.read(query).query,
        scope: scope === undefined ? undefined : language.read(scope).query,
      });
      if (!resources) throw new Error(`${policy.folder} does not evaluate resources.`);
      for (const one of cases) {
        const { account } = one;
        const run = { account, at: place.range.end - 1 };
        await telemetry.evaluate(
          account,
          [
            {
              ...{ id: policy.id, title: policy.title, severity: 'High', section: '', basis: 'a' },
              ...resources,
              ...{ isScheduled: true, reported: 0 },
              resources: (changed) => resources.resources(run, changed),
              violations: (changed) => resources.violations(run, changed),
            },
          ],
          run.at,
          new AbortController().signal,
        );
        const page = await telemetry.evaluations.search(account, {
          ...{ range: place.range, filters: [], returns: undefined, provider: resources.provider },
        });
        const stored = JSON.parse(jsonArray(page)) as StoredEvaluation[];
        const withStatus = (status: string) => stored.filter((row) => row.status === status);
        const label = `${policy.folder}: ${one.name}`;
        expect(withStatus('CouldNotAssess'), label).toEqual([]);
        expect(matches(withStatus('NonCompliant'), one.nonCompliant), label).toBe(true);
        expect(matches(withStatus('Compliant'), one.compliant), label).toBe(true);
      }
    },
  );
});

function matches(stored: readonly StoredEvaluation[], expected: ExpectedResources): boolean {
  if (expected === 'none') return stored.length === 0;
  if (expected === 'all') return stored.length > 0;
  return (
    stored.length === expected.length &&
    expected.every((name) => stored.some(({ resource }) => resource.endsWith(name)))
  );
}
