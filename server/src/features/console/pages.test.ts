import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../../testing/raw-request.ts';
import { RouteServer } from '../../testing/route-server.ts';
import { ConsolePages } from './pages.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const script = `console.log("${'built '.repeat(200)}");`;
const page = `<meta property="csp-nonce" nonce="{{nonce}}" /><meta content="{{base}}" />
<script src="./assets/index-abc.js"></script>`;

let folder: string;
const servers: RouteServer[] = [];

async function serve(built: string, base = ''): Promise<RouteServer> {
  const server = await RouteServer.start({ routes: [], pages: new ConsolePages(built, base) });
  servers.push(server);
  return server;
}

let server: RouteServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'secret.txt'), 'not to be served');
  const assets = {
    'index-abc.js': script,
    'index-abc.js.gz': gzipSync(script),
    'index-abc.js.br': brotliCompressSync(script),
    'inter-abc.woff2': 'font',
  };
  for (const [name, content] of Object.entries(assets)) writeFileSync(join(folder, 'assets', name), content);
  server = await serve(folder);
});
afterAll(async () => {
  for (const each of servers) await each.stop();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET', from = server) =>
  fetch(from.url + path, { method, headers, redirect: 'manual' });

describe('the page', () => {
  test.each(['/', '/local/alerts', '/local/alerts/17?scope=x', '/welcome', '/apis', '/metrics-of-mine'])(
    'is the response of %s to a browser',
    async (path) => {
      const response = await get(path, { accept: browser });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(await response.text()).toContain('<script src="/assets/index-abc.js">');
    },
  );

  test('has a policy that allows its own origin only, and a nonce that no other response has', async () => {
    const nonces = new Set<string>();
    for (let count = 0; count < 3; count++) {
      const response = await get('/', { accept: browser });
      const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] as string;
      nonces.add(nonce);
      expect(nonce.length).toBeGreaterThanOrEqual(24);
      expect(response.headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
          "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types 'none'",
      );
    }
    expect(nonces.size).toBe(3);
  });

  test('is not stored, not sniffed, sends no referrer and shares no browsing context', async () => {
    const { headers } = await get('/', { accept: browser });
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      vary: 'accept',
    });
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('etag')).toBeNull();
  });

  test('has the length of the body in the response to HEAD, which has no body', async () => {
    const whole = await get('/', { accept: browser });
    const head = await get('/', { accept: browser }, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String((await whole.text()).length));
  });

  test.each(['*/*', 'application/json', 'text/html;q=0, */*'])(
    'is not sent to a program with Accept: %s',
    async (accept) => {
      for (const path of ['/', '/local/alerts']) {
        const response = await get(path, { accept });
        expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
          404,
          'NOT_FOUND',
        ]);
      }
    },
  );

  test.each([
    ...['/api', '/api/v2/Nothing', '/ingest/v1/x', '/healthz/x', '/readyz/x', '/metrics/x'],
    ...['/session', '/session/x', '/assets', '/assets/gone-abc.js'],
  ])('is not the response of %s, even to a browser', async (path) => {
    const response = await get(path, { accept: browser });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.status).toBe(404);
  });

  test('is not the response to other methods', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await get('/', { accept: browser }, method)).status, method).toBe(404);
  });

  test('is refused like every request with two Host headers', async () => {
    const message = 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nAccept: text/html\r\n\r\n';
    const { status, body } = await rawRequest(server.port, message);
    expect([status, body.code]).toEqual([400, 'MALFORMED_REQUEST']);
  });

  test('and its files do not use up the rate limit of an address', async () => {
    for (let count = 0; count < 500; count++) await (await get('/', { accept: browser })).arrayBuffer();
    expect((await get('/api/v2/Nothing')).status).toBe(404);
    expect(await server.metrics.text()).toMatch(/route="console",status="200"} \d{3}/);
  });
});

describe('a built file', () => {
  test.each([
    ['identity', null, script.length],
    ['gzip', 'gzip', gzipSync(script).length],
    ['gzip, deflate, br', 'br', brotliCompressSync(script).length],
  ])('is sent with Accept-Encoding: %s in the encoding %s', async (accepted, encoding, length) => {
    const response = await get('/assets/index-abc.js', { 'accept-encoding': accepted });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, encoding]);
    expect(await response.text()).toBe(script);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    const etag = response.headers.get('etag') as string;
    const again = await get('/assets/index-abc.js', { 'accept-encoding': accepted, 'if-none-match': etag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    const head = await get('/assets/index-abc.js', { 'accept-encoding': accepted }, 'HEAD');
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(length),
    ]);
  });

  test('that is a font is sent as it is', async () => {
    const { headers, status } = await get('/assets/inter-abc.woff2', { 'accept-encoding': 'gzip' });
    expect([status, headers.get('content-type'), headers.get('content-encoding')]).toEqual([
      ...[200, 'font/woff2', null],
    ]);
  });

  test.each([
    ...[
      '/assets/../secret.txt',
      '/assets/%2e%2e/secret.txt',
      '/assets/..%2fsecret.txt',
      '/assets/..%5csecret.txt',
    ],
    ...['/secret.txt', '/index.html', '//secret.txt', '/assets/index-abc.js.gz', '/assets/__proto__'],
  ])('outside of the table is not served: %s', async (path) => {
    for (const accept of [browser, '*/*']) {
      const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: ${accept}\r\n\r\n`;
      const { text, status } = await rawRequest(server.port, head);
      expect(text).not.toContain('not to be served');
      if (path.startsWith('/assets') || accept === '*/*') expect(status).toBe(404);
    }
  });
});

test('behind a proxy, links start with the path of the public address', async () => {
  const proxied = await serve(folder, '/security');
  const text = await (await get('/local/alerts', { accept: browser }, 'GET', proxied)).text();
  expect(text).toContain('<script src="/security/assets/index-abc.js">');
  expect(text).toContain('<meta content="/security" />');
});

test('without a build, the page says how to build it and links to the reference', async () => {
  const unbuilt = await serve(join(folder, 'nothing'), '');
  const response = await get('/', { accept: browser }, 'GET', unbuilt);
  expect(response.status).toBe(503);
  const text = await response.text();
  expect(text).toContain('npm run build');
  expect(text).toContain('href="/api/v2/docs"');
  expect((await get('/assets/index-abc.js', {}, 'GET', unbuilt)).status).toBe(404);
});
