import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
  await service.accounts.create('other');
  // As many letters as one search takes seconds for; settings may not be so long in one channel.
  for (let count = 0; count < 4; count++) {
    const data = { webhookUrl: 'https://hooks.example.com/', x: letters(100_000) };
    const body = { name: 'large', type: 'Webhook', enabled: 1, data };
    const created = await service.ask('POST', '/api/v2/AlertChannels', { token, body });
    expect(created.status).toBe(201);
  }
  const query = await service.ask('POST', '/api/v2/Queries', {
    token,
    body: {
      queryId: 'Large',
      queryText: `{ source { CloudTrailRawEvents } filter { EVENT_NAME = '${letters(70_000)}' } return { EVENT_NAME } }`,
    },
  });
  expect(query.status).toBe(201);
});
afterAll(() => service.stop());

/** Emails without a period, the same in every run. */
function letters(count: number): string {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 1 ? 'a' : 'b';
  }).join('');
}

const rlike = (field: string, value: string, expression = 'rlike') => ({ field, expression, value });
const search = (family: string, filters: readonly object[], account = 'local') =>
  service.ask('POST', `/api/v2/${family}/search`, {
    token,
    body: { filters },
    headers: { 'Account-Name': account },
  });

/** Takes seconds, and no more steps than a search may. */
const slow = {
  AlertChannels: [rlike('data.x', '.*a[ab]{900}c.*')],
  Queries: Array.from({ length: 3 }, (_, index) =>
    rlike('queryText', `.*a[ab]{${900 - index}}c.*`, 'not_rlike'),
  ),
};

/** A search whose client leaves when it is told to. */
function leaving(family: keyof typeof slow) {
  const left = new AbortController();
  const state = { isAnswered: false };
  const answer = fetch(`${service.url}/api/v2/${family}/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ filters: slow[family] }),
    signal: left.signal,
  }).then(
    () => {
      state.isAnswered = true;
    },
    () => undefined,
  );
  const leave = () => {
    left.abort();
    return answer;
  };
  return { state, leave };
}

describe.each(['AlertChannels', 'Queries'] as const)('a slow search of %s', (family) => {
  test('lets the service answer while it runs, to its own account too', async () => {
    const running = leaving(family);
    for (const [method, path] of [
      ['GET', '/healthz'],
      ['GET', '/readyz'],
      ['GET', '/api/v2/AlertChannels'],
      ['GET', '/api/v2/Policies'],
    ] as const) {
      const { status } = await service.ask(method, path, { token });
      expect([path, status, running.state.isAnswered]).toEqual([path, 200, false]);
    }
    await running.leave();
  });

  test('leaves a thread to other accounts, and its thread when its client leaves', async () => {
    const all = [leaving(family), leaving(family), leaving(family)];
    for (const other of ['AuditLogs', 'Alerts', 'Policies', 'Queries']) {
      const { status } = await search(other, [rlike('nothing', '')].slice(1), 'other');
      expect([other, status]).toEqual([other, 200]);
    }
    expect(all.map(({ state }) => state.isAnswered)).toEqual([false, false, false]);
    for (const { leave } of all) await leave();
    const own = await search('AuditLogs', []);
    expect([own.status, all.some(({ state }) => state.isAnswered)]).toEqual([200, false]);
  });
});

describe('a search that is too large', () => {
  test.each([
    ['AlertChannels', [rlike('data.x', '.*a(ab|ba|[ab]){500}c.*')], /^filters\[0\] takes too many steps/],
    [
      'Queries',
      Array(8).fill(rlike('queryText', '.*a[ab]{990}c.*', 'not_rlike')),
      /^filters\[\d\] takes too many steps/,
    ],
    [
      'Queries',
      Array(90).fill(rlike('queryText', '.*a[ab]{990}c.*', 'not_rlike')),
      /^filters\[10\]\.value makes the regular expressions of the search too large/,
    ],
  ])('of %s is refused with the filter and what to do', async (family, filters, message) => {
    const { status, body } = await search(family as string, filters as object[]);
    expect([status, body.code, body.message]).toEqual([
      400,
      'INVALID_FILTER',
      expect.stringMatching(message as RegExp),
    ]);
  });
});

test('what a thread searches is what GET returns, and is returned in the same form', async () => {
  const listed = await service.ask('GET', '/api/v2/AlertChannels', { token });
  const all = await search('AlertChannels', [rlike('name', '(?i)(LARGE|default.*)')]);
  expect(all.body).toEqual(listed.body);
  const { body } = await service.ask('POST', '/api/v2/AlertChannels/search', {
    token,
    body: { filters: [rlike('data.x', '[ab]+')], returns: ['name', 'type'] },
  });
  expect(body).toEqual({ data: Array(4).fill({ name: 'large', type: 'Webhook' }) });
});
