import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../platform/errors.ts';
import { TestService } from '../../testing/service.ts';
import { checkReadiness, type ReadinessCheck } from './readiness.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

describe('operations', () => {
  test('health, readiness and metrics are public and contain no tenant data', async () => {
    await service.request('GET', '/api/v2/AuditLogs', {
      token: await service.token(),
      headers: { 'Account-Name': 'local' },
    });
    expect((await service.request('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await service.request('GET', '/readyz')).body).toEqual({ status: 'ok' });
    const { headers, text } = await service.request('GET', '/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain(
      'vedette_http_requests_total{method="GET",route="/api/v2/AuditLogs",status="200"} 1',
    );
    expect(text).toContain('vedette_process_resident_memory_bytes');
    expect(text).toContain('vedette_queue{queue="evaluations",state="running"} 0');
    expect(text).toContain('vedette_queue{queue="channel_tests",state="waiting"} 0');
    expect(text).not.toMatch(/admin@local|LOCAL_|127\.0\.0\.1/);
  });

  test('metrics contain the counters and queues of every domain, each metric once', async () => {
    const { text } = await service.request('GET', '/metrics');
    const metrics = [...text.matchAll(/^# HELP vedette_(\w+) /gm)].map(([, name]) => name);
    expect(metrics).toEqual([...new Set(metrics)]);
    expect(metrics).toEqual(
      expect.arrayContaining([
        ...['http_requests_total', 'sign_in_failures_total', 'ingest_records_total', 'searches'],
        ...['evaluations', 'telemetry_disk_bytes', 'disk_full', 'deliveries', 'exports', 'queue'],
      ]),
    );
    const queues = [...text.matchAll(/^vedette_queue\{queue="(\w+)",state="running"\} /gm)];
    expect(queues.map(([, name]) => name)).toEqual(
      expect.arrayContaining([
        ...['searches', 'service_queries', 'scans', 'query_texts', 'evaluations', 'deliveries'],
        ...['channel_tests', 'exports', 'cloud_activities', 'outbox'],
      ]),
    );
    expect(text).toMatch(/^vedette_disk_full\{store="control"\} 0$/m);
  });
});

test('metrics and readiness are rate-limited per address, health is not', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const limited = await TestService.start({ VEDETTE_TRUSTED_PROXIES: '127.0.0.1' });
  const statuses = new Set<number>();
  for (let count = 0; count < 1_250 && !statuses.has(429); count += 50) {
    const responses = Array.from({ length: 50 }, () => limited.request('GET', '/readyz', { headers }));
    for (const { status } of await Promise.all(responses)) statuses.add(status);
  }
  expect([...statuses]).toEqual([200, 429]);
  const rejected = await limited.request('GET', '/metrics', { headers });
  expect([rejected.status, rejected.body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(rejected.headers.get('ratelimit-remaining')).toBe('0');
  expect((await limited.request('GET', '/healthz', { headers })).status).toBe(200);
  expect((await limited.request('GET', '/metrics')).status).toBe(200);
  limited.clock.advance(1_000);
  expect((await limited.request('GET', '/metrics', { headers })).status).toBe(200);
  await limited.stop();
});

describe('readiness', () => {
  const failing = (name: string, error: Error): ReadinessCheck => ({
    name,
    check: () => Promise.reject(error),
  });

  test('reports the first failed check with its message or its name, without internal details', async () => {
    const passing = { name: 'first', check: () => undefined };
    const degraded = { name: 'disk', check: () => 'The disk is full.' };
    expect(await checkReadiness([passing, degraded, passing])).toEqual(['The disk is full.']);
    const failingStore = failing('control store', new Error('connect ECONNREFUSED 192.0.2.1'));
    const own = failing('disk', new Refusal('UNAVAILABLE', 'The disk is full: free some space.'));
    await expect(checkReadiness([passing, failingStore, own])).rejects.toThrow(
      'The control store does not respond.',
    );
    await expect(checkReadiness([own, failingStore])).rejects.toThrow('The disk is full: free some space.');
  });
});
