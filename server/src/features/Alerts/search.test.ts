import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlertRow } from '../../alerts/alerts.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let ownerId: string;
const count = 6_000;
const minute = 60_000;
const severities = ['Critical', 'High', 'Medium', 'Low', 'Info'];

beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
  const { id } = await service.store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  ownerId = id;
  await insert(Array.from({ length: count }, (_, index) => row(index + 1)));
});
afterAll(() => service.stop());

const iso = (instant: number) => new Date(instant).toISOString();
/** Some have the same timestamp; none is older than ten hours. */
const startOf = (id: number) => service.clock.now() - Math.floor(id / 10) * minute;

function row(id: number, rest: Partial<AlertRow> = {}): AlertRow {
  const start_at = startOf(id);
  return {
    ...{ id, owner_id: ownerId, policy_id: `policy ${id}`, window_start: start_at, round: 0 },
    ...{ alert_name: `Alert ${id}`, alert_type: id % 3 ? 'NewViolations' : 'ChangedFile' },
    ...{ severity: severities[id % 5] as string, status: id % 2 ? 'Open' : 'Closed' },
    alert_info: JSON.stringify({ subject: `Subject ${id}`, description: '"quoted" %s' }),
    alert_spec: null,
    derived_fields: JSON.stringify({ category: 'Policy', sub_category: 'File', source: 'Agent' }),
    ...{ reachability: 'UnknownReachability', violations: 1, listed: 0, start_at, end_at: start_at + 1 },
    ...{
      user_updated_at: null,
      close_reason: null,
      is_routed: 0,
      created_at: start_at,
      updated_at: start_at,
    },
    ...{ first_event_at: null, last_event_at: null, entity_map: '{}', marks: '[]' },
    ...rest,
  };
}

async function insert(rows: readonly AlertRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 500) {
    const batch = rows.slice(from, from + 500);
    await service.store.housekeeping((tx) => tx.insertInto('alerts').values(batch).execute());
  }
}

const search = (body: unknown, headers: Record<string, string> = {}) =>
  service.request('POST', '/api/v2/Alerts/search', { token, body, headers });
const ids = (response: { body: { data: { alertId: number }[] } }) =>
  response.body.data.map(({ alertId }) => alertId);
const pathOf = (response: { body: { paging: { urls: { nextPage: string } } } }) =>
  response.body.paging.urls.nextPage.slice(service.url.length);
const newestFirst = Array.from({ length: count }, (_, index) => index + 1).sort(
  (one, other) => Math.floor(one / 10) - Math.floor(other / 10) || other - one,
);

describe('a search of alerts', () => {
  test('pages through a consistent snapshot while alerts are raised, also after a restart', async () => {
    const first = await search({ returns: ['alertId', 'startTime'] });
    const { paging } = first.body;
    expect([first.status, paging.rows, paging.totalRows]).toEqual([200, 5_000, count]);
    expect(paging.urls.nextPage).toMatch(new RegExp(`^${service.url}/api/v2/Alerts/search/[\\w.-]+$`));
    const lateStart = startOf(5_900);
    await insert([
      row(count + 1, { start_at: lateStart, policy_id: 'late' }),
      row(count + 2, { policy_id: 'new' }),
    ]);
    await service.restart();
    const second = await service.request('GET', `${pathOf(first)}?startTime=ignored`, { token });
    expect(second.body.paging).toEqual({ rows: 1_000, totalRows: count, urls: { nextPage: null } });
    expect([...ids(first), ...ids(second)]).toEqual(newestFirst);
    expect(Object.keys(second.body.data[0])).toEqual(['alertId', 'startTime']);
    await service.store.housekeeping((tx) => tx.deleteFrom('alerts').where('id', '>', count).execute());
  });

  test('continues if filters are evaluated in memory, and if alerts no longer match in the meantime', async () => {
    const filters = [{ field: 'alertInfo.subject', expression: 'ilike', value: 'SUBJECT %' }];
    const first = await search({ filters });
    expect(first.body.paging).toMatchObject({ rows: 5_000, totalRows: count });
    const second = await service.request('GET', pathOf(first), { token });
    expect([...ids(first), ...ids(second)]).toEqual(newestFirst);
    const open = await search({
      filters: [{ field: 'status', expression: 'in', values: ['Open', 'Closed'] }],
    });
    await service.store.housekeeping((tx) => tx.updateTable('alerts').set({ status: 'Other' }).execute());
    const rest = await service.request('GET', pathOf(open), { token });
    expect(rest.body).toEqual({ paging: { rows: 0, totalRows: count, urls: { nextPage: null } }, data: [] });
    await service.store.housekeeping((tx) => tx.updateTable('alerts').set({ status: 'Open' }).execute());
  });

  test('rejects page tokens of other accounts, modified or expired tokens, and tokens of another dataset', async () => {
    await service.accounts.create('foreign');
    const path = pathOf(await search({}));
    const otherAccount = await service.request('GET', path, {
      token,
      headers: { 'Account-Name': 'foreign' },
    });
    expect([otherAccount.status, otherAccount.body.message]).toEqual([
      404,
      'Not found: page cursor of another search. Run the search again.',
    ]);
    const other = await service.request('GET', path.replace('Alerts/search', 'Entities/Machines'), { token });
    expect(other.status).toBe(404);
    const position = path.length - 10;
    const changed = path.slice(0, position) + (path[position] === 'a' ? 'b' : 'a') + path.slice(position + 1);
    const rejected = await service.request('GET', changed, { token });
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining('search again')]);
    service.clock.advance(24 * 60 * minute);
    token = await service.token(service.firstKey, 86_400);
    const expired = await service.request('GET', path, { token });
    expect([expired.status, expired.body.message]).toEqual([
      400,
      expect.stringContaining('older than 24 hours'),
    ]);
    service.clock.advance(-24 * 60 * minute);
    token = await service.token(service.firstKey, 86_400);
  });

  test.each([
    ['many values', Array.from({ length: 500 }, (_, index) => `nobody-${index}`)],
    ['letters of several bytes', ['ж'.repeat(1_700), 'no']],
  ])('that is too long for a URL can be continued: %s', async (_, values) => {
    const first = await search({ filters: [{ field: 'alertName', expression: 'not_in', values }] });
    expect(pathOf(first).length).toBeLessThan(2_000);
    const second = await service.request('GET', pathOf(first), { token });
    expect(second.body.paging).toEqual({ rows: 1_000, totalRows: count, urls: { nextPage: null } });
  });

  test.each([
    [{ field: 'alertId', expression: 'eq', value: '7' }, [7]],
    [{ field: 'alertId', expression: 'between', values: [11, 13] }, [13, 12, 11]],
    [
      { field: 'alertName', expression: 'like', value: 'Alert 599_' },
      [5999, 5998, 5997, 5996, 5995, 5994, 5993, 5992, 5991, 5990],
    ],
    [{ field: 'alertInfo.subject', expression: 'eq', value: 'Subject 42' }, [42]],
    [{ field: 'alertInfo', expression: 'rlike', value: '.*Subject 4[23]".*' }, [43, 42]],
    [{ field: 'policyId', expression: 'in', values: ['policy 1', 'policy 2'] }, [2, 1]],
    [{ field: 'derivedFields.sub_category', expression: 'ne', value: 'File' }, []],
    [{ field: 'startTime', expression: 'lt', value: '2026-03-01T02:00:30Z' }, [6000]],
  ])('with filter %j returns %j', async (filter, expected) => {
    const response = await search({ filters: [filter] });
    expect([response.status, ids(response)]).toEqual([200, expected]);
    expect(response.body.paging).toEqual({
      rows: expected.length,
      totalRows: expected.length,
      urls: { nextPage: null },
    });
  });

  test('combines filters by severity and type, as the CLI sends them', async () => {
    const filters = [
      { field: 'severity', expression: 'eq', value: 'High' },
      { field: 'alertType', expression: 'eq', value: 'ChangedFile' },
    ];
    const matches = ids(await search({ filters }));
    expect(matches).toEqual(newestFirst.filter((id) => id % 5 === 1 && id % 3 === 0));
  });

  test.each([
    [{ filters: [{ field: 'mood', expression: 'eq', value: 1 }] }, 'Invalid field'],
    [{ returns: ['mood'] }, 'Invalid field'],
    [{ filters: [{ field: 'alertId', expression: 'resembles', value: 1 }] }, 'filters[0]'],
    [{ timeFilter: { startTime: '2026-02-01', endTime: '2026-03-01' } }, '7 days'],
  ])('rejects %j', async (body, message) => {
    const rejected = await search(body);
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test.each([
    ['severity', 'eq', { value: 'Severe' }, 'value', 'Critical, High, Medium, Low, Info', 'Severe'],
    ['severity', 'ne', { value: 'high' }, 'value', 'Critical, High, Medium, Low, Info', 'high'],
    ['status', 'in', { values: ['Open', 'New'] }, 'values[1]', 'Open, Closed', 'New'],
    ['status', 'not_in', { values: ['Done'] }, 'values[0]', 'Open, Closed', 'Done'],
  ])('rejects an impossible %s with %s', async (field, expression, operand, position, set, value) => {
    const rejected = await search({ filters: [{ field, expression, ...operand }] });
    expect([rejected.status, rejected.body.code, rejected.body.message]).toEqual([
      400,
      'INVALID_FILTER',
      `filters[0].${position} must be one of ${set}, the values of ${field}, not '${value}'.`,
    ]);
  });

  test('accepts any pattern, also for enumerated fields', async () => {
    const filters = [{ field: 'severity', expression: 'ilike', value: 'crit%' }];
    expect((await search({ filters })).status).toBe(200);
  });

  test('warns about unknown alert types, with suggestions', async () => {
    const searchByType = async (expression: string, operand: object) =>
      (await search({ filters: [{ field: 'alertType', expression, ...operand }] })).body;
    expect(await searchByType('eq', { value: 'NewViolation' })).toEqual({
      warnings: [
        "filters[0]: no alert template has the alertType 'NewViolation', so it matches nothing; did you mean NewViolations, Violation, HE_File_NewViolation?",
      ],
      paging: { rows: 0, totalRows: 0, urls: { nextPage: null } },
      data: [],
    });
    for (const [expression, operand] of [
      ['eq', { value: 'NewViolations' }],
      // Alerts have this type, but no template does.
      ['eq', { value: 'ChangedFile' }],
      ['like', { value: 'Nothing%' }],
    ] as const) {
      expect((await searchByType(expression, operand)).warnings).toBeUndefined();
    }
    expect((await searchByType('not_in', { values: ['NewViolations', 'zzzzzzzzzzzz'] })).warnings).toEqual([
      "filters[0]: no alert template has the alertType 'zzzzzzzzzzzz', so it matches nothing.",
    ]);
    const template = { name: 'MadeHere', eventName: 'a', description: 'b', subject: 'c' };
    const body = { alertProfileId: 'Own', extends: 'LW_CFG_AWS_DEFAULT_PROFILE', alerts: [template] };
    expect((await service.request('POST', '/api/v2/AlertProfiles', { token, body })).status).toBe(201);
    expect((await searchByType('eq', { value: 'MadeHere' })).warnings).toBeUndefined();
  });

  test('is rejected with all of its errors', async () => {
    const rejected = await search({
      timeFilter: { startTime: 'last week' },
      filters: [
        { field: 'mood', expression: 'eq', value: 1 },
        { field: 'status', expression: 'eq', value: 'Gone' },
      ],
      returns: ['temper'],
    });
    expect(rejected.status).toBe(400);
    expect(rejected.body).toEqual({
      code: 'INVALID_INPUT',
      message: expect.stringContaining("timeFilter.startTime 'last week' is not a date: write it as "),
      requestId: expect.any(String),
      problems: [
        { field: 'timeFilter.startTime', message: rejected.body.message },
        { field: 'filters[0].field', message: expect.stringContaining("Invalid field 'mood'") },
        { field: 'filters[1].value', message: expect.stringContaining("not 'Gone'") },
        { field: 'returns[0]', message: expect.stringContaining("Invalid field 'temper'") },
      ],
    });
  });

  test('lists a time range, including the start and excluding the end, without paging', async () => {
    const range = `startTime=${iso(startOf(20))}&endTime=${iso(startOf(10))}`;
    const list = await service.request('GET', `/api/v2/Alerts?${range}`, { token });
    expect(ids(list)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
    const empty = await service.request('GET', '/api/v2/Alerts?startTime=2020-01-01&endTime=2020-01-02', {
      token,
    });
    expect([empty.status, empty.body]).toEqual([
      200,
      { paging: { rows: 0, totalRows: 0, urls: { nextPage: null } }, data: [] },
    ]);
  });
});
