import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestAgent } from '../../testing/agent.ts';
import { TestService } from '../../testing/service.ts';

const seconds = 10;
let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({
    VEDETTE_RATE_LIMIT: 'off',
    VEDETTE_SEARCH_TIMEOUT: String(seconds),
    VEDETTE_TELEMETRY_MEMORY: '128MB',
  });
  token = await service.token(service.firstKey, 86_400);
  const agent = await TestAgent.of(service);
  const hash = (index: number) => createHash('sha384').update(String(index)).digest('hex');
  const created = new Date(service.clock.now() - 3_600_000).toISOString();
  for (let batch = 0; batch < 1; batch++) {
    const records = Array.from(
      { length: 10_000 },
      (_, index) =>
        `{"createdTime":"${created}","mid":${index},"fqdn":"${hash(batch * 10_000 + index)}","hostIpAddr":"b","ttl":1,"dnsServerIp":"c"}`,
    );
    expect((await agent.send(records)).status).toBe(200);
  }
});
afterAll(() => service.stop());

const path = '/api/v2/Queries/execute';
const body = (queryText: string, limit = 1) => ({ query: { queryText }, options: { limit } });
/** A cross join that runs much longer than the test timeout. */
const slow = body(
  `{ source { ${['a', 'b', 'c'].map((name) => `LW_HA_DNS_REQUESTS ${name}`).join(', ')} } filter { a.MID + b.MID + c.MID < 0 } return { a.MID } }`,
);
const quick = body('{ source { LW_HA_DNS_REQUESTS } return { MID } }');
const run = (query: object) => service.request('POST', path, { token, body: query });

const lines = async (name: string) =>
  (await service.request('GET', '/metrics')).text.split('\n').filter((line) => line.startsWith(name));
const searches = async () => (await lines('vedette_searches{')).map((line) => Number(line.split(' ')[1]));
const failures = () => service.logLines.filter((line) => line.includes('request failed'));

describe('a query', () => {
  test('whose client disconnects is cancelled or never started, frees its slot, and is not counted as a failure', async () => {
    const controller = new AbortController();
    const request = () =>
      fetch(service.url + path, {
        method: 'POST',
        signal: controller.signal,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(slow),
      });
    const outcomes = Promise.allSettled(Array.from({ length: 4 }, request));
    await expect.poll(searches, { timeout: 9_000 }).toEqual([3, 1, 0]);
    controller.abort();
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect.poll(searches).toEqual([0, 0, 0]);
    expect((await run(quick)).status).toBe(200);
    await expect
      .poll(() => lines(`vedette_http_requests_total{method="POST",route="${path}",status="499"}`))
      .toEqual([expect.stringMatching(/ 4$/)]);
    expect(failures()).toEqual([]);
  });

  test('whose client reads slowly does not block others, and is aborted after the time limit', async () => {
    // More than the socket buffers can hold.
    const rows = 100_000;
    const pairs = 'LW_HA_DNS_REQUESTS a, LW_HA_DNS_REQUESTS b';
    const large = body(`{ source { ${pairs} } return { a.HOSTNAME as A, b.HOSTNAME as B } }`, rows);
    const replies = await Promise.all(
      Array.from({ length: 4 }, () =>
        fetch(service.url + path, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            'Accept-Encoding': 'identity',
          },
          body: JSON.stringify(large),
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await expect.poll(searches).toEqual([0, 0, 4]);
    expect((await run(quick)).status).toBe(200);
    await expect.poll(searches).toEqual([0, 0, 0]);
    const outcomes = async () =>
      (await lines('vedette_http_requests_total')).filter((line) => line.includes('status="503"'));
    await expect.poll(outcomes).toEqual([expect.stringMatching(/ 4$/)]);
    for (const reply of replies) await expect(reply.text()).rejects.toThrow('terminated');
  });

  test('that exceeds the time limit fails with instructions, and the next one succeeds', async () => {
    const rejected = await run(slow);
    expect([rejected.status, rejected.body.code, rejected.body.message]).toEqual([
      503,
      'UNAVAILABLE',
      expect.stringContaining(`longer than ${seconds} seconds`),
    ]);
    expect((await run(quick)).status).toBe(200);
  });

  test('that exceeds the memory limit fails with instructions, and the next one succeeds', async () => {
    const long = `HOSTNAME || '${'x'.repeat(60_000)}'`;
    const rejected = await run(
      body(`{ source { LW_HA_DNS_REQUESTS } return distinct { ${long} as T } }`, 30_000),
    );
    expect([rejected.status, rejected.body.message]).toEqual([
      503,
      expect.stringContaining('VEDETTE_TELEMETRY_MEMORY'),
    ]);
    expect((await run(quick)).status).toBe(200);
  });
});
