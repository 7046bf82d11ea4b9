import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selfMadeTls } from '../platform/tls.ts';
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

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
const problems = () => service.logLines.filter((line) => /"level":"(?:error|fatal)"/.test(line));

describe('a method that no path takes', () => {
  const methods = ['QUERY', 'PROPFIND', 'FOO', 'TRACE', 'OPTIONS', 'M-SEARCH', 'PURGE', 'get', 'CONNECT'];

  test.each(methods)('%s is 405 in the form of every refusal, wherever it is sent', async (method) => {
    const known = await request(
      `${method} ${method === 'CONNECT' ? 'a.example:443' : '/api/v2/UserProfile'}`,
    );
    expect(known.status).toBe(405);
    expect(known.body.code).toBe('METHOD_NOT_ALLOWED');
    expect(known.body.message).toContain(`${method} is not allowed here: use `);
    expect(known.headers).toMatchObject(everywhere);
    expect(known.headers['x-request-id']).toBe(known.body.requestId);
    expect(known.headers['ratelimit-limit']).toBe('40');
    const unknown = await request(`${method} ${method === 'CONNECT' ? '*' : '/nowhere'}`);
    expect([unknown.status, unknown.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, PATCH, POST, PUT']);
    if (method !== 'CONNECT') expect(known.headers.allow).toBe('GET, HEAD');
    expect(problems()).toEqual([]);
  });

  test('is 405 behind requests on the same connection that were understood', async () => {
    const text = await rawExchange(
      port,
      'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nFOO /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405']);
  });

  test.each(['FOO /nowhere', 'QUERY /nowhere', 'CONNECT a.example:443'])(
    '%s passes the limiter',
    async (line) => {
      let last = await request(line);
      for (let count = 0; count < 45 && last.status !== 429; count++) last = await request(line);
      expect([last.status, last.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(last.headers).toMatchObject({ ...everywhere, 'ratelimit-remaining': '0' });
      service.clock.advance(3_700_000);
    },
  );
});

describe('a body to a path that does not exist', () => {
  const broken = (line: string) =>
    request(line, 'Content-Type: application/json\r\nContent-Length: 2\r\n', '{x');

  test('is not read, and the request passes the limiter', async () => {
    const first = await broken('POST /nowhere');
    expect([first.status, first.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(first.headers).toMatchObject({ ...everywhere, 'ratelimit-limit': '40' });
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
  ])('%s is refused, and the connection closed', async (_, text, words) => {
    const answer = await rawRequest(port, text);
    expect([answer.status, answer.body.code]).toEqual([400, 'MALFORMED_REQUEST']);
    expect(answer.body.message).toContain(words);
    expect(answer.headers).toMatchObject({ ...everywhere, connection: 'close' });
  });

  test('may be missing in HTTP/1.0', async () => {
    expect((await rawRequest(port, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

describe('what is not plain HTTP/1.1', () => {
  test('an upgrade is answered as if it were not asked for', async () => {
    const answer = await request('GET /healthz', 'Upgrade: websocket\r\nConnection: upgrade\r\n');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
  });

  test('an expectation that nobody knows is ignored', async () => {
    const answer = await request('GET /healthz', 'Expect: the-unexpected\r\n');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject(everywhere);
  });

  test.each([
    ['no HTTP at all', 'NONSENSE\r\n\r\n', 400],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['headers without end', `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s gets the same headers as every answer, and passes the limiter', async (_, text, status) => {
    const first = await rawRequest(port, text);
    expect(first.status).toBe(status);
    expect(first.headers).toMatchObject({ ...everywhere, 'x-request-id': first.body.requestId });
    let last = first;
    for (let count = 0; count < 45 && last.status !== 429; count++) last = await rawRequest(port, text);
    expect(last.body.code).toBe('RATE_LIMITED');
    service.clock.advance(3_700_000);
  });
});

describe('Strict-Transport-Security', () => {
  const places: [string, Partial<Parameters<typeof RouteServer.start>[0]>, string | undefined][] = [
    ['TLS of its own', {}, 'max-age=31536000'],
    ['a public address with TLS', { publicUrl: new URL('https://vedette.example') }, 'max-age=31536000'],
    ['no TLS', { publicUrl: new URL('http://vedette.example') }, undefined],
  ];

  test.each(places)('with %s: %j', async (kind, parts, expected) => {
    const directory = mkdtempSync(join(tmpdir(), 'vedette-edge-'));
    const isOwn = kind === 'TLS of its own';
    const tls = isOwn ? await selfMadeTls(directory, [], Date.now()) : undefined;
    const server = await RouteServer.start({ routes: [], ...parts, tls });
    for (const text of [
      'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      'NONSENSE\r\n\r\n',
    ]) {
      const answer = await rawRequest(server.port, text, isOwn);
      expect(answer.headers['strict-transport-security'], text).toBe(expected);
      expect(answer.headers).toMatchObject(everywhere);
    }
    await server.stop();
    rmSync(directory, { recursive: true });
  });
});
