import { afterAll, beforeAll, expect, test } from 'vitest';
import { correctUntriedStates } from '../../integrations/state.ts';
import { Receiver } from '../../testing/receiver.ts';
import { TestService } from '../../testing/service.ts';

let receiver: Receiver;
let service: TestService;
let token: string;
beforeAll(async () => {
  receiver = await Receiver.start();
  service = await TestService.start({ VEDETTE_ALLOW_PRIVATE_TARGETS: 'yes' });
  token = await service.token();
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/AlertChannels${path}`, { token, body });
const hook = (path: string) => ({
  name: 'hook',
  type: 'Webhook',
  enabled: 1,
  data: { webhookUrl: receiver.url + path },
});
const initialState = { ok: false, lastSuccessfulTime: 0, details: { message: 'Not tried yet.' } };

test('the state of a channel shows success and failure, and a change of its settings resets it', async () => {
  const created = service.clock.now();
  const { intgGuid, state } = (await request('POST', '', hook('/one'))).body.data;
  const stateNow = async () => (await request('GET', `/${intgGuid}`)).body.data.state;
  expect(state).toEqual({ ...initialState, lastUpdatedTime: created });

  service.clock.advance(1_000);
  const testedAt = service.clock.now();
  await request('POST', `/${intgGuid}/test`);
  const working = { ok: true, lastUpdatedTime: testedAt, lastSuccessfulTime: testedAt, details: {} };
  expect(await stateNow()).toEqual(working);

  service.clock.advance(1_000);
  // Some clients send all settings.
  await request('PATCH', `/${intgGuid}`, { ...hook('/one'), name: 'renamed' });
  expect(await stateNow()).toEqual(working);
  await request('PATCH', `/${intgGuid}`, hook('/two'));
  expect(await stateNow()).toEqual({
    ...initialState,
    lastUpdatedTime: service.clock.now(),
    lastSuccessfulTime: testedAt,
  });

  receiver.expect({ status: 503 });
  await request('POST', `/${intgGuid}/test`);
  expect(await stateNow()).toMatchObject({
    ok: false,
    lastSuccessfulTime: testedAt,
    details: { errorMessage: 'The webhook answered 503.', statusCode: '503' },
  });
});

test('the default channel has the initial state, also if an earlier release stored ok', async () => {
  const isDefault = ({ name }: { name: string }) => name === 'DEFAULT EMAIL';
  const channel = async () => (await request('GET', '')).body.data.find(isDefault);
  const { intgGuid, state } = await channel();
  expect(state).toMatchObject(initialState);
  const before = JSON.stringify({ ...state, ok: true, details: {} });
  await service.store.housekeeping(async (tx) => {
    await tx.updateTable('integrations').set({ state: before }).where('id', '=', intgGuid).execute();
    await correctUntriedStates(tx);
  });
  expect((await channel()).state).toEqual(state);
});
