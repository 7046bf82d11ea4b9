import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { Callers } from '../identity/callers.ts';
import { Refusal } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { Gate } from './gate.ts';
import { HttpMetrics } from './metrics.ts';
import { MemoryLimiter } from './rate/limiter.ts';
import { JsonPieces } from './reply.ts';
import { defineRoute } from './route.ts';
import { createServer } from './server.ts';

/** How far the answer is, and whether what makes it was told to end. */
const made = { pieces: 0, ended: false };
const megabyte = Buffer.from(`"${'x'.repeat(1_000_000)}"`);

async function* answers(kind: string): AsyncGenerator<Uint8Array> {
  Object.assign(made, { pieces: 0, ended: false });
  try {
    if (kind === 'refused') throw new Refusal('UNAVAILABLE', 'Too much: ask for less.');
    if (kind === 'empty') return;
    yield Buffer.from('{"a":1}');
    if (kind === 'broken') throw new Refusal('UNAVAILABLE', 'The disk went away.');
    if (kind === 'failed') throw new Error('a mistake');
    const pieces = kind === 'endless' ? 1_000 : 40;
    for (; made.pieces < pieces; made.pieces++) yield Buffer.concat([Buffer.from(','), megabyte]);
  } finally {
    made.ended = true;
  }
}

const route = defineRoute({
  method: 'GET',
  path: '/pieces/{kind}',
  family: { name: 'pieces', description: 'For this test.' },
  summary: 'Answer in pieces',
  access: 'public',
  params: Type.Object({ kind: Type.String({ maxLength: 20, description: 'What happens.' }) }),
  replies: { 200: Type.Object({ data: Type.Array(Type.Unknown(), { description: 'Anything.' }) }) },
}).handle(async ({ params }) => ({ status: 200, body: await JsonPieces.list(answers(params.kind)) }));

let place: TestPlace;
let store: ControlStore;
let app: FastifyInstance;
let url: string;
const metrics = new HttpMetrics();
const logLines: string[] = [];

beforeAll(async () => {
  const clock = new ManualClock();
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
  const agents = { scopeOf: async () => undefined };
  app = createServer({
    routes: [route],
    gate: new Gate(new Callers(store, clock), agents, new MemoryLimiter(clock), 480),
    log: createLog('trace', { write: (line: string) => void logLines.push(line) }),
    metrics,
    publicUrl: undefined,
    trustedProxies: [],
    tls: undefined,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/pieces`;
});
afterAll(async () => {
  await app.close();
  await store.close();
  await place.remove();
});

/** How often the route answered so, by its counters. */
const answered = async (status: number) => {
  const lines = (await metrics.text()).split('\n');
  const line = lines.find((one) => one.includes('requests_total') && one.includes(`status="${status}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
};
const failures = () => logLines.filter((line) => line.includes('request failed'));

describe('an answer in pieces', () => {
  test('is one JSON text, with the headers of every answer', async () => {
    const before = await answered(200);
    const reply = await fetch(`${url}/whole`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(reply.headers.get('ratelimit-limit')).toBe('480');
    expect(reply.headers.get('x-request-id')).toMatch(/./);
    const { data } = (await reply.json()) as { data: unknown[] };
    expect([data.length, data[0]]).toEqual([41, { a: 1 }]);
    expect(await (await fetch(`${url}/empty`)).text()).toBe('{"data":[]}');
    await expect.poll(() => answered(200)).toBe(before + 2);
    expect(made.ended).toBe(true);
  });

  test('that fails before its first piece is refused like any other', async () => {
    const reply = await fetch(`${url}/refused`);
    expect([reply.status, await reply.json()]).toMatchObject([503, { message: 'Too much: ask for less.' }]);
  });

  test.each(['broken', 'failed'])(
    'that is %s after its first piece ends with the connection',
    async (kind) => {
      const [before, logged] = [await answered(kind === 'broken' ? 503 : 500), failures().length];
      const reply = await fetch(`${url}/${kind}`);
      expect(reply.status).toBe(200);
      await expect(reply.text()).rejects.toThrow('terminated');
      await expect.poll(() => answered(kind === 'broken' ? 503 : 500)).toBe(before + 1);
      expect(failures()).toHaveLength(logged + 1);
      expect(made.ended).toBe(true);
    },
  );

  test('is made no faster than its client reads, and not for one that left', async () => {
    const [before, logged] = [await answered(499), failures().length];
    const asked = get(`${url}/endless`);
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    reply.pause();
    await expect.poll(() => made.pieces).toBeGreaterThan(0);
    let seen = -1;
    // What the kernel takes for the client is some megabytes.
    await expect
      .poll(() => {
        const stands = made.pieces === seen;
        seen = made.pieces;
        return stands;
      })
      .toBe(true);
    expect(made.pieces).toBeLessThan(100);
    expect(made.ended).toBe(false);
    asked.on('error', () => {});
    reply.on('error', () => {});
    reply.destroy();
    await expect.poll(() => made.ended).toBe(true);
    await expect.poll(() => answered(499)).toBe(before + 1);
    expect(failures()).toHaveLength(logged);
  });
});
