import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestDetection } from '../../testing/detection.ts';
import { Pack, shippedPacks } from './pack.ts';
import { readPolicyCases } from './policy-cases.ts';

const book = await readPolicyCases(shippedPacks(), await Pack.load(shippedPacks()));

/** All cases run in one account with all policies enabled. */
describe('every activity policy', () => {
  let place: TestDetection;
  let raised: Awaited<ReturnType<TestDetection['alerts']>>;
  beforeAll(async () => {
    place = await TestDetection.start({ builtIn: true });
    const { account: owner_id, store } = place;
    const on = book.map(({ policy: { id, severity } }) => ({
      ...{ id, owner_id, severity, enabled: 1 as const, alert_enabled: 1 as const },
      ...{ updated_at: 0, updated_by: 'tester@example.com' },
    }));
    await store.housekeeping((tx) => tx.insertInto('built_in_policies').values(on).execute());
    await place.tick();
    for (const { cases } of book)
      for (const { alerts, records } of cases)
        if (alerts !== 'none') for (const [dataset, list] of records) await place.take(dataset, list);
    await place.tick();
    raised = await place.alerts();
  });
  afterAll(() => place.stop());

  test.each(book)('$policy.folder raises one alert with complete text and entities', ({ policy }) => {
    const own = raised.filter(({ policy_id }) => policy_id === policy.id);
    expect(own).toHaveLength(1);
    const [alert] = own;
    expect(alert?.severity.toLowerCase()).toBe(policy.severity);
    const { subject, description } = JSON.parse(alert?.alert_info ?? '{}');
    for (const text of [alert?.alert_name, subject, description]) {
      expect(text).toMatch(/\S/);
      expect(text).not.toContain('{{');
    }
    expect(Object.keys(JSON.parse(alert?.entity_map ?? '{}'))).not.toEqual([]);
    expect(alert?.violations).toBeGreaterThan(0);
  });
});
