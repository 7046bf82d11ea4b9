import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDelivery } from '../../testing/deliveries.ts';
import { Receiver } from '../../testing/receiver.ts';
import { TestService } from '../../testing/service.ts';

let receiver: Receiver;
let service: TestService;
let token: string;
beforeAll(async () => {
  receiver = await Receiver.start();
  service = await TestService.start({ VEDETTE_ALLOW_PRIVATE_TARGETS: 'true' });
  token = await service.token();
});
beforeEach(() => receiver.forget());
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

type Headers = Record<string, string>;
const request = (
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Headers } = {},
) => service.request(method, `/api/v2/AlertChannels${path}`, { token, body, headers });
async function newChannel(headers: Headers = {}, url = receiver.url): Promise<string> {
  const data = { webhookUrl: `${url}/hook?key=canary-key` };
  const body = { name: 'hook', type: 'Webhook', enabled: 1, data };
  return (await request('POST', '', { body, headers })).body.data.intgGuid;
}
const stateOf = async (id: string, headers: Headers = {}) =>
  (await request('GET', `/${id}`, { headers })).body.data.state;

describe('a channel test', () => {
  test.each([{}, { 'Org-Access': 'true' }] as Headers[])(
    'sends a message immediately, with headers %j',
    async (headers) => {
      const id = await newChannel(headers);
      expect(await request('POST', `/${id}/test`, { headers })).toMatchObject({ status: 204, text: '' });
      expect(receiver.received).toHaveLength(1);
      const [{ url, body } = { url: '', body: '' }] = receiver.received;
      expect(url).toContain('/hook?key=canary-key');
      expect(JSON.parse(body)).toMatchObject({
        occasion: 'test',
        alert: { alertName: 'Vedette channel test' },
      });
      const now = service.clock.now();
      expect(await stateOf(id, headers)).toEqual({
        ...{ ok: true, lastUpdatedTime: now, lastSuccessfulTime: now, details: {} },
      });
    },
  );

  test.each([
    [{ status: 403, body: 'unknown key canary-key' }, 'The webhook answered 403: unknown key ***', '403'],
    [{ status: 503 }, 'The webhook answered 503.', '503'],
    ['reset', /^The request to 127\.0\.0\.1:\d+ failed/, ''],
  ] as const)(
    'that ends with %j reports the reason in the response and in the state',
    async (behaviour, reason, statusCode) => {
      const id = await newChannel();
      receiver.expect(behaviour);
      const { status, body } = await request('POST', `/${id}/test`);
      expect([status, body.code]).toEqual([400, 'CHANNEL_FAILED']);
      expect(body.message).toMatch(reason);
      const state = await stateOf(id);
      expect(state).toMatchObject({ ok: false, lastSuccessfulTime: 0, details: { statusCode } });
      expect(state.details.errorMessage).toBe(body.message);
      expect(JSON.stringify([body, state])).not.toContain('canary');
      expect(receiver.received).toHaveLength(1);
      expect((await request('DELETE', `/${id}`)).status).toBe(204);
      expect((await request('GET', `/${id}`)).body.message).toBe(`Not found: alert channel '${id}'.`);
    },
  );

  test('is audited, without the secret', async () => {
    const id = await newChannel();
    await request('POST', `/${id}/test`);
    const { body } = await service.request('GET', '/api/v2/AuditLogs', { token });
    const tests = body.data
      .filter((entry: { eventName: string }) => entry.eventName === 'Alert Channel Tested')
      .map((entry: { eventDescription: string }) => entry.eventDescription);
    expect(tests.join('\n')).toContain(`'hook' (${id}): the message arrived`);
    expect(JSON.stringify(tests)).not.toContain('canary');
  });

  test('that hangs does not block other accounts, and the number per account is limited', async () => {
    await service.accounts.create('elsewhere');
    const otherAccount = { 'Account-Name': 'elsewhere' };
    const [id, other] = [await newChannel(), await newChannel(otherAccount)];
    receiver.react = () => 'hang';
    const statuses: number[] = [];
    const channelTests = Array.from({ length: 20 }, async () => {
      statuses.push((await request('POST', `/${id}/test`)).status);
    });
    // Seven run and eight wait.
    await expect.poll(() => [receiver.received.length, statuses.length]).toEqual([7, 5]);
    expect(statuses).toEqual(Array(5).fill(503));
    receiver.react = () => ({});
    expect((await request('POST', `/${other}/test`, { headers: otherAccount })).status).toBe(204);
    expect(receiver.received).toHaveLength(8);
    receiver.answer({});
    await Promise.all(channelTests);
    expect(statuses.slice(5)).toEqual(Array(15).fill(204));
  });

  test('of an unknown channel is 404', async () => {
    expect(await request('POST', '/nothing/test')).toMatchObject({
      status: 404,
      body: { message: "Not found: alert channel 'nothing'." },
    });
    const ofOrganization = await newChannel({ 'Org-Access': 'true' });
    expect((await request('POST', `/${ofOrganization}/test`)).status).toBe(404);
    expect(receiver.received).toEqual([]);
  });
});

describe('the service', () => {
  test('sends messages from the store and counts them', async () => {
    const { id: ownerId } = await service.store.read
      .selectFrom('accounts')
      .select('id')
      .executeTakeFirstOrThrow();
    const channelId = await newChannel();
    receiver.expect({}, { status: 410 });
    const send = (alertId: number) =>
      addDelivery(service.store, service.clock.now(), { ownerId, channelId, alertId });
    const first = await send(1);
    await expect
      .poll(() => receiver.received.map(({ headers }) => headers['vedette-delivery-id']))
      .toEqual([first]);
    const metrics = async () => (await service.request('GET', '/metrics')).text;
    await expect.poll(metrics).toContain('vedette_deliveries{state="delivered"} 1');
    await send(2);
    await expect.poll(metrics).toContain('vedette_deliveries{state="dead"} 1');
    await expect.poll(metrics).toContain('vedette_deliveries{state="waiting"} 0');
    receiver.expect({ status: 500 });
    await send(3);
    await expect.poll(() => receiver.received.length).toBe(3);
    service.clock.advance(500);
    // Metrics are cached for half a second under load.
    await expect.poll(metrics).toContain('vedette_deliveries_oldest_waiting_seconds 0.5');
  });

  test('reaches private addresses only if they are allowed', async () => {
    const restricted = await TestService.start();
    try {
      const data = { webhookUrl: `${receiver.url}/hook` };
      const options = {
        token: await restricted.token(),
        body: { name: 'hook', type: 'Webhook', enabled: 1, data },
      };
      const { body } = await restricted.request('POST', '/api/v2/AlertChannels', options);
      const path = `/api/v2/AlertChannels/${body.data.intgGuid}/test`;
      const response = await restricted.request('POST', path, { token: options.token });
      expect(response.status).toBe(400);
      expect(response.body.message).toContain('VEDETTE_ALLOW_PRIVATE_TARGETS');
      expect(receiver.received).toEqual([]);
    } finally {
      await restricted.stop();
    }
  });
});
