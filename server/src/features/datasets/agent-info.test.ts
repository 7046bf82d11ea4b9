import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TestAgent } from '../../testing/agent.ts';
import { damageDay } from '../../testing/damage.ts';
import { TestService } from '../../testing/service.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let service: TestService;
let token: string;
let agent: TestAgent;
let now: number;
let mid = 0;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  agent = await TestAgent.of(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  // The agents of the tests before are out of range.
  service.clock.advance(2 * day);
  token = await service.token();
  now = service.clock.now();
});

const iso = (instant: number) => new Date(instant).toISOString();

interface Report {
  readonly mid: number;
  readonly at: number;
  readonly createdTime?: string;
  readonly version?: string;
  readonly rest?: string;
}

async function report(...reports: readonly Report[]): Promise<void> {
  const records = reports.map(
    ({ mid, at, createdTime = iso(at), version = '1.0', rest = '' }) =>
      `{"mid":${mid},"createdTime":"${createdTime}","lastUpdate":"${iso(at)}","agentVersion":"${version}",` +
      `"hostname":"h${mid}","ipAddr":"10.0.0.1","mode":"ebpf","os":"Linux"${rest}}`,
  );
  const { status, text } = await agent.send(records, { path: 'AgentInfo' });
  expect([status, text]).toEqual([200, expect.stringContaining('accepted')]);
}

const found = async (body: object = {}) => {
  const { status, body: answer } = await agent.search(token, body, 'AgentInfo');
  expect(status).toBe(200);
  expect(answer.paging.totalRows).toBe(answer.data.length);
  return answer.data;
};
const matching = async (field: string, expression: string, value: unknown) =>
  (await found({ filters: [{ field, expression, value }] })).map((one: Report) => one.mid);

test('the newest record of an agent is returned', async () => {
  const [first, second] = [++mid, ++mid];
  await report(
    { mid: first, at: now - 3_000, version: 'old' },
    { mid: first, at: now - 1_000, version: 'new', rest: ',"tags":{"Env":"test"},"further":1' },
    { mid: second, at: now - 2_000, version: 'only' },
  );
  const data = await found();
  expect(data).toEqual([
    {
      ...{ mid: first, createdTime: iso(now - 3_000), lastUpdate: iso(now - 1_000), agentVersion: 'new' },
      ...{ hostname: `h${first}`, ipAddr: '10.0.0.1', mode: 'ebpf', os: 'Linux', status: 'ACTIVE' },
      ...{ tags: { Env: 'test' }, further: 1 },
    },
    expect.objectContaining({ mid: second, agentVersion: 'only' }),
  ]);
  expect(await matching('agentVersion', 'eq', 'old')).toEqual([]);
  expect(await matching('tags.Env', 'rlike', 't.*')).toEqual([first]);
});

test('status is ACTIVE for ten minutes after the last report, whatever was reported', async () => {
  const [active, inactive, silent] = [++mid, ++mid, ++mid];
  await report(
    { mid: active, at: now - 10 * minute, rest: ',"status":"INACTIVE"' },
    { mid: inactive, at: now - 10 * minute - 1, rest: ',"status":"ACTIVE"' },
    { mid: silent, at: now - hour, rest: ',"status":null' },
  );
  const data = await found({ returns: ['mid', 'status'] });
  expect(data).toEqual([
    { mid: active, status: 'ACTIVE' },
    { mid: inactive, status: 'INACTIVE' },
    { mid: silent, status: 'INACTIVE' },
  ]);
  expect(await matching('status', 'eq', 'ACTIVE')).toEqual([active]);
  expect(await matching('status', 'rlike', 'IN.*')).toEqual([inactive, silent]);
  expect(await matching('status', 'ne', 'INACTIVE')).toEqual([active]);
});

test('the end of the range counts if it is in the past, and now if it is in the future', async () => {
  const one = ++mid;
  await report({ mid: one, at: now - 5 * hour });
  const statuses = async (endTime: number) => {
    const timeFilter = { startTime: iso(now - day), endTime: iso(endTime) };
    return (await found({ timeFilter })).map(({ status }: { status: string }) => status);
  };
  expect(await statuses(now - 5 * hour + 10 * minute)).toEqual(['ACTIVE']);
  expect(await statuses(now - 5 * hour + 11 * minute)).toEqual(['INACTIVE']);
  await report({ mid: one, at: now - minute });
  expect(await statuses(now + hour)).toEqual(['ACTIVE']);
});

test('createdTime is when the agent was first seen, also before the range and on earlier days', async () => {
  const [old, recent] = [++mid, ++mid];
  const firstSeen = now;
  await report({ mid: old, at: now, createdTime: '2026-01-01T00:00:00+01:00' }, { mid: recent, at: now });
  await service.restart();
  service.clock.advance(9 * day);
  token = await service.token();
  now = service.clock.now();
  await report({ mid: old, at: now - 2_000 }, { mid: recent, at: now - 1_000 });
  const data = await found({ returns: ['mid', 'createdTime', 'lastUpdate'] });
  expect(data).toEqual([
    { mid: recent, createdTime: iso(firstSeen), lastUpdate: iso(now - 1_000) },
    { mid: old, createdTime: '2025-12-31T23:00:00.000Z', lastUpdate: iso(now - 2_000) },
  ]);
  expect(await matching('createdTime', 'lt', '2026-01-01T00:00:00Z')).toEqual([old]);
  expect(await matching('createdTime', 'rlike', '2025-12-31T.*')).toEqual([old]);
  expect(await matching('createdTime', 'eq', iso(firstSeen))).toEqual([recent]);
});

test('a damaged day before the range does not fail the search', async () => {
  const damaged = iso(now).slice(0, 10);
  // Random, so that the columns themselves are large enough to be hit.
  const random = () => Math.floor(Math.random() * 2 ** 48);
  await report(
    ...Array.from({ length: 20_000 }, () => ({ mid: random(), at: now, createdTime: iso(random() / 300) })),
  );
  await service.restart();
  damageDay(
    service.place.directory,
    damaged,
    Array.from({ length: 40 }, (_, part) => (part + 5) / 50),
  );
  service.clock.advance(9 * day);
  token = await service.token();
  const one = ++mid;
  now = service.clock.now();
  await report({ mid: one, at: now });
  expect(await found({ returns: ['mid', 'createdTime'] })).toEqual([{ mid: one, createdTime: iso(now) }]);
  expect(service.logLines.join()).toContain('a day of telemetry is damaged');
});
