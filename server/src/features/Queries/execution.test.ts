import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestAgent } from '../../testing/agent.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let agent: TestAgent;
const hour = 3_600_000;
const day = 24 * hour;
const iso = (instant: number) => new Date(instant).toISOString();
const ago = (milliseconds: number) => iso(service.clock.now() - milliseconds);

const event = (name: string, time: string, rest = '') =>
  `{"eventID":"${name}","eventTime":"${time}","eventName":"${name}","eventSource":"iam.amazonaws.com"${rest}}`;

beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
  await service.accounts.create('other');
  agent = await TestAgent.of(service);
  const other = await TestAgent.of(service, 'other');
  await agent.send(
    [
      event('now', iso(service.clock.now())),
      event('hour', ago(hour), ',"errorCode":"Denied"'),
      event('week', ago(8 * day)),
      event('month', ago(40 * day)),
    ],
    { path: 'CloudTrailRawEvents' },
  );
  await other.send([event('foreign', ago(hour))], { path: 'CloudTrailRawEvents' });
});
afterAll(() => service.stop());

const request = (path: string, body?: unknown, headers = {}) =>
  service.request('POST', `/api/v2/Queries${path}`, { token, body, headers });
const names = '{ source { CloudTrailRawEvents } return { EVENT_NAME } }';
const run = (queryText: string, rest: object = {}, headers = {}) =>
  request('/execute', { query: { queryText }, ...rest }, headers);
const between = (start: string, end: string) => ({
  arguments: [
    { name: 'StartTimeRange', value: start },
    { name: 'EndTimeRange', value: end },
  ],
});
const foundNames = async (rest: object = {}, headers = {}) => {
  const { status, body } = await run(names, rest, headers);
  expect([status, Object.keys(body)]).toEqual([200, ['data']]);
  return body.data.map((row: { EVENT_NAME: string }) => row.EVENT_NAME).sort();
};

describe('an executed query', () => {
  test('reads the last 24 hours of its account, including the current instant', async () => {
    expect(await foundNames()).toEqual(['hour', 'now']);
    for (const rest of [
      { options: {}, arguments: [] },
      { options: null, arguments: null },
    ])
      expect(await foundNames(rest)).toEqual(['hour', 'now']);
    expect(await foundNames({}, { 'Account-Name': 'other' })).toEqual(['foreign']);
  });

  test('reads the requested time range, in every format of clients and of any length', async () => {
    const now = service.clock.now();
    const start = ago(40 * day);
    for (const [from, to] of [
      [start, iso(now)],
      [start.replace(/\.\d+Z/, 'Z'), iso(now)],
      [start.replace('Z', '999999Z'), iso(now)],
      [iso(now - 40 * day + hour).replace('Z', '+01:00'), iso(now)],
      [start.slice(0, 10), iso(now)],
      [String(now - 40 * day), String(now)],
      [String(Math.floor((now - 40 * day) / 1000)), iso(now)],
    ] as const)
      expect(await foundNames(between(from, to)), from).toEqual(['hour', 'month', 'week']);
    expect(await foundNames(between(ago(8 * day), iso(now + 1)))).toEqual(['hour', 'now', 'week']);
    expect(await foundNames(between(ago(8 * day), ago(8 * day - 1)))).toEqual(['week']);
    expect(await foundNames({ arguments: [{ name: 'EndTimeRange', value: ago(7.5 * day) }] })).toEqual([
      'week',
    ]);
    expect(await foundNames({ arguments: [{ name: 'StartTimeRange', value: ago(9 * day) }] })).toEqual([
      ...['hour', 'now', 'week'],
    ]);
    expect(await foundNames({ arguments: [{ name: 'StartTimeRange', value: null }] })).toEqual([
      'hour',
      'now',
    ]);
  });

  test.each([
    [
      { arguments: [{ name: 'StartTimeRange', value: 'yesterday' }] },
      "arguments[0].value 'yesterday' is not a date",
    ],
    [
      { arguments: [{ name: 'Start', value: '1' }] },
      "arguments[0].name must be one of StartTimeRange, EndTimeRange, not 'Start'",
    ],
    [{ arguments: [{ name: 'EndTimeRange', value: 7 }] }, 'arguments[0].value'],
    [{ arguments: 'all' }, 'arguments'],
    [
      { arguments: [1, 2].map(() => ({ name: 'EndTimeRange', value: '2026-01-01' })) },
      'arguments[1] repeats EndTimeRange',
    ],
    [between('2026-01-02', '2026-01-01'), 'StartTimeRange must be before EndTimeRange'],
    [between('2026-01-01', '2026-01-01'), 'StartTimeRange must be before EndTimeRange'],
    [{ options: { limit: 0 } }, 'options.limit must be between 1 and 500000, not 0.'],
    [{ options: { limit: 500_001 } }, 'options.limit must be between 1 and 500000, not 500001.'],
    [{ options: { limit: 1.5 } }, 'options.limit'],
    [{ options: { limit: '1' } }, 'options.limit'],
    [{ query: undefined }, 'query is required'],
    [{ query: {} }, 'query.queryText is required'],
    [{ query: { queryText: '' } }, 'query.queryText'],
  ])('is rejected with %j', async (invalid, message) => {
    const { status, body } = await run(names, invalid);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('with a syntax error is rejected with line and column', async () => {
    const long = await run(' '.repeat(72_001));
    expect([long.status, long.body.message]).toEqual([400, expect.stringContaining('query.queryText')]);
    const { status, body } = await run('{ source { CloudTrailRawEvents } return { EVENT_NAM } }');
    expect([status, body.code, body.message]).toEqual([
      400,
      'INVALID_QUERY',
      expect.stringMatching(/^Unable to translate due to: Line 1, column 43, at EVENT_NAM: .*EVENT_NAME/),
    ]);
  });
});

describe('the response', () => {
  test('preserves the ingested values, with exact numbers and timestamps', async () => {
    const inner =
      '{"big":9007199254740993,"huge":123456789012345678901234567890,"real":1.5,"small":1e-7,"null":null,"list":[1,"a",{}],"text":"\\"\\\\\\u0001é😀"}';
    const time = ago(2 * hour);
    await agent.send([event('exact', time, `,"requestParameters":${inner}`)], {
      path: 'CloudTrailRawEvents',
    });
    const created = `"createdTime":"${time}"`;
    await agent.send([agent.lookup('9223372036854775807').replace(/"createdTime":"[^"]*"/, created)]);
    const { text, headers } = await run(
      `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'exact' }
         return { EVENT_TIME, EVENT:requestParameters as P, EVENT:requestParameters.text as T, EVENT:none as N, EVENT:requestParameters.big::Number as B, ERROR_CODE } }`,
    );
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(text).toBe(
      `{"data":[{"EVENT_TIME":"${time}","P":${inner},"T":"\\"\\\\\\u0001é😀","N":null,"B":9007199254740993,"ERROR_CODE":null}]}`,
    );
    const numbers = await run(
      '{ source { LW_HA_DNS_REQUESTS } return { MID, MID - 1 as LESS, -MID as MINUS, TTL / 8 as PART, RECORD_CREATED_TIME::String as TEXT } }',
    );
    expect(numbers.text).toBe(
      `{"data":[{"MID":9223372036854775807,"LESS":9223372036854775806,"MINUS":-9223372036854775807,"PART":7.5,"TEXT":"${time}"}]}`,
    );
  });

  test('has no row, one row, or the maximum number of rows', async () => {
    await agent.send(
      Array.from({ length: 5_100 }, (_, index) => event(`many.${index}`, ago(3 * hour))),
      { path: 'CloudTrailRawEvents' },
    );
    const count = async (filter: string, rest: object = {}) => {
      const { body } = await run(
        `{ source { CloudTrailRawEvents } filter { EVENT_NAME like '${filter}' } return { EVENT_NAME } }`,
        rest,
      );
      return body.data.length;
    };
    expect(await count('none')).toBe(0);
    expect(await count('many.77')).toBe(1);
    expect(await count('many.%')).toBe(5_000);
    expect(await count('many.%', { options: { limit: null } })).toBe(5_000);
    for (const limit of [1, 2, 5_099, 500_000])
      expect(await count('many.%', { options: { limit } })).toBe(Math.min(limit, 5_100));
    const empty = await run(`{ source { LW_CE_IDENTITIES } return { NAME } }`);
    expect([empty.status, empty.text]).toEqual([200, '{"data":[]}']);
  });
});

describe('a saved query', () => {
  test('is executed by its id in its account, and a built-in one in all accounts', async () => {
    const creation = await request('', { queryId: 'Saved', queryText: `Saved ${names}\n` });
    expect(creation.status).toBe(201);
    const { body } = await request('/Saved/execute', {
      options: { limit: 1 },
      ...between(ago(8 * day), ago(day)),
    });
    expect(body).toEqual({ data: [{ EVENT_NAME: 'week' }] });
    const otherAccount = await request('/Saved/execute', {}, { 'Account-Name': 'other' });
    expect([otherAccount.status, otherAccount.body.message]).toEqual([
      404,
      'Unable to locate lql query Saved, please double check the query exists and has not already been updated.',
    ]);
    for (const account of ['local', 'other']) {
      const shipped = await request('/LW_Global_AWS_CTA_AccessKeyDeleted/execute', undefined, {
        'Account-Name': account,
      });
      expect([shipped.status, shipped.text]).toEqual([200, '{"data":[]}']);
    }
    expect((await request('/Saved/execute', { options: { limit: 0 } })).status).toBe(400);
  });

  test('saved before validation existed can still be read, and its errors are reported on execution', async () => {
    await request('', { queryId: 'Older', queryText: names });
    await service.store.housekeeping(async (tx) => {
      await tx
        .updateTable('queries')
        .set({ query_text: '{ old }', result_schema: '[]' })
        .where('id', '=', 'Older')
        .execute();
    });
    const returned = await service.request('GET', '/api/v2/Queries/Older', { token });
    expect(returned.body.data).toMatchObject({ queryText: '{ old }', resultSchema: [] });
    const { status, body } = await request('/Older/execute');
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining('Unable to translate due to: Line 1'),
    ]);
    const renamed = await service.request('PATCH', '/api/v2/Queries/Older', {
      token,
      body: { queryName: 'n' },
    });
    expect([renamed.status, renamed.body.data.resultSchema]).toEqual([200, []]);
    const corrected = await service.request('PATCH', '/api/v2/Queries/Older', {
      token,
      body: { queryText: names },
    });
    expect(corrected.body.data.resultSchema).toMatchObject([{ name: 'EVENT_NAME', dataType: 'String' }]);
  });
});
