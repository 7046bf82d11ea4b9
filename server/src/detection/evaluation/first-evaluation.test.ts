import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { files } from '../../telemetry/datasets/Files.ts';
import { TestDetection } from '../../testing/detection.ts';
import { FailingStore } from '../../testing/failing-store.ts';
import { deleteExpiredViolations, policyDeleted } from './deleted-policy.ts';

const hour = 3_600_000;
let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

const trail = (event: string) =>
  `{ source { CloudTrailRawEvents } filter { EVENT_NAME = '${event}' } return { INSERT_ID, EVENT } }`;
const shadow = `{ source { LW_HE_FILES } filter { FILE_PERMISSIONS > 640 } return distinct { MID, PATH } }`;

/** An event reported hours after it happened. */
const late = (eventName: string) => ({
  ...{ eventTime: new Date(place.clock.now() - 3 * hour).toISOString(), eventID: eventName, eventName },
  eventSource: 'cloudtrail.amazonaws.com',
});
const opened = () => ({
  ...{ createdTime: new Date(place.clock.now()).toISOString(), mid: 1, filePath: '/etc/shadow' },
  ...{ filedataHash: 'aa', size: 1, mtime: '1', filePermissions: 644 },
});
const alertNames = async () => (await place.alerts()).map(({ alert_name }) => alert_name);

describe('records that arrive before the first evaluation of a policy', () => {
  test('are evaluated whatever their time, if the policy existed before them', async () => {
    await place.take(cloudTrailRawEvents, [late('Before')]);
    await place.tick();
    place.clock.advance(10_000);
    for (const event of ['Before', 'After']) await place.policy(event.toLowerCase(), trail(event));
    await place.take(cloudTrailRawEvents, [late('After')]);
    await place.tick();
    await place.tick();
    expect(await alertNames()).toEqual(['Title of after']);
    await place.tick();
    const [after] = await place.evaluations();
    expect(after).toMatchObject({
      sequence: await place.telemetry.lastBatch(place.account, 'CloudTrailRawEvents'),
    });
  });

  test('are evaluated whatever their time, if the clock of the ingesting node is some seconds behind', async () => {
    await place.take(cloudTrailRawEvents, [late('Before')]);
    await place.tick();
    place.clock.advance(10_000);
    await place.take(cloudTrailRawEvents, [late('After')]);
    place.clock.advance(5_000);
    for (const event of ['Before', 'After']) await place.policy(event.toLowerCase(), trail(event));
    await place.tick();
    await place.tick();
    expect(await alertNames()).toEqual(['Title of after']);
  });

  test('are evaluated whatever their time, if the query read another stream before', async () => {
    await place.take(files, [{ ...opened(), filePermissions: 600 }]);
    await place.take(cloudTrailRawEvents, [late('Before')]);
    await place.policy('changing', shadow);
    await place.tick();
    await place.queries.change(place.actor, 'Q_changing', { queryText: trail('After') });
    await place.take(cloudTrailRawEvents, [late('After')]);
    await place.tick();
    await place.tick();
    expect(await alertNames()).toEqual(['Title of changing']);
  });

  test('are evaluated whatever their time in a new account', async () => {
    const created_at = place.clock.now();
    await place.store.housekeeping((tx) => tx.updateTable('accounts').set({ created_at }).execute());
    await place.take(cloudTrailRawEvents, [late('First')]);
    place.clock.advance(10_000);
    await place.policy('first', trail('First'));
    await place.tick();
    expect(await alertNames()).toEqual(['Title of first']);
  });
});

describe('a killed process', () => {
  test.each(['before', 'after'])(
    'leaves no policy without its alert after the next start, whichever transaction was interrupted, %s its commit',
    async (when) => {
      await place.take(cloudTrailRawEvents, [late('Nothing')]);
      await place.tick();
      const expected: string[] = [];
      for (let last = 1; last < 30; last++) {
        place.clock.advance(1_000);
        const name = `trail-${last}`;
        await place.policy(name, trail(name));
        await place.take(cloudTrailRawEvents, [late(name)]);
        expected.push(`Title of ${name}`);
        const severed = new FailingStore(place.store, last, when === 'after');
        const dying = place.another({ store: severed as never });
        await dying.tick().catch(() => undefined);
        await dying.settled();
        // Its leases have the default duration.
        const next = place.another();
        await next.takeOver();
        for (let second = 0; second < 3; second++) await place.tick(next);
        expect((await alertNames()).sort()).toEqual([...expected].sort());
        if (!severed.isReached) {
          expect(last).toBeGreaterThan(2);
          return;
        }
      }
      throw new Error('the evaluation never ended');
    },
  );
});

describe('a policy recreated with the id of a deleted one', () => {
  test('alerts again, even while old violations are still to be deleted', async () => {
    await place.take(files, [opened()]);
    const policyId = await place.policy('shadow', shadow);
    await place.tick();
    expect(await alertNames()).toHaveLength(1);
    await place.policies.delete(place.actor, place.scope, policyId);
    await place.policies.create(place.actor, place.scope, {
      ...{
        policyId: 'shadow',
        policyType: 'Violation',
        queryId: 'Q_shadow',
        title: 'Again',
        severity: 'high',
      },
      ...{ description: 'Again.', remediation: 'Mend it.', enabled: true, alertEnabled: true },
    } as never);
    await place.tick();
    const waiting = await place.store.read
      .selectFrom('outbox')
      .selectAll()
      .where('topic', '=', policyDeleted)
      .execute();
    for (const { id, payload } of waiting) {
      await deleteExpiredViolations(place.store, JSON.parse(payload));
      await place.store.housekeeping((tx) => tx.deleteFrom('outbox').where('id', '=', id).execute());
    }
    place.clock.advance(hour);
    await place.tick();
    expect(await alertNames()).toEqual(['Title of shadow', 'Again']);
  });
});
