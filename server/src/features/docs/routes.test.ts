import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

describe('the reference', () => {
  test('is a page that needs no login and loads nothing from elsewhere', async () => {
    const { status, headers, text } = await service.ask('GET', '/api/v2/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/html');
    const sources = [...text.matchAll(/(?:src|href|data-url)="([^"]+)"/g)].map((match) => match[1] as string);
    expect(sources.length).toBeGreaterThan(1);
    for (const source of sources) expect((await service.ask('GET', source)).status, source).toBe(200);
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'");
    expect(headers.get('content-security-policy')).not.toMatch(/https?:|unsafe-eval/);
  });

  test('describes every operation that the server answers', async () => {
    const { body } = await service.ask('GET', '/api/v2/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(
      service.routes.map(({ declaration: { method, path } }) => `${method} ${path}`).sort(),
    );
  });
});
