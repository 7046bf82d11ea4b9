import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

describe('POST telemetry/OtelMetrics', () => {
  test('accepts any report and returns 204', async () => {
    const token = await service.token();
    const request = (body: string, type: string) =>
      service.request('POST', '/api/v2/telemetry/OtelMetrics?dataset=cli', {
        token,
        body,
        headers: { 'content-type': type },
      });
    for (const [body, type] of [
      ['{"command":"version"}', 'application/json'],
      ['{"broken', 'application/json'],
      ['anything', 'text/plain'],
    ] as const) {
      const response = await request(body, type);
      expect([response.status, response.text]).toEqual([204, '']);
    }
  });
});
