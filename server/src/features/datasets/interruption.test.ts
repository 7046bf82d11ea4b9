import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

const seconds = 10;
let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off', VEDETTE_SEARCH_TIMEOUT: String(seconds) });
  token = await service.token(service.firstKey, 86_400);
  const body = { tokenAlias: 'agent', tokenEnabled: 1 };
  const created = await service.request('POST', '/api/v2/AgentAccessTokens', { token, body });
  for (let batch = 0; batch < 6; batch++) {
    const records = Array.from({ length: 10_000 }, (_, index) => dnsRequest(batch * 10_000 + index));
    const reply = await fetch(`${service.url}/ingest/v1/Activities/DNSs`, {
      method: 'POST',
      headers: { Authorization: created.body.data.accessToken, 'Content-Type': 'application/x-ndjson' },
      body: records.join('\n'),
    });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('accepted')]);
  }
});
afterAll(() => service.stop());

const path = '/api/v2/Activities/DNSs';
const iso = (instant: number) => new Date(instant).toISOString();
const start = () => service.clock.now() - 3_600_000;
const dnsRequest = (index: number) =>
  `{"createdTime":"${iso(start() - index)}","mid":${index},"fqdn":"${hash(index)}","hostIpAddr":"b","ttl":1,"dnsServerIp":"c"}`;
const hash = (index: number) => createHash('sha384').update(String(index)).digest('hex');

/** A pattern that runs much longer than the test timeout, because each string needs other states. */
const slow = { filters: [{ field: 'fqdn', expression: 'rlike', value: '(.*[a-q][^u-z]{300}x)|.*' }] };
const quick = () => ({ timeFilter: { startTime: iso(start()), endTime: iso(start() + 1) } });

const counters = async (name: string) => {
  const lines = (await service.request('GET', '/metrics')).text.split('\n');
  return lines.filter((line) => line.startsWith(`${name}{`)).map((line) => line.slice(name.length));
};
const state = (running: number, waiting: number) => [
  `{state="running"} ${running}`,
  `{state="waiting"} ${waiting}`,
  '{state="sending"} 0',
];
const failures = () => service.logLines.filter((line) => line.includes('request failed'));

describe('a search whose client disconnects', () => {
  test('is cancelled or never started, frees its slot, and is not counted as a failure', async () => {
    const controller = new AbortController();
    const request = (address: string, body?: object) =>
      fetch(service.url + address, {
        signal: controller.signal,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    const first = await service.request('POST', `${path}/search`, { token, body: {} });
    const nextPage = first.body.paging.urls.nextPage.slice(service.url.length);
    const running = Array.from({ length: 3 }, () => request(`${path}/search`, slow));
    const outcomes = Promise.allSettled(running);
    await expect.poll(() => counters('vedette_searches'), { timeout: 9_000 }).toEqual(state(3, 0));
    const waiting = [request(`${path}/search`, slow), request(nextPage), request('/api/v2/CloudActivities')];
    const others = Promise.allSettled(waiting);
    await expect.poll(() => counters('vedette_searches'), { timeout: 9_000 }).toEqual(state(3, 3));
    controller.abort();
    const ends = [...(await outcomes), ...(await others)];
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));

    await expect.poll(() => counters('vedette_searches'), { timeout: 15_000 }).toEqual(state(0, 0));
    const response = await service.request('POST', `${path}/search`, { token, body: quick() });
    expect([response.status, response.body.paging.totalRows]).toEqual([200, 1]);
    await expect
      .poll(() => counters('vedette_http_requests_total'))
      .toEqual(
        expect.arrayContaining([
          `{method="POST",route="${path}/search",status="200"} 2`,
          `{method="POST",route="${path}/search",status="499"} 4`,
          `{method="GET",route="${path}/{page}",status="499"} 1`,
          '{method="GET",route="/api/v2/CloudActivities",status="499"} 1',
        ]),
      );
    expect((await counters('vedette_http_requests_total')).join()).not.toContain('status="5');
    expect(failures()).toEqual([]);
  });
});

describe('a search that exceeds the time limit', () => {
  test('fails with instructions, and the next one succeeds', async () => {
    const rejected = await service.request('POST', `${path}/search`, { token, body: slow });
    expect([rejected.status, rejected.body.code, rejected.body.message]).toEqual([
      503,
      'UNAVAILABLE',
      `The search took longer than ${seconds} seconds: narrow the time range or the filters.`,
    ]);
    const nextSearch = await service.request('POST', `${path}/search`, {
      token,
      body: { ...slow, ...quick() },
    });
    expect([nextSearch.status, nextSearch.body.paging.totalRows]).toEqual([200, 1]);
  });
});
