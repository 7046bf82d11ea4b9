import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dnss } from '../../telemetry/datasets/DNSs.ts';
import { machineDetails } from '../../telemetry/datasets/MachineDetails.ts';
import { TestDetection } from '../../testing/detection.ts';
import { Exceptions } from '../exceptions/exceptions.ts';

const hour = 3_600_000;
let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

const now = () => new Date(place.clock.now()).toISOString();
const host = (mid: number, Env: string) => ({
  ...{ createdTime: now(), mid, hostname: `host-${mid}`, domain: '', os: '', osVersion: '' },
  ...{ kernel: '', kernelRelease: '', kernelVersion: '', tags: { Env } },
});
const lookup = (mid: number) => ({
  ...{
    createdTime: now(),
    mid,
    fqdn: 'bad.example',
    hostIpAddr: '10.0.0.1',
    ttl: 1,
    dnsServerIp: '10.0.0.2',
  },
});
const bad = `{ source { LW_HA_DNS_REQUESTS } filter { HOSTNAME = 'bad.example' } return { MID, HOSTNAME } }`;

/** Routes alerts about production hosts to a channel. */
async function sendProduction(): Promise<void> {
  const owner_id = place.account;
  const made = { updated_at: 0, updated_by: '' };
  const query = {
    filters: { env: { field: 'Machine Tag', key: 'Env', operation: 'EQUALS', values: ['prod'] } },
    expression: { operator: 'AND', children: [{ filterName: 'env' }] },
  };
  await place.store.housekeeping(async (tx) => {
    await tx
      .insertInto('integrations')
      .values({
        ...{
          id: 'CHANNEL',
          owner_id,
          family: 'AlertChannels',
          type: 'Webhook',
          subtype: null,
          name: 'on call',
        },
        ...{ enabled: 1, is_org: 0, is_default: 0, data: '{}', secrets: null, props: null, state: null },
        ...{ server_token: null, server_token_fingerprint: null, identity: null, ...made },
      })
      .execute();
    await tx
      .insertInto('resource_groups')
      .values({
        ...{ id: 'GROUP', owner_id, type: 'MACHINE', name: 'production', description: '', enabled: 1 },
        ...{
          is_default: 0,
          query: JSON.stringify(query),
          props: null,
          created_at: 0,
          created_by: '',
          ...made,
        },
      })
      .execute();
    await tx
      .insertInto('rules')
      .values({
        ...{
          id: 'RULE',
          owner_id,
          family: 'AlertRules',
          channels: '["CHANNEL"]',
          report_types: null,
          ...made,
        },
        filters: JSON.stringify({ name: 'production', enabled: 1, resourceGroups: ['GROUP'] }),
      })
      .execute();
  });
}

describe('an alert with host ids', () => {
  test('is routed by rules on host tags', async () => {
    await sendProduction();
    await place.policy('lookup', bad);
    await place.take(machineDetails, [host(7, 'prod'), host(8, 'dev')]);
    await place.tick();
    const raised: number[] = [];
    const scheduler = place.another({ onAlert: () => void raised.push(raised.length) });
    const routed = async () => (await place.alerts()).map(({ is_routed }) => is_routed);
    await place.take(dnss, [lookup(8)]);
    await place.tick(scheduler);
    expect([await routed(), raised]).toEqual([[0], [0]]);
    place.clock.advance(hour);
    await place.take(dnss, [lookup(7)]);
    await place.tick(scheduler);
    expect([await routed(), raised]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    place.clock.advance(96 * hour);
    await place.take(dnss, [lookup(7)]);
    await place.tick(scheduler);
    expect(await routed()).toEqual([0, 1, 1]);
    const sent = await place.store.read.selectFrom('deliveries').select(['alert_id', 'channel_id']).execute();
    expect(sent).toEqual([2, 3].map((alert_id) => ({ alert_id, channel_id: 'CHANNEL' })));
  });

  test('is not raised for hosts that an exception matches by tag', async () => {
    const policyId = await place.policy('lookup', bad);
    const exceptions = new Exceptions({ store: place.store, clock: place.clock, policies: place.policies });
    await exceptions.create(
      place.actor,
      { scope: place.scope, policyId },
      {
        constraints: [{ fieldKey: 'resourceTags', fieldValues: [{ key: 'Env', value: 'dev' }] }],
      },
    );
    await place.take(machineDetails, [host(7, 'prod'), host(8, 'dev')]);
    await place.tick();
    await place.take(dnss, [lookup(7), lookup(8)]);
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 1 }]);
    const exempt = (await place.violations()).filter(({ exception_id }) => exception_id !== null);
    expect(exempt).toMatchObject([{ key: expect.stringMatching(/^8:/), alert_id: null }]);
  });

  test('shows host names in its subject, entities and timeline', async () => {
    await place.policy('lookup', bad);
    await place.take(machineDetails, [host(7, 'prod')]);
    await place.tick();
    await place.take(dnss, [lookup(7)]);
    await place.tick();
    await place.take(dnss, [lookup(8)]);
    await place.tick();
    const [alert] = await place.alerts();
    expect(JSON.parse(alert?.alert_info ?? '').subject).toBe('Title of lookup: host-7 queried bad.example');
    expect(JSON.parse(alert?.entity_map ?? '')).toEqual({
      Machine: [
        { KEY: { mid: 7 }, PROPS: { hostname: 'host-7' } },
        { KEY: { mid: 8 }, PROPS: {} },
      ],
      DnsName: [{ KEY: { hostname: 'bad.example' }, PROPS: { mid: 7, hostname_list: ['host-7'] } }],
    });
    expect((await place.timeline())[0]?.message).toBe('1 violation: bad.example on host-7.');
    expect((await place.violations()).map(({ name }) => name)).toEqual([
      'bad.example on host-7',
      'bad.example',
    ]);
  });

  test.each(['host-7', 'bad.example on host-7', '7'])(
    'is not raised for a host that an exception names %s',
    async (name) => {
      const policyId = await place.policy('lookup', bad);
      const exceptions = new Exceptions({ store: place.store, clock: place.clock, policies: place.policies });
      const constraints = [{ fieldKey: 'resourceNames', fieldValues: [name] }];
      await exceptions.create(place.actor, { scope: place.scope, policyId }, { constraints });
      await place.take(machineDetails, [host(7, 'prod'), host(8, 'prod')]);
      await place.tick();
      await place.take(dnss, [lookup(7), lookup(8)]);
      await place.tick();
      expect(await place.alerts()).toMatchObject([{ violations: 1 }]);
    },
  );
});
