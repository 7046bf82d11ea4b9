import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
  await service.accounts.create('other');
  // Enough characters for a search of several seconds, in several channels because of the length limit of settings.
  for (let count = 0; count < 4; count++) {
    const data = { webhookUrl: 'https://hooks.example.com/', x: pseudorandom(100_000) };
    const body = { name: 'large', type: 'Webhook', enabled: 1, data };
    const created = await service.request('POST', '/api/v2/AlertChannels', { token, body });
    expect(created.status).toBe(201);
  }
  const query = await service.request('POST', '/api/v2/Queries', {
    token,
    body: {
      queryId: 'Large',
      queryText: `{ source { CloudTrailRawEvents } filter { EVENT_NAME = '${pseudorandom(70_000)}' } return { EVENT_NAME } }`,
    },
  });
  expect(query.status).toBe(201);
});
afterAll(() => service.stop());

/** Deterministic characters without repetition. */
function pseudorandom(count: number): string {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 1 ? 'a' : 'b';
  }).join('');
}

const rlike = (field: string, value: string, expression = 'rlike') => ({ field, expression, value });
const search = (family: string, filters: readonly object[], account = 'local') =>
  service.request('POST', `/api/v2/${family}/search`, {
    token,
    body: { filters },
    headers: { 'Account-Name': account },
  });

/** Searches that take seconds but stay within the step budget. */
const slow = {
  AlertChannels: [rlike('data.x', '.*a[ab]{900}c.*')],
  Queries: [
    { field: 'queryId', expression: 'eq', value: 'Large' },
    ...Array.from({ length: 3 }, (_, index) => rlike('queryText', `.*a[ab]{${900 - index}}c.*`, 'not_rlike')),
  ],
};

/** A search whose client can disconnect. */
function startSearch(family: keyof typeof slow) {
  const controller = new AbortController();
  const state = { isComplete: false };
  const response = fetch(`${service.url}/api/v2/${family}/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ filters: slow[family] }),
    signal: controller.signal,
  }).then(
    () => {
      state.isComplete = true;
    },
    () => undefined,
  );
  const disconnect = () => {
    controller.abort();
    return response;
  };
  return { state, disconnect };
}

describe.each(['AlertChannels', 'Queries'] as const)('a slow search of %s', (family) => {
  test('does not block other requests, including those of the same account', async () => {
    const running = startSearch(family);
    for (const [method, path] of [
      ['GET', '/healthz'],
      ['GET', '/readyz'],
      ['GET', '/api/v2/AlertChannels'],
      ['GET', '/api/v2/Policies'],
    ] as const) {
      const { status } = await service.request(method, path, { token });
      expect([path, status, running.state.isComplete]).toEqual([path, 200, false]);
    }
    await running.disconnect();
  });

  test('leaves a thread for other accounts, and stops when its client disconnects', async () => {
    const all = [startSearch(family), startSearch(family), startSearch(family)];
    for (const other of ['AuditLogs', 'Alerts', 'Policies', 'Queries']) {
      const { status } = await search(other, [rlike('nothing', '')].slice(1), 'other');
      expect([other, status]).toEqual([other, 200]);
    }
    expect(all.map(({ state }) => state.isComplete)).toEqual([false, false, false]);
    for (const { disconnect } of all) await disconnect();
    const own = await search('AuditLogs', []);
    expect([own.status, all.some(({ state }) => state.isComplete)]).toEqual([200, false]);
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
  ])('of %s is rejected with a message that names the filter', async (family, filters, message) => {
    const { status, body } = await search(family as string, filters as object[]);
    expect([status, body.code, body.message]).toEqual([
      400,
      'INVALID_FILTER',
      expect.stringMatching(message as RegExp),
    ]);
  });
});

test('a search in a thread sees and returns records in the format of GET', async () => {
  const list = await service.request('GET', '/api/v2/AlertChannels', { token });
  const all = await search('AlertChannels', [rlike('name', '(?i)(LARGE|default.*)')]);
  expect(all.body).toEqual(list.body);
  const { body } = await service.request('POST', '/api/v2/AlertChannels/search', {
    token,
    body: { filters: [rlike('data.x', '[ab]+')], returns: ['name', 'type'] },
  });
  expect(body).toEqual({ data: Array(4).fill({ name: 'large', type: 'Webhook' }) });
});
