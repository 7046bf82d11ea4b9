import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RouteServer } from '../testing/route-server.ts';
import { defineRoute } from './route.ts';

const family = { name: 'disconnect', description: 'For this test.' };
const replies = { 200: Type.Object({ text: Type.String({ maxLength: 100, description: 'The same.' }) }) };
const body = Type.Object({ text: Type.String({ maxLength: 100, description: 'Anything.' }) });

/** Abort signals of the handled requests; a test waits until its own is added. */
const signals: AbortSignal[] = [];
let onHandled = () => {};

/** Answers `immediate` requests; all others run until the client disconnects. */
const slow = defineRoute({
  method: 'POST',
  path: '/slow',
  family,
  summary: 'Wait for the client to disconnect',
  access: 'public',
  cancellable: true,
  body,
  replies,
}).handle(({ body, signal }) => {
  signals.push(signal);
  onHandled();
  if (body.text === 'immediate') return Promise.resolve({ status: 200, body });
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
});
const plain = defineRoute({
  method: 'POST',
  path: '/plain',
  family,
  summary: 'Return the request body',
  access: 'public',
  body,
  replies,
}).handle(async ({ body, signal }) => ({ status: 200, body: { text: `${body.text} ${signal}` } }));

let server: RouteServer;
beforeAll(async () => {
  server = await RouteServer.start({ routes: [slow, plain] });
});
afterAll(() => server.stop());

async function openSocket(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}
const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const post = (path: string, text: string) => {
  const body = JSON.stringify({ text });
  return head(path, body.length) + body;
};
const nextHandled = () =>
  new Promise<AbortSignal>((resolve) => {
    onHandled = () => resolve(signals.at(-1) as AbortSignal);
  });
/** Responses of a route by status, according to its counters. */
const responsesOf = async (route: string) =>
  (await server.metrics.text())
    .split('\n')
    .filter((line) => line.startsWith('vedette_http_requests_total') && line.includes(`route="${route}"`))
    .map((line) => /status.*/.exec(line)?.[0]);

describe('a client that disconnects before its response', () => {
  test('aborts its operation, and is not an error in metrics and log', async () => {
    const handled = nextHandled();
    const socket = await openSocket();
    socket.write(post('/slow', 'long'));
    const signal = await handled;
    expect(signal.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => responsesOf('/slow')).toEqual(['status="499"} 1']);
    expect([signal.aborted, signal.reason.name]).toEqual([true, 'ClientDisconnected']);
    expect(server.logLines.join()).not.toMatch(/request failed|\.js:/);
  });

  test('while sending its body is not an error either', async () => {
    const socket = await openSocket();
    socket.write(`${head('/plain', 50)}{"te`);
    await once(server.app.server, 'request');
    socket.destroy();
    await expect.poll(() => responsesOf('/plain')).toEqual(['status="499"} 1']);
    expect(server.logLines.join()).not.toMatch(/request failed|\.js:/);
  });
});

test('no signal is aborted when a client disconnects after its responses', async () => {
  const connected = once(server.app.server, 'connection');
  const socket = await openSocket();
  const [serverSide] = await connected;
  for (let round = 0; round < 2; round++) {
    const handled = nextHandled();
    socket.write(post('/slow', 'immediate'));
    await once(socket, 'data');
    expect((await handled).aborted).toBe(false);
  }
  const closed = once(serverSide, 'close');
  socket.destroy();
  await closed;
  expect(signals.slice(-2).map(({ aborted }) => aborted)).toEqual([false, false]);
});

test('operations that are not cancellable get no signal', async () => {
  const reply = await fetch(`${server.url}/plain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text":"signal:"}',
  });
  expect(await reply.json()).toEqual({ text: 'signal: undefined' });
});
