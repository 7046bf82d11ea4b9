import { connect } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RouteServer } from '../testing/route-server.ts';
import { defineRoute } from './route.ts';

const echo = defineRoute({
  method: 'POST',
  path: '/echo',
  family: { name: 'echo', description: 'For this test.' },
  summary: 'Answer with what was sent',
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

/** Sends the text, then nothing more, and waits until the server has had enough. */
function stall(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

describe('a client that is too slow', () => {
  test.each([
    ['in the middle of its headers', 'POST /echo HTTP/1.1\r\nHost: a\r\nX-Slow'],
    [
      'in the middle of its body',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"te',
    ],
  ])('%s is told so and sent away', async (_, text) => {
    const answer = await stall(text);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('ratelimit-limit: 480');
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  test('does not keep others from being answered', async () => {
    const stalled = stall('POST /echo HTTP/1.1\r\nHost: a\r\n');
    const response = await fetch(`${server.url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"hello"}',
    });
    expect(await response.json()).toEqual({ text: 'hello' });
    await stalled;
  });
});
