import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let agent: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off', VEDETTE_DISK_CAP: '2MB' });
  token = await service.token(service.firstKey, 86_400);
  const body = { tokenAlias: 'agent', tokenEnabled: 1 };
  const created = await service.request('POST', '/api/v2/AgentAccessTokens', { token, body });
  agent = created.body.data.accessToken;
});
afterAll(() => service.stop());

const send = () => {
  const body = [
    {
      createdTime: new Date(service.clock.now() - 1_000).toISOString(),
      ...{ mid: 1, fqdn: 'a.example', hostIpAddr: '192.0.2.1', ttl: 60, dnsServerIp: '192.0.2.53' },
      more: randomBytes(100_000).toString('base64'),
    },
  ];
  return service.request('POST', '/ingest/v1/Activities/DNSs', { token: agent, body });
};
const storedRecords = async () => {
  const response = await service.request('POST', '/api/v2/Activities/DNSs/search', {
    token,
    body: { returns: ['mid'] },
  });
  return response.status === 204 ? 0 : response.body.paging.totalRows;
};
async function gauge(name: string): Promise<number> {
  const { text } = await service.request('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

test('reaching the disk cap within one day stops only ingestion; the next day replaces the oldest', async () => {
  expect(await gauge('vedette_telemetry_disk_bytes')).toBe(0);
  let stored = 0;
  let response = await send();
  for (; response.status === 200 && stored < 100; response = await send()) stored++;
  expect([response.status, response.headers.get('retry-after'), response.body.message]).toEqual([
    503,
    '5',
    expect.stringMatching(/^Today's records use up VEDETTE_DISK_CAP \(2 MB\): raise it/),
  ]);
  expect(stored).toBeGreaterThan(3);
  expect(await storedRecords()).toBe(stored);
  expect(await gauge('vedette_telemetry_disk_bytes')).toBeGreaterThan(stored * 100_000);
  expect(await gauge('vedette_telemetry_disk_bytes')).toBeLessThan(2_000_000);
  expect(await gauge('vedette_telemetry_disk_free_bytes')).toBeGreaterThan(0);

  const day = new Date(service.clock.now()).toISOString().slice(0, 10);
  service.clock.advance(23 * 3_600_000);
  token = await service.token(service.firstKey, 86_400);
  for (let batch = 0; batch < stored; batch++) expect((await send()).status).toBe(200);
  expect(await storedRecords()).toBe(stored);
  const dropped = service.logLines.map((line) => JSON.parse(line)).find(({ day }) => day !== undefined);
  expect(dropped).toMatchObject({
    level: 'warn',
    day,
    bytes: expect.any(Number),
    reason: 'telemetry would take more than VEDETTE_DISK_CAP, 2 MB',
    msg: 'a day of telemetry was dropped',
  });
});
