import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatInstant } from '../../platform/instant.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let ownerId: string;
const minute = 60_000;
const day = 24 * 60 * minute;

beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
  const { id } = await service.store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  ownerId = id;
  await insert([
    { id: 'e1', created_at: ago(30 * minute), user_name: 'ann@example.com', event_name: 'Policy Created' },
    { id: 'e2', created_at: ago(2 * day), user_name: 'ben@example.com', event_name: 'Policy Deleted' },
    { id: 'e3', created_at: ago(7 * day), user_name: 'cid@example.com', event_name: 'Query Created' },
    { id: 'e4', created_at: ago(8 * day), user_name: 'dan@example.com', event_name: 'Query Deleted' },
  ]);
});
afterAll(() => service.stop());

const ago = (milliseconds: number) => service.clock.now() - milliseconds;
const iso = (milliseconds: number) => formatInstant(ago(milliseconds));

interface Entry {
  readonly id: string;
  readonly created_at: number;
  readonly user_name: string;
  readonly event_name: string;
}

async function insert(entries: readonly Entry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    ...entry,
    owner_id: ownerId,
    account_name: 'LOCAL',
    user_action: entry.event_name,
    event_description: `${entry.event_name} by ${entry.user_name}`,
  }));
  for (let start = 0; start < rows.length; start += 1000) {
    await service.store.housekeeping((tx) =>
      tx
        .insertInto('audit_log')
        .values(rows.slice(start, start + 1000))
        .execute(),
    );
  }
}

const search = (body: unknown) => service.request('POST', '/api/v2/AuditLogs/search', { token, body });
const users = async (body: unknown) =>
  (await search(body)).body.data
    .map((entry: { userName: string }) => entry.userName)
    .filter((name: string) => name.endsWith('example.com'));
const week = { startTime: '2026-02-22T12:00:00.000Z', endTime: '2026-03-01T12:00:00.000Z' };
const filter = (field: string, expression: string, value: unknown) => ({
  timeFilter: week,
  filters: [{ field, expression, ...(Array.isArray(value) ? { values: value } : { value }) }],
});

describe('GET AuditLogs', () => {
  test('returns the last 24 hours, newest first, without paging', async () => {
    const { status, body } = await service.request('GET', '/api/v2/AuditLogs', { token });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data.map((entry: { eventName: string }) => entry.eventName)).toEqual([
      'Access Token Created',
      'Policy Created',
    ]);
    expect(body.data[1]).toEqual({
      createdTime: iso(30 * minute),
      accountName: 'LOCAL',
      userName: 'ann@example.com',
      eventName: 'Policy Created',
      userAction: 'Policy Created',
      eventDescription: 'Policy Created by ann@example.com',
    });
  });

  test.each([
    ['2026-02-27', '2026-03-01'],
    ['2026-02-27T00', '2026-03-01T00'],
    ['2026-02-27T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['2026-02-27T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['2026-02-27T00:00:00.123456789Z', '2026-03-01T00:00:00.123456789Z'],
    ['2026-02-27T01:00:00%2B01:00', '2026-03-01T01:00:00%2B0100'],
  ])('accepts the range %s to %s', async (start, end) => {
    const { body } = await service.request('GET', `/api/v2/AuditLogs?startTime=${start}&endTime=${end}`, {
      token,
    });
    expect(body.data.map((entry: { userName: string }) => entry.userName)).toEqual(['ben@example.com']);
  });

  test.each([
    ['startTime=yesterday', 'startTime'],
    ['endTime=2026-02-30', 'endTime'],
    ['startTime=2026-03-01T12:00:00', 'startTime'],
    ['startTime=2026-02-28&endTime=2026-02-27', 'startTime'],
    ['startTime=2026-02-20&endTime=2026-02-28', '7 days'],
  ])('rejects %s with 400, naming the parameter', async (query, expectedName) => {
    const { status, body } = await service.request('GET', `/api/v2/AuditLogs?${query}`, { token });
    expect(status).toBe(400);
    expect(body.message).toContain(expectedName);
  });
});

describe('POST AuditLogs/search', () => {
  test('accepts exactly 7 days, including the start and excluding the end', async () => {
    expect(await users({ timeFilter: week })).toEqual([
      'ann@example.com',
      'ben@example.com',
      'cid@example.com',
    ]);
    const longer = { ...week, startTime: '2026-02-22T11:59:59.999Z' };
    expect((await search({ timeFilter: longer })).body.code).toBe('INVALID_TIME_RANGE');
    const until = { startTime: week.startTime, endTime: iso(30 * minute) };
    expect(await users({ timeFilter: until })).toEqual(['ben@example.com', 'cid@example.com']);
  });

  test.each([
    [filter('userName', 'eq', 'ben@example.com'), ['ben']],
    [filter('eventName', 'ne', 'Policy Created'), ['ben', 'cid']],
    [filter('userName', 'in', ['ann@example.com', 'cid@example.com']), ['ann', 'cid']],
    [filter('eventName', 'not_in', ['Policy Created', 'Query Created']), ['ben']],
    [filter('eventName', 'like', 'Policy%'), ['ann', 'ben']],
    [filter('eventName', 'like', 'policy%'), []],
    [filter('eventName', 'not_like', '%Created'), ['ben']],
    [filter('eventName', 'ilike', 'policy%'), ['ann', 'ben']],
    [filter('eventName', 'not_ilike', '%CREATED'), ['ben']],
    [filter('userName', 'rlike', '(ann|ben)@.*'), ['ann', 'ben']],
    [filter('userName', 'rlike', 'ann'), []],
    [filter('userName', 'not_rlike', '.*n@.*'), ['cid']],
    [filter('userName', 'gt', 'ann@example.com'), ['ben', 'cid']],
    [filter('userName', 'le', 'ben@example.com'), ['ann', 'ben']],
    [filter('createdTime', 'lt', '2026-02-28'), ['ben', 'cid']],
    [filter('createdTime', 'ge', '2026-02-27T12:00:00.000Z'), ['ann', 'ben']],
    [filter('createdTime', 'between', ['2026-02-22', '2026-02-28']), ['ben', 'cid']],
  ])('%j returns %j', async (body, names) => {
    const wanted = names.map((name) => `${name}@example.com`);
    expect(
      await users({
        ...body,
        filters: [...body.filters, { field: 'userName', expression: 'like', value: '%@example.com' }],
      }),
    ).toEqual(wanted);
  });

  test('returns only the requested members', async () => {
    const { body } = await search({
      ...filter('userName', 'eq', 'ben@example.com'),
      returns: ['eventName', 'userName'],
    });
    expect(body.data).toEqual([{ userName: 'ben@example.com', eventName: 'Policy Deleted' }]);
  });

  test.each([
    [filter('nobody', 'eq', 'x'), 'INVALID_FIELD', "Invalid field 'nobody'"],
    [{ returns: ['nobody'] }, 'INVALID_FIELD', "Invalid field 'nobody'"],
    [filter('userName', 'expr', 'x'), 'INVALID_FILTER', 'reserved'],
    [filter('userName', 'equals', 'x'), 'INVALID_FILTER', 'filters[0].expression'],
    [filter('userName', 'eq', ['x']), 'INVALID_FILTER', 'filters[0].values'],
    [filter('userName', 'in', 'x'), 'INVALID_FILTER', 'filters[0].value'],
    [filter('createdTime', 'between', ['2026-02-28', '2026-02-28']), 'INVALID_FILTER', 'filters[0].values'],
    [filter('userName', 'rlike', '(?=a)'), 'INVALID_FILTER', 'filters[0].value'],
    [filter('createdTime', 'gt', 'soon'), 'INVALID_FILTER', 'createdTime'],
    [{ timeFilter: { startTime: 'soon' } }, 'INVALID_INPUT', 'timeFilter.startTime'],
  ])('rejects %j with %s', async (body, code, message) => {
    const response = await search(body);
    expect([response.status, response.body.code]).toEqual([400, code]);
    expect(response.body.message).toContain(message);
  });

  test('returns 100,000 entries and rejects one more, suggesting a narrower range', async () => {
    const created = Date.parse('2025-06-01T00:00:00Z');
    const entry = { user_name: 'bulk@example.org', event_name: 'Bulk', created_at: created };
    await insert(
      Array.from({ length: 100_000 }, (_, index) => ({
        ...entry,
        id: `bulk ${index}`,
        created_at: created + index,
      })),
    );
    const timeFilter = { startTime: '2025-06-01', endTime: '2025-06-02' };
    const full = await search({ timeFilter, returns: ['createdTime'] });
    expect(full.body.data).toHaveLength(100_000);
    expect(new Set(full.body.data.map((row: { createdTime: string }) => row.createdTime)).size).toBe(100_000);
    await insert([{ ...entry, id: 'one more' }]);
    const { status, body } = await search({ timeFilter });
    expect([status, body.code]).toEqual([400, 'RESULT_TOO_LARGE']);
    expect(body.message).toContain('startTime');
  });

  test('does not block other requests while it scans', async () => {
    const slow = search({
      timeFilter: { startTime: '2025-06-01', endTime: '2025-06-02' },
      filters: [{ field: 'eventDescription', expression: 'rlike', value: '(a|b|ab)*x{20}.*' }],
    }).then(() => 'scan');
    const quick = service.request('GET', '/healthz').then(() => 'health');
    expect(await Promise.race([slow, quick])).toBe('health');
    expect(await slow).toBe('scan');
  });
});
