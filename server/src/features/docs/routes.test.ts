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

  test.each(['/api/v2/docs', '/api/v2/docs/reference.js', '/api/v2/openapi.json'])(
    'sends %s compressed where that is accepted, and not at all to a client that has it',
    async (path) => {
      const plain = await service.ask('GET', path, { headers: { 'accept-encoding': 'identity' } });
      const packed = await service.ask('GET', path, { headers: { 'accept-encoding': 'gzip' } });
      expect(packed.text).toBe(plain.text);
      expect([plain, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
      expect(Number(packed.headers.get('content-length'))).toBeLessThan(
        Number(plain.headers.get('content-length')),
      );
      for (const { headers } of [plain, packed]) {
        expect(headers.get('vary')).toBe('accept-encoding');
        const again = await service.ask('GET', path, {
          headers: {
            'accept-encoding': headers.get('content-encoding') ?? 'identity',
            'if-none-match': headers.get('etag') as string,
          },
        });
        expect([again.status, again.text]).toEqual([304, '']);
        for (const name of ['etag', 'vary', 'cache-control', 'x-content-type-options'])
          expect(again.headers.get(name), name).toBe(headers.get(name));
      }
      const head = await service.ask('HEAD', path, { headers: { 'accept-encoding': 'gzip' } });
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([
        200,
        '',
        packed.headers.get('etag'),
      ]);
    },
  );

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
