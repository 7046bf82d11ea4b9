import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start();
  token = await service.token();
});
afterAll(() => service.stop());

const search = '/api/v2/AuditLogs/search';

/** Sends bytes that no HTTP library would send. */
function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes));
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });
}

describe('every error response is JSON with a message that says how to fix the request', () => {
  test.each([
    ['GET', '/api/v2/Nothing', {}, 404, 'NOT_FOUND', '/api/v2/docs'],
    ['GET', '/', {}, 404, 'NOT_FOUND', '/api/v2/docs'],
    ['DELETE', '/api/v2/AuditLogs', {}, 405, 'METHOD_NOT_ALLOWED', 'GET'],
    ['PROPFIND', '/api/v2/AuditLogs', {}, 405, 'METHOD_NOT_ALLOWED', 'GET'],
    ['GET', '/api/v2/AuditLogs/search', {}, 405, 'METHOD_NOT_ALLOWED', 'POST'],
    ['POST', search, { body: '{"filters":' }, 400, 'MALFORMED_BODY', 'JSON'],
    [
      'POST',
      search,
      { body: '<x/>', headers: { 'content-type': 'text/xml' } },
      400,
      'UNSUPPORTED_CONTENT',
      'application/json',
    ],
    [
      'POST',
      search,
      { body: 'a=1', headers: { 'content-type': 'nonsense' } },
      400,
      'UNSUPPORTED_CONTENT',
      'application/json',
    ],
    [
      'POST',
      search,
      { body: '{}', headers: { 'content-encoding': 'gzip' } },
      400,
      'UNSUPPORTED_CONTENT',
      'gzip',
    ],
    ['POST', search, { body: `"${'x'.repeat(1_048_577)}"` }, 400, 'BODY_TOO_LARGE', '1048576'],
    ['POST', search, { body: '{"__proto__":{"x":1}}' }, 400, 'MALFORMED_BODY', 'JSON'],
    ['POST', search, { body: '{"returns":["a\\u0000"]}' }, 400, 'INVALID_INPUT', '\\u0000'],
    ['POST', search, { body: { filters: 'all' } }, 400, 'INVALID_INPUT', 'filters must be an array'],
    [
      'POST',
      search,
      { body: { filters: [{ expression: 'eq' }] } },
      400,
      'INVALID_INPUT',
      'filters[0].field is required',
    ],
    ['GET', '/api/v2/AuditLogs?startTime=yesterday', {}, 400, 'INVALID_INPUT', 'startTime'],
    [
      'GET',
      '/api/v2/AuditLogs?startTime=2026-03-01&startTime=2026-03-02',
      {},
      400,
      'INVALID_INPUT',
      'startTime',
    ],
    ['GET', '/api/v2/schemas/%zz', {}, 400, 'MALFORMED_REQUEST', 'percent-encode'],
    ['GET', '/api/v2/schemas/a%00b', {}, 400, 'MALFORMED_REQUEST', '%00'],
    ['GET', '/api/v2/schemas/Nothing', {}, 404, 'NOT_FOUND', 'Nothing'],
    [
      'GET',
      '/api/v2/AuditLogs',
      { headers: { 'org-access': 'perhaps' } },
      400,
      'INVALID_INPUT',
      'Org-Access',
    ],
  ])('%s %s %j is %d %s', async (method, path, request, status, code, fragment) => {
    const response = await service.request(method, path, { token, ...request });
    expect(response.status).toBe(status);
    expect(response.body.code).toBe(code);
    expect(response.body.message).toContain(fragment);
    const { problems, ...rest } = response.body;
    expect(Object.keys(rest).sort()).toEqual(['code', 'message', 'requestId']);
    if (problems) expect(problems[0]).toEqual({ field: expect.any(String), message: rest.message });
    expect(response.headers.get('x-request-id')).toBe(response.body.requestId);
    expect(response.headers.get('ratelimit-limit')).toBe('480');
  });

  test('also for an identifier of the maximum request length, which is never logged', async () => {
    for (const length of [4_000, 5_000, 15_000]) {
      const response = await service.request('GET', `/api/v2/schemas/${'x'.repeat(length)}`, { token });
      expect([length, response.status, response.body.message]).toEqual([
        length,
        400,
        `type must have at most 100 characters, not ${length}.`,
      ]);
    }
    expect(service.logLines.join()).not.toContain('xxxx');
  });

  test('405 names the methods in Allow', async () => {
    const response = await service.request('PATCH', '/api/v2/AuditLogs', { token });
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect((await service.request('GET', '/api/v2/access/tokens')).headers.get('allow')).toBe('POST');
  });

  test('also for a request that is not HTTP, with rate-limit headers', async () => {
    const response = await sendRaw('NONSENSE\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(response).toContain('ratelimit-remaining: ');
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'MALFORMED_REQUEST' });
  });

  test('also for headers that are too large', async () => {
    const response = await sendRaw(`GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'HEADERS_TOO_LARGE' });
  });

  test('an internal error shows no stack, SQL or path, and its cause is logged with the request id', async () => {
    const broken = await TestService.start();
    const brokenToken = await broken.token();
    await broken.store.housekeeping((tx) => tx.schema.dropTable('audit_log').execute());
    const response = await broken.request('GET', '/api/v2/AuditLogs', { token: brokenToken });
    expect([response.status, response.body.code]).toEqual([500, 'INTERNAL']);
    expect(response.text).not.toMatch(/audit_log|select|\.js|\//);
    const logEntry = broken.logLines.find(
      (entry) => entry.includes(response.body.requestId) && entry.includes('"error"'),
    );
    expect(logEntry).toContain('audit_log');
    await broken.stop();
  });
});

describe('requests of real clients', () => {
  test('a JSON content type with an empty body counts as no body', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await service.request('GET', '/api/v2/UserProfile', { token, headers })).status).toBe(200);
    const found = await service.request('POST', search, { token, headers });
    expect(found.status).toBe(200);
    expect(found.body.data.length).toBeGreaterThan(0);
  });

  test('a search may have neither body nor content type', async () => {
    expect((await service.request('POST', search, { token })).status).toBe(200);
  });

  test('unknown members, parameters and headers are ignored', async () => {
    const body = { timeFilters: { starTime: 'x' }, extra: { deep: [1] } };
    const headers = { Method: 'POST', Accept: 'application/pdf' };
    expect((await service.request('POST', `${search}?anything`, { token, body, headers })).status).toBe(200);
    expect((await service.request('GET', '/api/v2/UserProfile?bare&x=1', { token })).status).toBe(200);
  });

  test('an escaped backslash before u0000 is not a NUL character', async () => {
    const body = '{"filters":[{"field":"userName","expression":"eq","value":"\\\\u0000"}]}';
    expect((await service.request('POST', search, { token, body })).body.data).toEqual([]);
  });

  test('HEAD and a trailing slash are supported', async () => {
    const head = await service.request('HEAD', '/api/v2/UserProfile', { token });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await service.request('GET', '/api/v2/UserProfile/', { token })).status).toBe(200);
  });
});
