import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { damageDay } from '../testing/damage.ts';
import { requestOperator } from '../testing/operator.ts';
import { TestService } from '../testing/service.ts';

const day = 24 * 3_600_000;
const records = 4_000;
let service: TestService;
let token: string;
let agent: string;
let days: string[];
let file: string;

const path = '/api/v2/Activities/DNSs';
const iso = (instant: number) => new Date(instant).toISOString();
async function ingest(count = records): Promise<string> {
  const at = service.clock.now();
  const lines = Array.from({ length: count }, (_, n) => {
    const createdTime = iso(at - n);
    const fqdn = randomBytes(300).toString('base64');
    return JSON.stringify({
      ...{ createdTime, mid: n, fqdn, hostIpAddr: 'b', ttl: 1, dnsServerIp: 'c' },
    });
  });
  const reply = await fetch(`${service.url}/ingest/v1/Activities/DNSs`, {
    method: 'POST',
    headers: { Authorization: agent, 'Content-Type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('accepted')]);
  return iso(at).slice(0, 10);
}
const timeFilter = () => ({
  startTime: iso(service.clock.now() - 3 * day),
  endTime: iso(service.clock.now() + 1),
});
const search = (more: object = {}) =>
  service.request('POST', `${path}/search`, { token, body: { timeFilter: timeFilter(), ...more } });
const query = (startTime: number) =>
  service.request('POST', '/api/v2/Queries/execute', {
    token,
    body: {
      query: {
        queryText: '{ source { LW_HA_DNS_REQUESTS d } return { d.RECORD_CREATED_TIME, d.HOSTNAME } }',
      },
      arguments: [
        { name: 'StartTimeRange', value: iso(startTime) },
        { name: 'EndTimeRange', value: iso(service.clock.now() + 1) },
      ],
    },
  });

beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
  const created = await service.request('POST', '/api/v2/AgentAccessTokens', {
    token,
    body: { tokenAlias: 'agent', tokenEnabled: 1 },
  });
  agent = created.body.data.accessToken;
  days = [];
  for (let round = 0; round < 3; round++) {
    if (round > 0) service.clock.advance(day);
    days.push(await ingest());
  }
  // Stopping checkpoints the files, and nothing remains in memory.
  await service.restart();
  token = await service.token(service.firstKey, 86_400);
  const everywhere = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
  file = damageDay(service.place.directory, String(days[1]), everywhere);
}, 120_000);
afterAll(() => service.stop());

describe('a damaged block of a day', () => {
  test('is reported with the day and a remedy, without a path; the log names the file', async () => {
    const answer = await search();
    expect([answer.status, answer.body.code]).toEqual([500, 'DATA_DAMAGED']);
    expect(answer.body.message).toContain(`Records that arrived on ${days[1]} are damaged`);
    expect(answer.body.message).toContain('"partial": true');
    expect(answer.text).not.toMatch(/duckdb|checksum|telemetry\//);
    const line = service.logLines.find((each) => each.includes('a day of telemetry is damaged'));
    expect(JSON.parse(String(line))).toMatchObject({ file, day: days[1], dataset: 'Activities/DNSs' });
    // Known damage is not searched for again.
    expect((await search()).body.message).toBe(answer.body.message);
    expect(service.logLines.filter((each) => each.includes('telemetry is damaged'))).toHaveLength(1);
  });

  test('is omitted from a partial search, which reports it on every page', async () => {
    const first = await search({ partial: true });
    expect([first.status, first.body.missingDays]).toEqual([200, [days[1]]]);
    expect(first.body.paging).toMatchObject({ rows: 5_000, totalRows: 2 * records });
    const next = await service.request('GET', first.body.paging.urls.nextPage.slice(service.url.length), {
      token,
    });
    expect([next.status, next.body.missingDays]).toEqual([200, [days[1]]]);
    expect(next.body.paging).toMatchObject({ rows: 3_000, urls: { nextPage: null } });
    const returnedDays = new Set(
      [...first.body.data, ...next.body.data].map(({ createdTime }) => createdTime.slice(0, 10)),
    );
    expect(returnedDays.has(String(days[0])) && returnedDays.has(String(days[2]))).toBe(true);
  });

  test('does not affect searches of other days', async () => {
    const today = { startTime: iso(service.clock.now() - day / 2), endTime: iso(service.clock.now() + 1) };
    const answer = await search({ timeFilter: today, partial: true });
    expect([answer.status, 'missingDays' in answer.body]).toEqual([200, false]);
    expect(answer.body.paging.totalRows).toBe(records);
    expect((await search({ timeFilter: today })).body.paging.totalRows).toBe(records);
    expect((await ingest(10)) >= String(days[2])).toBe(true);
  });

  test('fails a query, too', async () => {
    const answer = await query(service.clock.now() - 3 * day);
    expect([answer.status, answer.body.code]).toEqual([500, 'DATA_DAMAGED']);
    expect(answer.body.message).toContain(days[1]);
    expect((await query(service.clock.now() - day / 2)).status).toBe(200);
  });

  test('is found by verification, with the affected accounts', async () => {
    const { status, body } = await requestOperator(service.place.directory, '/verify');
    expect(status).toBe(200);
    expect(body).toHaveLength(3);
    const damaged = body.filter(({ problems }: { problems: object[] }) => problems.length > 0);
    expect(damaged).toEqual([
      {
        file: expect.stringMatching(/^days\//),
        day: days[1],
        records: expect.any(Number),
        accounts: ['local'],
        problems: [{ dataset: 'Activities/DNSs', reason: expect.stringContaining('checksum') }],
      },
    ]);
  });
});
