import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AlertMessage } from '../../alerts/alert-message.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { TestDetection } from '../../testing/detection.ts';
import { FailingStore } from '../../testing/failing-store.ts';

let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

const trail = `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'StopLogging' } return { INSERT_ID, EVENT } }`;
const call = (user: string) => ({
  ...{ eventTime: new Date(place.clock.now()).toISOString(), eventID: user, eventName: 'StopLogging' },
  ...{ eventSource: 'cloudtrail.amazonaws.com', userIdentity: { type: 'IAMUser', userName: user } },
});

async function channel(): Promise<void> {
  await place.store.housekeeping(async (tx) => {
    await tx
      .insertInto('integrations')
      .values({
        ...{ id: 'HOOK', owner_id: place.account, family: 'AlertChannels', type: 'Webhook', name: 'hook' },
        ...{ subtype: null, enabled: 1, is_org: 0, is_default: 0, data: '{}', secrets: null, props: null },
        ...{ state: null, server_token: null, server_token_fingerprint: null, identity: null },
        ...{ updated_at: 0, updated_by: '' },
      })
      .execute();
    await tx
      .insertInto('rules')
      .values({
        ...{ id: 'RULE', owner_id: place.account, family: 'AlertRules', channels: '["HOOK"]' },
        ...{ filters: '{"name":"all","enabled":1}', report_types: null, updated_at: 0, updated_by: '' },
      })
      .execute();
  });
}

test.each(['before', 'after'])(
  'joining entities are announced once, whichever transaction a kill interrupts, %s its commit',
  async (when) => {
    await channel();
    await place.policy('trail', trail);
    await place.tick();
    await place.take(cloudTrailRawEvents, [call('first')]);
    await place.tick();
    const sent = { state: 'delivered', attempts: 1 } as const;
    await place.store.housekeeping((tx) => tx.updateTable('deliveries').set(sent).execute());
    const users: string[] = [];
    for (let last = 1; last < 30; last++) {
      const severed = new FailingStore(place.store, last, when === 'after');
      users.push(`user-${last}`);
      await place.take(cloudTrailRawEvents, [call(`user-${last}`)]);
      place.clock.advance(1_000);
      const dying = place.another({ store: severed as never });
      await dying.tick().catch(() => undefined);
      await dying.settled();
      const next = place.another();
      await next.takeOver();
      await place.tick(next);
      await place.tick(next);
      const rows = await place.store.read
        .selectFrom('deliveries')
        .select('message')
        .where('occasion', '=', 'updated')
        .execute();
      expect(rows).toHaveLength(1);
      const { newEntities = [] } = JSON.parse(rows[0]?.message ?? '{}') as AlertMessage;
      const named = newEntities.find(({ kind }) => kind === 'CT_User');
      expect(named?.total).toBe(users.length);
      expect(named?.names).toEqual(users.slice(0, 20));
      if (!severed.isReached) {
        expect(last).toBeGreaterThan(2);
        return;
      }
    }
    throw new Error('the evaluation never ended');
  },
);
