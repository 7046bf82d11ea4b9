import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { IntegrationCatalogue, loadIntegrationTypes } from '../integrations/catalogue.ts';
import { Integrations } from '../integrations/integrations.ts';
import { Keyring } from '../platform/keyring.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { outboundTo } from '../testing/outbound.ts';
import { Receiver } from '../testing/receiver.ts';
import { transportsWith } from '../testing/transports.ts';
import { attempt } from './attempt.ts';
import { testMessage } from './channel-test.ts';

const host = 'acme.service-now.com';
const clock = new ManualClock();
const keyring = new Keyring([Keyring.newMaterial()]);
const scope = { ownerId: 'OWNER', name: 'local', isOrganization: false, isReadOnly: false };
const set = { scope, family: 'AlertChannels', url: 'http://localhost' } as const;
const actor = { userName: 'ops@example.com', ownerId: 'OWNER', accountName: 'local', act: 'Tested' };

let place: TestPlace;
let store: ControlStore;
let receiver: Receiver;
beforeAll(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
  receiver = await Receiver.start([host]);
});
afterAll(async () => {
  await receiver.close();
  await store.close();
  await place.remove();
});

test('external ids of a reply contain no secrets, whatever the length of the reply', async () => {
  const catalogue = new IntegrationCatalogue(
    await loadIntegrationTypes(new URL('./channels/', import.meta.url)),
  );
  const { intgGuid } = await new Integrations({ store, keyring, clock, catalogue }).create(actor, set, {
    ...{ name: 'incidents', type: 'ServiceNowRest', enabled: 1 },
    data: { instanceUrl: host, userName: 'alerts', password: 'canary-of-alerts', issueGrouping: 'Events' },
  });
  const channel = await store.read
    .selectFrom('integrations')
    .selectAll()
    .where('id', '=', intgGuid)
    .executeTakeFirstOrThrow();
  const outbound = outboundTo(receiver, [host]);
  const deps = { catalogue, keyring, outbound, transports: transportsWith(outbound, clock), clock };
  for (const length of [0, 20_000]) {
    const sys_id = 'c537bae64f411200adf9f8e18110c76e';
    const body = JSON.stringify({ x: 'x'.repeat(length), result: [{ sys_id, number: 'canary-of-alerts' }] });
    receiver.react = () => ({ status: 200, body });
    const message = testMessage('local', 'http://localhost', clock.now());
    const outcome = await attempt(channel, message, undefined, { ...deps, log: createLog('silent') });
    expect(outcome).toMatchObject({ problem: undefined, external: { id: '***' } });
    expect(JSON.stringify(outcome)).toContain(sys_id);
  }
});
