import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

describe('operations', () => {
  test('health, readiness and counters need no token and show no tenant', async () => {
    await service.ask('GET', '/api/v2/AuditLogs', {
      token: await service.token(),
      headers: { 'Account-Name': 'local' },
    });
    expect((await service.ask('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await service.ask('GET', '/readyz')).body).toEqual({ status: 'ok' });
    const { headers, text } = await service.ask('GET', '/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain(
      'vedette_http_requests_total{method="GET",route="/api/v2/AuditLogs",status="200"} 1',
    );
    expect(text).toContain('vedette_process_resident_memory_bytes');
    expect(text).not.toMatch(/admin@local|LOCAL_|127\.0\.0\.1/);
  });
});
