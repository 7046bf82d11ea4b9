import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
  await service.accounts.create('elsewhere');
});
afterAll(() => service.stop());

type Headers = Readonly<Record<string, string>>;
const ownAccount: Headers = {};
const otherAccount: Headers = { 'Account-Name': 'elsewhere' };
let count = 0;
async function send(path: string, records: readonly object[], headers: Headers = {}, account = ownAccount) {
  const body = { tokenAlias: `agent ${++count}`, tokenEnabled: 1 };
  const created = await service.request('POST', '/api/v2/AgentAccessTokens', {
    token,
    body,
    headers: account,
  });
  const reply = await fetch(`${service.url}/ingest/v1/${path}`, {
    method: 'POST',
    headers: {
      Authorization: created.body.data.accessToken,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(records).replaceAll('"2^63"', '9223372036854775808'),
  });
  return { status: reply.status, body: (await reply.json()) as ReturnType<typeof JSON.parse> };
}

const search = async (path: string, filters: object[], headers = ownAccount) =>
  (await service.request('POST', `/api/v2/${path}/search`, { token, body: { filters }, headers })).body;
const lines = async (cmdline: string, headers = ownAccount) =>
  (await search('Entities/CommandLines', [{ field: 'cmdline', expression: 'eq', value: cmdline }], headers))
    .data;

const hour = 3_600_000;
const iso = (instant: number) => new Date(instant).toISOString();
const thisHour = () => Math.floor(service.clock.now() / hour) * hour - 2 * hour;
const hashOf = (cmdline: string) => createHash('md5').update(cmdline).digest('hex');
const process = (cmdline: string, pid: number | string, start = thisHour()) => ({
  ...{ startTime: iso(start), endTime: iso(start + hour), mid: 1, pid, ppid: 1, uid: 0, username: 'root' },
  ...{ filePath: '/usr/bin/x', cmdline, cmdlineHash: hashOf(cmdline), processStartTime: iso(start) },
});

describe('the command lines of processes', () => {
  test('are searchable once the processes are stored, one for each hour', async () => {
    const batch = [
      process('a --b "c"', 1),
      process('a --b "c"', 2),
      process('a --b "c"', 1, thisHour() - hour),
    ];
    expect((await send('Entities/Processes', batch)).body).toEqual({ data: { accepted: 3, repeated: 0 } });
    const record = (start: number) => ({
      ...{ createdTime: iso(start), cmdlineHash: hashOf('a --b "c"'), cmdline: 'a --b "c"' },
    });
    expect(await lines('a --b "c"')).toEqual([record(thisHour()), record(thisHour() - hour)]);
    const { data } = await search('Entities/Processes', [
      { field: 'cmdlineHash', expression: 'eq', value: hashOf('a --b "c"') },
    ]);
    expect(data).toHaveLength(3);
  });

  test('are stored once, whether the batch is repeated or another batch contains them', async () => {
    const batch = [process('again', 1)];
    const headers = { 'Idempotency-Key': 'k' };
    await send('Entities/Processes', batch, headers);
    const before = await search('Entities/CommandLines', []);
    expect((await send('Entities/Processes', batch, headers)).body).toEqual({
      data: { accepted: 1, repeated: 1 },
    });
    expect(await search('Entities/CommandLines', [])).toEqual(before);
    await Promise.all([7, 8, 9].map((pid) => send('Entities/Processes', [process('again', pid)])));
    expect(await search('Entities/CommandLines', [])).toEqual(before);
    expect(await lines('again')).toHaveLength(1);
  });

  test('are scoped to the account', async () => {
    await send('Entities/Processes', [process('ours', 1)]);
    expect(await lines('ours', otherAccount)).toEqual([]);
    await send('Entities/Processes', [process('ours', 1)], {}, otherAccount);
    expect(await lines('ours', otherAccount)).toHaveLength(1);
    expect(await lines('ours')).toHaveLength(1);
  });

  test('are not stored if the processes are rejected', async () => {
    for (const pid of ['2^63', 'x']) {
      const rejected = await send('Entities/Processes', [process('refused', 1), process('refused', pid)]);
      expect(rejected.status).toBe(400);
    }
    expect(await lines('refused')).toEqual([]);
    await send('Entities/Processes', [process('refused', 1)]);
    expect(await lines('refused')).toHaveLength(1);
  });

  test('can also be ingested without processes', async () => {
    const record = { createdTime: iso(thisHour()), cmdlineHash: hashOf('alone'), cmdline: 'alone' };
    expect((await send('Entities/CommandLines', [record])).body).toEqual({
      data: { accepted: 1, repeated: 0 },
    });
    expect(await lines('alone')).toEqual([record]);
    await send('Entities/Processes', [process('alone', 1)]);
    expect(await lines('alone')).toEqual([record]);
  });

  test('are kept and deduplicated after a restart', async () => {
    await send('Entities/Processes', [process('lasting', 1)]);
    await service.restart();
    token = await service.token(service.firstKey, 86_400);
    await send('Entities/Processes', [process('lasting', 2)]);
    expect(await lines('lasting')).toHaveLength(1);
  });
});
