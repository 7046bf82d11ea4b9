import { connect } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RouteServer } from '../testing/route-server.ts';
import { defineRoute } from './route.ts';

const echo = defineRoute({
  method: 'POST',
  path: '/echo',
  family: { name: 'echo', description: 'For this test.' },
  summary: 'Return the request body',
  access: 'public',
  body: Type.Object({ text: Type.String({ maxLength: 100, description: 'Anything.' }) }),
  replies: { 200: Type.Object({ text: Type.String({ maxLength: 100, description: 'The same.' }) }) },
}).handle(async ({ body }) => ({ status: 200, body }));

let server: RouteServer;
beforeAll(async () => {
  server = await RouteServer.start({
    routes: [echo],
    timeLimits: { headers: 150, request: 300, keepAlive: 300, silence: 500, unread: 500, perMebibyte: 500 },
  });
});
afterAll(() => server.stop());

/** Sends an incomplete request and waits until the server closes the connection. */
function stall(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(response));
  });
}

describe('a client that stalls', () => {
  test.each([
    ['while sending its headers', 'POST /echo HTTP/1.1\r\nHost: a\r\nX-Slow'],
    [
      'while sending its body',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"te',
    ],
  ])('%s gets 408 and is disconnected', async (_, bytes) => {
    const response = await stall(bytes);
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(response).toContain('ratelimit-limit: 480');
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  test('does not delay the responses to other clients', async () => {
    const stalled = stall('POST /echo HTTP/1.1\r\nHost: a\r\n');
    const other = await fetch(`${server.url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"hello"}',
    });
    expect(await other.json()).toEqual({ text: 'hello' });
    await stalled;
  });
});
