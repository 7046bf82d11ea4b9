import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { purgeOwner } from '../../control/purge.ts';
import { TestService } from '../../testing/service.ts';

const day = 24 * 3_600_000;
const family = '/api/v2/AgentAccessTokens';

let service: TestService;
let token: string;
let aliases = 0;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  token = await service.token();
});

const create = async (headers: Record<string, string> = {}): Promise<string> => {
  const body = { tokenAlias: `hosts ${++aliases}`, tokenEnabled: 1 };
  return (await service.request('POST', family, { token, body, headers })).body.data.accessToken;
};
const rotate = (current: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request('POST', `${family}/${current}/rotate`, { token, body, headers });
const rotated = async (current: string, body?: unknown): Promise<string> => {
  const answer = await rotate(current, body);
  expect(answer.status).toBe(200);
  return answer.body.data.accessToken;
};

/** Reports as an agent: the status, the token in the response, and the message of a refusal. */
async function report(agent: string, body = '') {
  const createdTime = new Date(service.clock.now()).toISOString();
  const record = { createdTime, mid: 1, fqdn: 'a.example', hostIpAddr: 'b', ttl: 1, dnsServerIp: 'c' };
  const response = await fetch(`${service.url}/ingest/v1/Activities/DNSs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/x-ndjson' },
    body: body || JSON.stringify(record),
  });
  const { message } = (await response.json()) as { message?: string };
  return { status: response.status, given: response.headers.get('vedette-token'), message };
}

test('an agent with the previous token gets the new one, and both are accepted for seven days', async () => {
  const first = await create();
  expect(await report(first)).toMatchObject({ status: 200, given: null });
  const answer = await rotate(first);
  const second = answer.body.data.accessToken;
  expect(second).toMatch(/^[0-9a-f]{56}$/);
  expect(second).not.toBe(first);
  expect(answer.body.data).toMatchObject({
    tokenAlias: `hosts ${aliases}`,
    tokenEnabled: 1,
    previousTokenExpiry: new Date(service.clock.now() + 7 * day).toISOString(),
  });
  expect(await report(first)).toMatchObject({ status: 200, given: second });
  expect(await report(second)).toMatchObject({ status: 200, given: null });
  service.clock.advance(7 * day - 1);
  expect(await report(first)).toMatchObject({ status: 200, given: second });
  service.clock.advance(1);
  expect(await report(first)).toEqual({
    ...{ status: 401, given: null },
    message:
      'The agent access token was rotated and is no longer accepted: read the current token with AgentAccessTokens, and set it in the configuration of the agent.',
  });
  expect(await report(second)).toMatchObject({ status: 200, given: null });
});

test('rejected batches also get the new token; unauthenticated and disabled ones do not', async () => {
  const first = await create();
  const second = await rotated(first);
  expect(await report(first, '{"mid":true}')).toMatchObject({ status: 400, given: second });
  expect(await report(`${first}0`)).toMatchObject({ status: 401, given: null });
  await service.request('PATCH', `${family}/${second}`, { token, body: { tokenEnabled: 0 } });
  for (const one of [first, second]) {
    const { status, given, message } = await report(one);
    expect([status, given, message]).toEqual([401, null, expect.stringContaining('wrong or disabled')]);
  }
});

test('an agent that missed a rotation gets the newest token', async () => {
  const first = await create();
  const second = await rotated(first);
  const third = await rotated(second);
  expect(await report(first)).toMatchObject({ status: 200, given: third });
  expect(await report(second)).toMatchObject({ status: 200, given: third });
});

test('graceDays 0 ends the acceptance of all previous tokens at once', async () => {
  const first = await create();
  const second = await rotated(first, { graceDays: 3 });
  const third = await rotated(second, { graceDays: 0 });
  for (const one of [first, second]) expect(await report(one)).toMatchObject({ status: 401, given: null });
  expect(await report(third)).toMatchObject({ status: 200, given: null });
  const rejected = await rotate(third, { graceDays: 366 });
  expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining('graceDays')]);
});

test('a token has at most 20 previous ones that are accepted', async () => {
  let current = await create();
  for (let round = 0; round < 20; round++) current = await rotated(current);
  const rejected = await rotate(current);
  expect([rejected.status, rejected.body.message]).toEqual([409, expect.stringContaining('graceDays 0')]);
  await rotated(current, { graceDays: 0 });
});

test('the id is the current token, and that of another account is not found', async () => {
  const first = await create();
  const second = await rotated(first);
  expect((await rotate(first)).status).toBe(404);
  expect((await service.request('GET', `${family}/${second}`, { token })).status).toBe(200);
  await service.accounts.create('other');
  expect((await rotate(second, {}, { 'Account-Name': 'other' })).status).toBe(404);
  expect(await report(second)).toMatchObject({ status: 200, given: null });
});

test('a rotation is audited, stores no token readably, and survives a restart', async () => {
  const first = await create();
  const second = await rotated(first);
  const search = { filters: [{ field: 'eventName', expression: 'eq', value: 'Agent Access Token Rotated' }] };
  const { body, text } = await service.request('POST', '/api/v2/AuditLogs/search', { token, body: search });
  const described = body.data.map((entry: { eventDescription: string }) => entry.eventDescription);
  expect(described).toContainEqual(
    expect.stringContaining(`'hosts ${aliases}': the previous token is accepted until `),
  );
  const rows = [
    ...(await service.store.read.selectFrom('agent_tokens').selectAll().execute()),
    ...(await service.store.read.selectFrom('replaced_agent_tokens').selectAll().execute()),
  ];
  await service.restart();
  expect(await report(first)).toMatchObject({ status: 200, given: second });
  for (const one of [first, second])
    expect([text, JSON.stringify(rows), ...service.logLines].join('\n')).not.toContain(one);
});

test('previous tokens are deleted with their account', async () => {
  const { id } = await service.accounts.create('leaving');
  const headers = { 'Account-Name': 'leaving' };
  const first = await create(headers);
  expect((await rotate(first, {}, headers)).status).toBe(200);
  await service.accounts.delete('leaving');
  expect((await report(first)).status).toBe(401);
  await purgeOwner(service.store, id);
  const remaining = service.store.read.selectFrom('replaced_agent_tokens').where('owner_id', '=', id);
  expect(await remaining.selectAll().execute()).toEqual([]);
});
