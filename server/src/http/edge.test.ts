import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selfSignedTls } from '../platform/tls.ts';
import { rawExchange, rawRequest } from '../testing/raw-request.ts';
import { RouteServer } from '../testing/route-server.ts';
import { TestService } from '../testing/service.ts';

let service: TestService;
let port: number;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: '40' });
  port = Number(new URL(service.url).port);
});
afterAll(() => service.stop());

const request = (line: string, headers = '', body = '') =>
  rawRequest(port, `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n${body}`);

const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
const loggedErrors = () => service.logLines.filter((line) => /"level":"(?:error|fatal)"/.test(line));

describe('a method that no path supports', () => {
  const methods = ['QUERY', 'PROPFIND', 'FOO', 'TRACE', 'OPTIONS', 'M-SEARCH', 'PURGE', 'get', 'CONNECT'];

  test.each(methods)('%s gets 405 in the common error format, on every path', async (method) => {
    const known = await request(
      `${method} ${method === 'CONNECT' ? 'a.example:443' : '/api/v2/UserProfile'}`,
    );
    expect(known.status).toBe(405);
    expect(known.body.code).toBe('METHOD_NOT_ALLOWED');
    expect(known.body.message).toContain(`${method} is not allowed here: use `);
    expect(known.headers).toMatchObject(commonHeaders);
    expect(known.headers['x-request-id']).toBe(known.body.requestId);
    expect(known.headers['ratelimit-limit']).toBe('40');
    const unknown = await request(`${method} ${method === 'CONNECT' ? '*' : '/nowhere'}`);
    expect([unknown.status, unknown.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, PATCH, POST, PUT']);
    if (method !== 'CONNECT') expect(known.headers.allow).toBe('GET, HEAD');
    expect(loggedErrors()).toEqual([]);
  });

  test('gets 405 after valid requests on the same connection', async () => {
    const responses = await rawExchange(
      port,
      'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nFOO /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405']);
  });

  test.each(['FOO /nowhere', 'QUERY /nowhere', 'CONNECT a.example:443'])(
    '%s counts against the rate limit',
    async (line) => {
      let last = await request(line);
      for (let count = 0; count < 45 && last.status !== 429; count++) last = await request(line);
      expect([last.status, last.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(last.headers).toMatchObject({ ...commonHeaders, 'ratelimit-remaining': '0' });
      service.clock.advance(3_700_000);
    },
  );
});

describe('a body to a path that does not exist', () => {
  const broken = (line: string) =>
    request(line, 'Content-Type: application/json\r\nContent-Length: 2\r\n', '{x');

  test('is not read, and the request counts against the rate limit', async () => {
    const first = await broken('POST /nowhere');
    expect([first.status, first.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(first.headers).toMatchObject({ ...commonHeaders, 'ratelimit-limit': '40' });
    expect((await broken('QUERY /nowhere')).status).toBe(405);
    expect((await broken('DELETE /api/v2/AuditLogs')).status).toBe(405);
    const wrongType = await request('POST /nowhere', 'Content-Type: nonsense\r\nContent-Length: 2\r\n', '{}');
    expect(wrongType.status).toBe(404);
    let last = first;
    for (let count = 0; count < 45 && last.status !== 429; count++) last = await broken('POST /nowhere');
    expect(last.body.code).toBe('RATE_LIMITED');
    service.clock.advance(3_700_000);
  });
});

describe('the Host header', () => {
  test.each([
    ['a second one', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 'The request has 2 Host headers'],
    [
      'the same one again',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n',
      'The request has 2 Host headers',
    ],
    ['none', 'GET /healthz HTTP/1.1\r\nX: y\r\n\r\n', 'The request has 0 Host headers'],
    [
      'a second one for an unknown path',
      'GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
      'The request has 2 Host',
    ],
  ])('%s is rejected, and the connection closed', async (_, bytes, fragment) => {
    const response = await rawRequest(port, bytes);
    expect([response.status, response.body.code]).toEqual([400, 'MALFORMED_REQUEST']);
    expect(response.body.message).toContain(fragment);
    expect(response.headers).toMatchObject({ ...commonHeaders, connection: 'close' });
  });

  test('may be missing in HTTP/1.0', async () => {
    expect((await rawRequest(port, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

describe('requests other than plain HTTP/1.1', () => {
  test('an Upgrade header is ignored', async () => {
    const response = await request('GET /healthz', 'Upgrade: websocket\r\nConnection: upgrade\r\n');
    expect([response.status, response.body]).toEqual([200, { status: 'ok' }]);
  });

  test('an unknown Expect header is ignored', async () => {
    const response = await request('GET /healthz', 'Expect: the-unexpected\r\n');
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject(commonHeaders);
  });

  test.each([
    ['a request line that is not HTTP', 'NONSENSE\r\n\r\n', 400],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    [
      'headers that are too large',
      `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
  ])(
    '%s: the response has the common headers, and the request counts against the rate limit',
    async (_, bytes, status) => {
      const first = await rawRequest(port, bytes);
      expect(first.status).toBe(status);
      expect(first.headers).toMatchObject({ ...commonHeaders, 'x-request-id': first.body.requestId });
      let last = first;
      for (let count = 0; count < 45 && last.status !== 429; count++) last = await rawRequest(port, bytes);
      expect(last.body.code).toBe('RATE_LIMITED');
      service.clock.advance(3_700_000);
    },
  );
});

describe('Strict-Transport-Security', () => {
  const deployments: [string, Partial<Parameters<typeof RouteServer.start>[0]>, string | undefined][] = [
    ['TLS of the service', {}, 'max-age=31536000'],
    ['a public https URL', { publicUrl: new URL('https://vedette.example') }, 'max-age=31536000'],
    ['no TLS', { publicUrl: new URL('http://vedette.example') }, undefined],
  ];

  test.each(deployments)('with %s: %j', async (kind, options, expected) => {
    const directory = mkdtempSync(join(tmpdir(), 'vedette-edge-'));
    const isTls = kind === 'TLS of the service';
    const tls = isTls ? await selfSignedTls(directory, [], Date.now()) : undefined;
    const server = await RouteServer.start({ routes: [], ...options, tls });
    for (const bytes of [
      'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      'NONSENSE\r\n\r\n',
    ]) {
      const response = await rawRequest(server.port, bytes, isTls);
      expect(response.headers['strict-transport-security'], bytes).toBe(expected);
      expect(response.headers).toMatchObject(commonHeaders);
    }
    await server.stop();
    rmSync(directory, { recursive: true });
  });
});
