import { gzipSync } from 'node:zlib';
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

let count = 0;
async function newAgent(headers: Record<string, string> = {}): Promise<string> {
  const body = { tokenAlias: `agent ${++count}`, tokenEnabled: 1 };
  const creation = await service.request('POST', '/api/v2/AgentAccessTokens', { token, body, headers });
  return creation.body.data.accessToken;
}
const created = (milliseconds = 0) => new Date(service.clock.now() - 1_000 - milliseconds).toISOString();
const line = (mid: number | string, rest = '') =>
  `{"createdTime":"${created()}","mid":${mid},"fqdn":"a.example","hostIpAddr":"10.0.0.1","ttl":60,"dnsServerIp":"10.0.0.2"${rest}}`;
async function send(body: string | Buffer, headers: Record<string, string> = {}, path = 'Activities/DNSs') {
  const reply = await fetch(`${service.url}/ingest/v1/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${agent}`, 'Content-Type': 'application/x-ndjson', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: reply.status, body: (await reply.json()) as ReturnType<typeof JSON.parse> };
}
const members = (count: number) =>
  Array.from({ length: count }, (_, timestamp) => `,"m${timestamp}":1`).join('');
const storedRecords = async (headers: Record<string, string> = {}) =>
  (await service.request('POST', '/api/v2/Activities/DNSs/search', { token, body: {}, headers })).text;

describe('a batch', () => {
  test('as NDJSON, as an array and compressed is accepted, and its records are returned unchanged', async () => {
    const records = [
      line(9223372036854775807n.toString(), ',"x":1.10'),
      line('-9223372036854775808'),
      line(3),
    ];
    expect(await send(`${records[0]}\n`)).toEqual({
      status: 200,
      body: { data: { accepted: 1, repeated: 0 } },
    });
    const array = await send(`[ ${records[1]} ]`, { 'Content-Type': 'application/json' });
    expect(array).toEqual({ status: 200, body: { data: { accepted: 1, repeated: 0 } } });
    const compressed = await send(gzipSync(`${records[2]}\n\n`), { 'Content-Encoding': 'gzip' });
    expect(compressed).toEqual({ status: 200, body: { data: { accepted: 1, repeated: 0 } } });
    const text = await storedRecords();
    for (const record of records) expect(text).toContain(record);
  });

  test('may contain records with many members, a thousand of which are searchable by name', async () => {
    const name = `n${'a'.repeat(255)}`;
    const record = `{"createdTime":"${created()}","mid":1,"uid":0,"username":"a","primaryGroupName":"b","${name}":1${members(15_000)}}`;
    const accepted = await send(record, {}, 'Entities/Users');
    expect(accepted).toEqual({ status: 200, body: { data: { accepted: 1, repeated: 0 } } });
    const search = async (field: string) => {
      const filters = [{ field, expression: 'eq', value: '1' }];
      return (await service.request('POST', '/api/v2/Entities/Users/search', { token, body: { filters } }))
        .body;
    };
    expect((await search('m999')).paging.totalRows).toBe(1);
    for (const unknown of ['m1000', name])
      expect((await search(unknown)).message).toContain(`Invalid field '${unknown.slice(0, 60)}`);
  });

  test('that is sent again with its key is not stored again', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const responses = [await send(line(77), headers), await send(line(77), headers)];
    expect(responses.map(({ body }) => body)).toEqual([
      { data: { accepted: 1, repeated: 0 } },
      { data: { accepted: 1, repeated: 1 } },
    ]);
    expect((await storedRecords()).split('"mid":77,')).toHaveLength(2);
  });

  test('with the key of another batch is rejected, regardless of compression and timing', async () => {
    const [first, other] = [line(78), line(79)];
    const headers = { 'Idempotency-Key': 'taken' };
    expect((await send(first, headers)).status).toBe(200);
    const compressed = { ...headers, 'Content-Encoding': 'gzip' };
    expect(await send(gzipSync(first), compressed)).toEqual({
      status: 200,
      body: { data: { accepted: 1, repeated: 1 } },
    });
    for (const rejected of [await send(other, headers), await send(gzipSync(other), compressed)]) {
      expect(rejected).toEqual({
        status: 409,
        body: {
          code: 'CONFLICT',
          message: expect.stringContaining(
            'Idempotency-Key was already used for a batch with a different body',
          ),
          requestId: expect.any(String),
        },
      });
    }
    expect((await send(first, headers)).status).toBe(200);
    const text = await storedRecords();
    expect([text.split('"mid":78,').length, text.includes('"mid":79,')]).toEqual([2, false]);
  });

  test('sent concurrently with others of the same key is stored if it comes first', async () => {
    const bodies = Array.from({ length: 12 }, (_, n) => line(800 + (n % 3)));
    const responses = await Promise.all([
      ...bodies.map((body) => send(body, { 'Idempotency-Key': 'contended' })),
      ...[810, 811].map((mid) => send(line(mid))),
    ]);
    const text = await storedRecords();
    const stored = [800, 801, 802].filter((mid) => text.includes(`"mid":${mid},`));
    expect(stored).toHaveLength(1);
    expect(text.split(`"mid":${stored[0]},`)).toHaveLength(2);
    for (const [index, { status }] of responses.slice(0, 12).entries())
      expect(status).toBe(800 + (index % 3) === stored[0] ? 200 : 409);
    expect(responses.slice(12).map(({ status }) => status)).toEqual([200, 200]);
    for (const mid of [810, 811]) expect(text).toContain(`"mid":${mid},`);
  });

  test('is rejected as a whole, naming the first invalid record and its member', async () => {
    const before = await storedRecords();
    for (const [invalid, message] of [
      [line('"a"'), 'records[1].mid must be an integer'],
      [line(5).replace('"ttl":60,', ''), 'records[1].ttl is required'],
      [line(5).replace(created(), 'today'), 'records[1].createdTime'],
      ['{"mid":', 'records[1] is not valid JSON: line 1, column 8: the text ends early, expected a value.'],
      ['7', 'records[1]'],
      [line(5, ',"x":"\\u0000"'), 'records[1] must not contain'],
      [line(5, ',"x":"\\ud800"'), 'records[1] is not valid JSON'],
      [line('9223372036854775808'), 'records[1].mid must be an integer of at most 64 bits'],
      [line('-9223372036854775809'), 'records[1].mid must be an integer of at most 64 bits'],
      [line('9223372036854775808.0'), 'records[1].mid must be an integer of at most 64 bits'],
      [line('1e19'), 'records[1].mid'],
      [line(5, ',"mid":6'), 'records[1].mid is given twice'],
      [line(5, ',"x":[{"y":1,"z":{},"y":1}]'), 'records[1].x[0].y is given twice'],
      [
        line(5, `,"x":${'['.repeat(100)}${']'.repeat(100)}`),
        'records[1] is nested more than 100 levels deep',
      ],
      [
        line(5, `,"x":${'['.repeat(1e6)}${']'.repeat(1e5)}`),
        'records[1] is nested more than 100 levels deep',
      ],
      [line(5, `,"x":[${'[],'.repeat(20_000)}[]]`), 'records[1] has more than 20000 values'],
      [line(5, members(20_000)), 'records[1] has more than 20000 values'],
      [line(5, `,"x":"${'a'.repeat(2_000_000)}"`), 'records[1] has more than 2000000 characters'],
    ] as const) {
      const rejected = await send(`${line(4)}\n${invalid}`);
      expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(message)]);
    }
    expect(await storedRecords()).toBe(before);
  });

  test('is rejected with all of its invalid records, up to 20 problems', async () => {
    const rejected = await send([line('"a"'), line(4), '{', line(5).replace('"ttl":60,', '')].join('\n'));
    expect(rejected).toEqual({
      status: 400,
      body: {
        code: 'INVALID_INPUT',
        message: "records[0].mid must be an integer, not 'a'.",
        requestId: expect.any(String),
        problems: [
          { field: 'records[0].mid', message: "records[0].mid must be an integer, not 'a'." },
          {
            field: 'records[2]',
            message:
              'records[2] is not valid JSON: line 1, column 2: the text ends early, expected a member name in double quotes or }.',
          },
          { field: 'records[3].ttl', message: 'records[3].ttl is required: add it to the record.' },
        ],
      },
    });
    const many = await send(Array(50).fill('{').join('\n'));
    expect(many.body.problems).toHaveLength(20);
  });

  test('is rejected if a record is dated more than a day ahead, and accepted without it', async () => {
    const before = await storedRecords();
    const ahead = (milliseconds: number) => created(-milliseconds - 1_000);
    const day = 86_400_000;
    const dated = (mid: number, time: string) => line(mid).replace(created(), time);
    const futureDates = [
      ahead(day + 1),
      ahead(day + 3_600_001).replace('Z', '+01:00'),
      '2999-01-01T00:00:00Z',
    ];
    const valid = [dated(501, ahead(day)), dated(502, ahead(day + 3_600_000).replace('Z', '+01:00'))];
    const rejected = await send([...valid, ...futureDates.map((time) => dated(503, time))].join('\n'));
    const now = new Date(service.clock.now()).toISOString();
    const problems = futureDates.map((time, index) => ({
      field: `records[${index + 2}].createdTime`,
      message:
        `records[${index + 2}].createdTime '${time}' is more than a day ahead of the server's time, ${now}: ` +
        'set the clock of the host, remove such records and send the others again.',
    }));
    expect([rejected.status, rejected.body.message, rejected.body.problems]).toEqual([
      400,
      problems[0]?.message,
      problems,
    ]);
    expect(await storedRecords()).toBe(before);
    expect(await send(valid.join('\n'))).toEqual({
      status: 200,
      body: { data: { accepted: 2, repeated: 0 } },
    });
  });

  test('of windows is also rejected by the end of a window', async () => {
    const timestamp = (milliseconds: number) => new Date(service.clock.now() + milliseconds).toISOString();
    const host = {
      ...{
        startTime: timestamp(0),
        endTime: timestamp(86_400_001),
        mid: 1,
        hostname: 'a',
        primaryIpAddr: 'b',
      },
      ...{ machineTags: {}, entityType: 'Machine', os: 'Linux' },
    };
    const rejected = await send(JSON.stringify(host), {}, 'Entities/Machines');
    expect([rejected.status, rejected.body.problems[0].field]).toEqual([400, 'records[0].endTime']);
  });

  test.each([
    [{ 'Content-Type': 'text/plain' }, 'x', 'application/x-ndjson'],
    [{ 'Content-Encoding': 'br' }, 'x', 'use gzip or none'],
    [{ 'Content-Encoding': 'gzip' }, 'x', 'not valid gzip'],
    [{}, '\n', 'has no records'],
    [{ 'Content-Type': 'application/json' }, '{}', 'not a JSON array'],
    [{}, Buffer.from([0xff, 0xfe]), 'not valid UTF-8'],
    [{}, Buffer.alloc(16 * 1024 * 1024 + 1), 'larger than 16777216 bytes'],
    [
      { 'Content-Encoding': 'gzip' },
      gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1)),
      'larger than 67108864 bytes',
    ],
  ])('with %j is rejected (%#)', async (headers, body, message) => {
    const rejected = await send(body, headers as Record<string, string>);
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('is required', async () => {
    const reply = await fetch(`${service.url}/ingest/v1/Activities/DNSs`, {
      ...{ method: 'POST', headers: { Authorization: `Bearer ${agent}` } },
    });
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { code: 'INVALID_INPUT', message: expect.stringContaining('A body is required: send records') },
    ]);
  });

  test('requires an enabled agent token, and is stored in its account', async () => {
    for (const invalid of ['nonsense', token]) {
      const rejected = await send(line(1), { Authorization: invalid });
      expect([rejected.status, rejected.body.message]).toEqual([401, expect.stringContaining('agent')]);
    }
    const other = await newAgent();
    const path = `/api/v2/AgentAccessTokens/${other}`;
    await service.request('PATCH', path, { token, body: { tokenEnabled: 0 } });
    expect((await send(line(1), { Authorization: other })).status).toBe(401);
    await service.request('PATCH', path, { token, body: { tokenEnabled: 1 } });
    expect((await send(line(1), { Authorization: other })).status).toBe(200);

    await service.accounts.create('elsewhere');
    const otherAgent = await newAgent({ 'Account-Name': 'elsewhere' });
    expect((await send(line(4711), { Authorization: otherAgent })).status).toBe(200);
    expect(await storedRecords()).not.toContain('4711');
    expect(await storedRecords({ 'Account-Name': 'elsewhere' })).toContain('4711');
  });

  test('of a dataset that only queries can read is accepted', async () => {
    const event = JSON.stringify({
      ...{
        eventID: 'e',
        eventTime: '2026-01-01T00:00:00Z',
        eventName: 'X',
        eventSource: 's',
        awsRegion: 'r',
      },
      ...{ eventVersion: '1.08', recipientAccountId: '1', sourceIPAddress: '1.1.1.1', userIdentity: {} },
    });
    const taken = await send(event, {}, 'CloudTrailRawEvents');
    expect([taken.status, taken.body]).toEqual([200, { data: { accepted: 1, repeated: 0 } }]);
  });
});

describe('the counters', () => {
  test('count the result of every record', async () => {
    const read = async () => {
      const { text } = await service.request('GET', '/metrics');
      const counts = [...text.matchAll(/vedette_ingest_records_total\{fate="(\w+)"\} (\d+)/g)];
      return Object.fromEntries(counts.map(([, result, records]) => [result as string, Number(records)]));
    };
    const before = await read();
    await send(`${line(1)}\n${line(2)}`, { 'Idempotency-Key': 'counted' });
    await send(`${line(1)}\n${line(2)}`, { 'Idempotency-Key': 'counted' });
    await send(`${line(1)}\n${line('"x"')}\n${line(3)}`);
    const after = await read();
    const change = Object.fromEntries(
      Object.entries(after).map(([result, records]) => [result, records - (before[result] ?? 0)]),
    );
    expect(change).toEqual({ received: 7, stored: 2, repeated: 2, refused: 3, lost: 0 });
    expect(after.lost).toBe(0);
  });
});

describe('events of clouds', () => {
  test('are stored once with distinct=true, whichever batch they came with', async () => {
    const event = (eventID: string) =>
      `{"eventID":"${eventID}","eventTime":"${new Date(service.clock.now() - 3_600_000).toISOString()}","eventName":"A","eventSource":"b"}`;
    const path = 'CloudTrailRawEvents?distinct=true';
    const first = await send([event('1'), event('2'), event('1')].join('\n'), {}, path);
    expect(first.body).toEqual({ data: { accepted: 2, repeated: 0 } });
    const second = await send([event('2'), event('3')].join('\n'), { 'Idempotency-Key': 'd' }, path);
    expect(second.body).toEqual({ data: { accepted: 1, repeated: 0 } });
    expect((await send(event('3'), {}, path)).body).toEqual({ data: { accepted: 0, repeated: 0 } });
    // As agents send them: every batch is stored.
    expect((await send(event('3'), {}, 'CloudTrailRawEvents')).body.data.accepted).toBe(1);
    const wrong = await send(event('4'), {}, 'CloudTrailRawEvents?distinct=maybe');
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('distinct')]);
  });
});
