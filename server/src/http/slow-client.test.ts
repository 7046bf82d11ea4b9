import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { Callers } from '../identity/callers.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { Gate } from './gate.ts';
import { HttpMetrics } from './metrics.ts';
import { MemoryLimiter } from './rate/limiter.ts';
import { defineRoute } from './route.ts';
import { createServer } from './server.ts';

const echo = defineRoute({
  method: 'POST',
  path: '/echo',
  family: { name: 'echo', description: 'For this test.' },
  summary: 'Answer with what was sent',
  access: 'public',
  body: Type.Object({ text: Type.String({ maxLength: 100, description: 'Anything.' }) }),
  replies: { 200: Type.Object({ text: Type.String({ maxLength: 100, description: 'The same.' }) }) },
}).handle(async ({ body }) => ({ status: 200, body }));

let place: TestPlace;
let store: ControlStore;
let app: FastifyInstance;

beforeAll(async () => {
  const clock = new ManualClock();
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
  app = createServer({
    routes: [echo],
    gate: new Gate(
      new Callers(store, clock),
      { scopeOf: async () => undefined },
      new MemoryLimiter(clock),
      480,
    ),
    log: createLog('silent'),
    metrics: new HttpMetrics(),
    publicUrl: undefined,
    trustedProxies: [],
    tls: undefined,
    timeLimits: { headers: 150, request: 300, keepAlive: 300, silence: 500 },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await store.close();
  await place.remove();
});

/** Sends the text, then nothing more, and waits until the server has had enough. */
function stall(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text));
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
    expect(answer).toContain('RateLimit-Limit: 480');
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  test('does not keep others from being answered', async () => {
    const stalled = stall('POST /echo HTTP/1.1\r\nHost: a\r\n');
    const { port } = app.server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"hello"}',
    });
    expect(await response.json()).toEqual({ text: 'hello' });
    await stalled;
  });
});
