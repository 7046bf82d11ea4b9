import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { Callers } from '../identity/callers.ts';
import { Refusal } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { Gate } from './gate.ts';
import { HttpMetrics } from './metrics.ts';
import { MemoryLimiter } from './rate/limiter.ts';
import { defineRoute } from './route.ts';
import { createServer } from './server.ts';

const take = defineRoute({
  method: 'POST',
  path: '/take',
  family: { name: 'Take', description: 'Takes records.' },
  summary: 'Take records',
  access: 'agent',
  body: 'records',
  replies: { 200: Type.Object({ scope: Type.String(), form: Type.String(), text: Type.String() }) },
}).handle(async ({ scope, body: { form, text } }) => {
  if (text === 'busy') throw new Refusal('UNAVAILABLE', 'Later.');
  return { status: 200, body: { scope: scope.name, form, text } };
});

let place: TestPlace;
let store: ControlStore;
let app: FastifyInstance;
beforeAll(async () => {
  const clock = new ManualClock();
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
  const agents = {
    scopeOf: async (token: string) =>
      token === 'good' ? { ownerId: 'id', name: 'acme', isOrganization: false } : undefined,
  };
  app = createServer({
    routes: [take],
    gate: new Gate(new Callers(store, clock), agents, new MemoryLimiter(clock), 480),
    log: createLog('silent'),
    metrics: new HttpMetrics(),
    publicUrl: undefined,
    trustedProxies: [],
    tls: undefined,
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await store.close();
  await place.remove();
});

const send = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/take',
    payload,
    headers: { authorization: 'Bearer good', 'content-type': 'application/x-ndjson', ...headers },
  });

test('reaches the route as text, unpacked, with the account of the agent', async () => {
  expect((await send('{"é":1}\n')).json()).toEqual({ scope: 'acme', form: 'lines', text: '{"é":1}\n' });
  const packed = await send(gzipSync('[1]'), {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  });
  expect(packed.json()).toEqual({ scope: 'acme', form: 'array', text: '[1]' });
});

test('is not even read for an agent that is not known', async () => {
  const refused = await send('x'.repeat(1_000), { authorization: 'bad', 'content-encoding': 'br' });
  expect([refused.statusCode, refused.json().code]).toEqual([401, 'UNAUTHENTICATED']);
});

test('is to come again a little later when there is no room', async () => {
  const refused = await send('busy');
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().message]).toEqual([
    503,
    '5',
    'Later.',
  ]);
});
