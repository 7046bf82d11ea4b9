import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let agent: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
  agent = await newAgent();
});
afterAll(() => service.stop());

const hour = 3_600_000;
const iso = (instant: number) => new Date(instant).toISOString();
let count = 0;
async function newAgent(headers: Record<string, string> = {}): Promise<string> {
  const body = { tokenAlias: `agent ${++count}`, tokenEnabled: 1 };
  const created = await service.request('POST', '/api/v2/AgentAccessTokens', { token, body, headers });
  return created.body.data.accessToken;
}
async function ingest(path: string, records: readonly object[], by = agent): Promise<void> {
  const reply = await fetch(`${service.url}/ingest/v1/${path}`, {
    method: 'POST',
    headers: { Authorization: by, 'Content-Type': 'application/json' },
    body: JSON.stringify(records),
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('accepted')]);
}
const search = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  service.request('POST', `/api/v2/${path}/search`, { token, body, headers });
const host = (mid: number, start: number, rest: object = {}) => ({
  ...{ startTime: iso(start), endTime: iso(start + hour), mid, hostname: `host-${mid}` },
  ...{
    primaryIpAddr: '10.0.0.1',
    entityType: 'Machine',
    machineTags: { Env: mid % 2 ? 'dev' : 'prod' },
    ...rest,
  },
});
const mids = (response: { body: { data: { mid: number }[] } }) => response.body.data.map(({ mid }) => mid);

describe('a search', () => {
  test('pages through a consistent snapshot while records arrive, also after a restart', async () => {
    const start = service.clock.now() - 2 * hour;
    const headers = { 'Account-Name': 'local' };
    await ingest(
      'Entities/Machines',
      Array.from({ length: 5_000 }, (_, mid) => host(mid, start - mid)),
    );
    await ingest(
      'Entities/Machines',
      Array.from({ length: 3_000 }, (_, mid) => host(5_000 + mid, start - mid)),
    );
    const first = await search('Entities/Machines', {}, headers);
    const { paging } = first.body;
    expect([first.status, paging.rows, paging.totalRows]).toEqual([200, 5_000, 8_000]);
    expect(paging.urls.nextPage).toMatch(new RegExp(`^${service.url}/api/v2/Entities/Machines/[\\w.-]+$`));
    await ingest('Entities/Machines', [host(9_999, start)]);
    const path = paging.urls.nextPage.slice(service.url.length);
    await service.restart();
    const second = await service.request('GET', `${path}?startTime=ignored`, { token });
    expect(second.body.paging).toEqual({ rows: 3_000, totalRows: 8_000, urls: { nextPage: null } });
    const allMids = [...mids(first), ...mids(second)];
    expect(new Set(allMids)).toEqual(new Set(Array.from({ length: 8_000 }, (_, mid) => mid)));
    const times = [...first.body.data, ...second.body.data].map(({ startTime }) => Date.parse(startTime));
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  test('rejects page tokens of other accounts, and modified or expired tokens', async () => {
    await service.accounts.create('foreign');
    const first = await search('Entities/Machines');
    const path: string = first.body.paging.urls.nextPage.slice(service.url.length);
    const otherAccount = await service.request('GET', path, {
      token,
      headers: { 'Account-Name': 'foreign' },
    });
    expect([otherAccount.status, otherAccount.body.message]).toEqual([
      404,
      'Not found: page cursor of another search. Run the search again.',
    ]);
    const other = await service.request('GET', path.replace('Machines', 'Processes'), { token });
    expect(other.status).toBe(404);
    const position = path.length - 10;
    const changed = path.slice(0, position) + (path[position] === 'a' ? 'b' : 'a') + path.slice(position + 1);
    const rejected = await service.request('GET', changed, { token });
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining('search again')]);
    service.clock.advance(24 * hour - 1);
    token = await service.token(service.firstKey, 86_400);
    expect((await service.request('GET', path, { token })).status).toBe(200);
    service.clock.advance(1);
    const expired = await service.request('GET', path, { token });
    expect([expired.status, expired.body.message]).toEqual([
      400,
      expect.stringContaining('older than 24 hours'),
    ]);
  });

  test('that is too long for a URL can be continued, by its account only', async () => {
    const start = Date.parse('2025-08-01T12:00:00.000Z');
    const timeFilter = { startTime: iso(start), endTime: iso(start + 1) };
    const records = Array.from({ length: 5_001 }, (_, mid) => host(mid, start));
    await ingest('Entities/Machines', records);
    const values = Array.from({ length: 500 }, (_, index) => `nobody-${index}`);
    const filters = [{ field: 'hostname', expression: 'not_in', values }];
    const first = await search('Entities/Machines', { timeFilter, filters });
    const url: string = first.body.paging.urls.nextPage;
    expect(url.length).toBeLessThan(2_000);
    const path = url.slice(service.url.length);
    await service.restart();
    const second = await service.request('GET', path, { token });
    expect(second.body.paging).toMatchObject({
      rows: 1,
      urls: { nextPage: null },
    });
    const otherAccount = await service.request('GET', path, {
      token,
      headers: { 'Account-Name': 'foreign' },
    });
    expect(otherAccount.status).toBe(404);
  });

  test('returns windows that overlap the range, activities that begin in it and instants in it', async () => {
    const time = Date.parse('2025-06-01T12:00:00.000Z');
    const within = (start: number, end: number) => ({
      timeFilter: { startTime: iso(start), endTime: iso(end) },
    });
    await ingest('Entities/Machines', [host(1, time)]);
    const connection = {
      ...{
        startTime: iso(time),
        endTime: iso(time + hour),
        srcEntityType: 'Process',
        srcEntityId: { mid: 1, pid_hash: 1 },
      },
      ...{
        dstEntityType: 'ServerPort',
        dstEntityId: { port: 1 },
        srcInBytes: 1,
        srcOutBytes: 1,
        dstInBytes: 1,
      },
      ...{ dstOutBytes: 1, numConns: 1 },
    };
    await ingest('Activities/Connections', [connection]);
    const dns = { createdTime: iso(time), mid: 1, fqdn: 'a', hostIpAddr: 'b', ttl: 1, dnsServerIp: 'c' };
    await ingest('Activities/DNSs', [dns]);
    const countMatches = async (path: string, start: number, end: number) =>
      (await search(path, within(start, end))).body.data.length;
    for (const [path, ranges] of [
      [
        'Entities/Machines',
        [
          [time - 1, time, 0],
          [time - 1, time + 1, 1],
          [time + hour - 1, time + hour, 1],
          [time + hour, time + 2 * hour, 0],
        ],
      ],
      [
        'Activities/Connections',
        [
          [time - 1, time, 0],
          [time, time + 1, 1],
          [time + 1, time + hour, 0],
        ],
      ],
      [
        'Activities/DNSs',
        [
          [time - 1, time, 0],
          [time, time + 1, 1],
          [time + 1, time + hour, 0],
        ],
      ],
    ] as const) {
      for (const [start, end, rows] of ranges)
        expect([path, start - time, await countMatches(path, start, end)]).toEqual([
          path,
          start - time,
          rows,
        ]);
    }
  });

  test('accepts a range of exactly seven days and rejects a longer or reversed one', async () => {
    const request = (startTime: string, endTime: string) =>
      search('Entities/Machines', { timeFilter: { startTime, endTime } });
    expect((await request('2025-06-01T00:00:00Z', '2025-06-08T00:00:00Z')).status).toBe(200);
    const long = await request('2025-06-01T00:00:00Z', '2025-06-08T00:00:00.001Z');
    expect([long.status, long.body.message]).toEqual([400, expect.stringContaining('7 days')]);
    expect((await request('2025-06-02T00:00:00Z', '2025-06-01T00:00:00Z')).status).toBe(400);
  });

  test('without matches returns an empty page, and returns only the requested members', async () => {
    const emptyPage = await search('Entities/Images');
    expect([emptyPage.status, emptyPage.body]).toEqual([
      200,
      { paging: { rows: 0, totalRows: 0, urls: { nextPage: null } }, data: [] },
    ]);
    const now = service.clock.now() - 2 * hour;
    await ingest('Entities/Machines', [host(4711, now)]);
    const { body } = await search('Entities/Machines', { returns: ['mid', 'machineTags', 'awsInstanceId'] });
    expect(body.data).toEqual([{ mid: 4711, machineTags: { Env: 'dev' } }]);
    const rejected = await search('Entities/Machines', { returns: ['mood'] });
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining('Invalid field')]);
  });

  test('supports undeclared members that the account has ingested, also after a restart', async () => {
    const now = service.clock.now() - hour / 2;
    const query = { returns: ['mood'], timeFilter: { startTime: iso(now), endTime: iso(now + 1) } };
    await ingest('Entities/Machines', [host(1, now, { mood: { at: 'noon' } })]);
    for (const round of ['before', 'after']) {
      expect([round, (await search('Entities/Machines', query)).body.data]).toEqual([
        round,
        [{ mood: { at: 'noon' } }],
      ]);
      expect((await search('Entities/Machines', query, { 'Account-Name': 'foreign' })).status).toBe(400);
      expect((await search('Entities/Processes', query)).status).toBe(400);
      await service.restart();
    }
  });

  test('of cloud activities is also available as GET with a time range, with the same pages', async () => {
    const time = service.clock.now() - hour;
    const activity = (eventId: number, start: number) => ({
      ...{
        startTime: iso(start),
        endTime: iso(start + hour),
        eventId,
        eventType: 'NewVPC',
        eventModel: 'CloudTrailCep',
      },
      ...{ eventActor: 'Aws', entityMap: {} },
    });
    await ingest(
      'CloudActivities',
      Array.from({ length: 5_001 }, (_, id) => activity(id, time - id)),
    );
    const first = await service.request('GET', '/api/v2/CloudActivities', { token });
    expect(first.body.paging).toMatchObject({ rows: 5_000, totalRows: 5_001 });
    const path = first.body.paging.urls.nextPage.slice(service.url.length);
    const last = await service.request('GET', path, { token });
    expect(last.body).toEqual({
      paging: { rows: 1, totalRows: 5_001, urls: { nextPage: null } },
      data: [activity(5_000, time - 5_000)],
    });
    const query = `startTime=${iso(time - 1)}&endTime=${iso(time + 1)}`;
    const filtered = await service.request('GET', `/api/v2/CloudActivities?${query}`, { token });
    expect(filtered.body.data.map(({ eventId }: { eventId: number }) => eventId)).toEqual([0, 1]);
  });
});

describe('filters', () => {
  const time = Date.parse('2025-07-01T12:00:00.000Z');
  const timeFilter = { startTime: iso(time), endTime: iso(time + hour) };
  const find = async (...filters: object[]) => {
    const response = await search('Entities/Machines', { timeFilter, filters });
    expect([response.status, response.body.message]).toEqual([200, undefined]);
    return mids(response);
  };
  beforeAll(async () => {
    const tags = { 'aws:x/y': 'z', Env: 'prod' };
    await ingest('Entities/Machines', [
      host(1, time + 2),
      host(2, time + 1, { machineTags: tags, more: { list: [1, 'two'], flag: true } }),
      host(3, time, { hostname: 'Web\nServer', machineTags: { Env: 7 } }),
    ]);
  });

  test.each([
    [{ field: 'mid', expression: 'eq', value: '2' }, [2]],
    [{ field: 'mid', expression: 'in', values: [1, '3'] }, [1, 3]],
    [{ field: 'mid', expression: 'between', values: [2, 3] }, [2, 3]],
    [{ field: 'machineTags.Env', expression: 'eq', value: 'prod' }, [2]],
    [{ field: 'machineTags.Env', expression: 'eq', value: '7' }, [3]],
    [{ field: 'machineTags.Env', expression: 'ne', value: 'prod' }, [1, 3]],
    [{ field: 'machineTags."aws:x/y"', expression: 'like', value: 'z%' }, [2]],
    [{ field: 'hostname', expression: 'ilike', value: 'HOST%' }, [1, 2]],
    [{ field: 'hostname', expression: 'rlike', value: '(?s)Web.*' }, [3]],
    [{ field: 'hostname', expression: 'not_rlike', value: 'host-\\d' }, [3]],
    [{ field: 'machineTags', expression: 'rlike', value: '.*aws:x/y.*' }, [2]],
    [{ field: 'more.list[1]', expression: 'eq', value: 'two' }, [2]],
    [{ field: 'more.list', expression: 'eq', value: 1 }, [2]],
    [{ field: 'more.flag', expression: 'eq', value: 'true' }, [2]],
    [{ field: 'more.flag', expression: 'ne', value: 'true' }, [1, 3]],
    [{ field: 'startTime', expression: 'ge', value: iso(time + 1) }, [1, 2]],
  ])('%j returns %j', async (filter, expected) => {
    expect(await find(filter)).toEqual(expected);
  });

  test('are combined with AND', async () => {
    const notTwo = { field: 'mid', expression: 'ne', value: 2 };
    expect(await find(notTwo, { field: 'hostname', expression: 'like', value: 'host%' })).toEqual([1]);
  });

  test.each([
    [{ field: 'temper', expression: 'eq', value: 1 }, 'Invalid field'],
    [{ field: 'mid', expression: 'resembles', value: 1 }, 'filters[1]'],
    [{ field: 'mid', expression: 'eq', values: [1] }, 'filters[1]'],
    [{ field: 'mid', expression: 'between', values: [1, 1] }, 'filters[1]'],
    [{ field: 'hostname', expression: 'rlike', value: '(a)\\1' }, 'filters[1]'],
    [{ field: 'hostname', expression: 'expr', value: 'x' }, 'filters[1]'],
  ])('that are invalid are rejected with their position: %j', async (invalid, message) => {
    const filters = [{ field: 'mid', expression: 'eq', value: 1 }, invalid];
    const rejected = await search('Entities/Machines', { filters });
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test.each(['9223372036854775807', '-9223372036854775808', '9007199254740993'])(
    'match %s, as a number or as a string, but no adjacent value',
    async (large) => {
      const adjacent = String(BigInt(large) + (large.startsWith('-') ? 1n : -1n));
      const start = time + 24 * hour;
      for (const mid of [large, adjacent]) {
        const text = JSON.stringify([host(1, start)]).replace('"mid":1', `"mid":${mid}`);
        const headers = { Authorization: agent, 'Content-Type': 'application/json' };
        await fetch(`${service.url}/ingest/v1/Entities/Machines`, { method: 'POST', headers, body: text });
      }
      for (const value of [large, `"${large}"`]) {
        const body =
          `{"timeFilter":{"startTime":"${iso(start)}","endTime":"${iso(start + 1)}"},"returns":["mid"],` +
          `"filters":[{"field":"mid","expression":"eq","value":${value}}]}`;
        const { text } = await search('Entities/Machines', body);
        expect(text).toContain(`"data":[{"mid":${large}}`);
        expect(text).not.toContain(adjacent);
      }
    },
  );
});
