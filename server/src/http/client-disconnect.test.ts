import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RouteServer } from '../testing/route-server.ts';
import { defineRoute } from './route.ts';

const family = { name: 'patience', description: 'For this test.' };
const replies = { 200: Type.Object({ text: Type.String({ maxLength: 100, description: 'The same.' }) }) };
const body = Type.Object({ text: Type.String({ maxLength: 100, description: 'Anything.' }) });

/** Signals of the requests that are being handled; a test waits until its own is there. */
const signals: AbortSignal[] = [];
let arrived = () => {};

/** Answers only when it is asked for `at once`; otherwise works until nobody waits for it any more. */
const patient = defineRoute({
  method: 'POST',
  path: '/patient',
  family,
  summary: 'Take long',
  access: 'public',
  cancellable: true,
  body,
  replies,
}).handle(({ body, signal }) => {
  signals.push(signal);
  arrived();
  if (body.text === 'at once') return Promise.resolve({ status: 200, body });
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
});
const plain = defineRoute({
  method: 'POST',
  path: '/plain',
  family,
  summary: 'Answer with what was sent',
  access: 'public',
  body,
  replies,
}).handle(async ({ body, signal }) => ({ status: 200, body: { text: `${body.text} ${signal}` } }));

let server: RouteServer;
beforeAll(async () => {
  server = await RouteServer.start({ routes: [patient, plain] });
});
afterAll(() => server.stop());

async function opened(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}
const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const message = (path: string, text: string) => {
  const body = JSON.stringify({ text });
  return head(path, body.length) + body;
};
const nextHandled = () =>
  new Promise<AbortSignal>((resolve) => {
    arrived = () => resolve(signals.at(-1) as AbortSignal);
  });
/** What a route answered so far, by its counters. */
const answered = async (route: string) =>
  (await server.metrics.text())
    .split('\n')
    .filter((line) => line.startsWith('vedette_http_requests_total') && line.includes(`route="${route}"`))
    .map((line) => /status.*/.exec(line)?.[0]);

describe('a client that leaves before its answer', () => {
  test('stops what is done for it, and is no failure in counters and log', async () => {
    const handled = nextHandled();
    const socket = await opened();
    socket.write(message('/patient', 'long'));
    const signal = await handled;
    expect(signal.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => answered('/patient')).toEqual(['status="499"} 1']);
    expect([signal.aborted, signal.reason.name]).toEqual([true, 'ClientDisconnected']);
    expect(server.logLines.join()).not.toMatch(/request failed|\.js:/);
  });

  test('in the middle of its body is no failure either', async () => {
    const socket = await opened();
    socket.write(`${head('/plain', 50)}{"te`);
    await once(server.app.server, 'request');
    socket.destroy();
    await expect.poll(() => answered('/plain')).toEqual(['status="499"} 1']);
    expect(server.logLines.join()).not.toMatch(/request failed|\.js:/);
  });
});

test('a client that got its answer did not leave, however many it asks for', async () => {
  const connected = once(server.app.server, 'connection');
  const socket = await opened();
  const [serverSide] = await connected;
  for (let round = 0; round < 2; round++) {
    const handled = nextHandled();
    socket.write(message('/patient', 'at once'));
    await once(socket, 'data');
    expect((await handled).aborted).toBe(false);
  }
  const closed = once(serverSide, 'close');
  socket.destroy();
  await closed;
  expect(signals.slice(-2).map(({ aborted }) => aborted)).toEqual([false, false]);
});

test('operations that do not ask for the signal have none', async () => {
  const reply = await fetch(`${server.url}/plain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text":"signal:"}',
  });
  expect(await reply.json()).toEqual({ text: 'signal: undefined' });
});
