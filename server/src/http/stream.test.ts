import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../platform/errors.ts';
import { RouteServer } from '../testing/route-server.ts';
import { JsonChunks } from './reply.ts';
import { defineRoute } from './route.ts';

/** How far the answer is, and whether what makes it was told to end. */
const made = { chunks: 0, ended: false };
const megabyte = Buffer.from(`"${'x'.repeat(1_000_000)}"`);

/** Tells those that wait for their client that their end has come. */
let failure = new AbortController();

async function* answers(kind: string): AsyncGenerator<Uint8Array> {
  Object.assign(made, { chunks: 0, ended: false });
  try {
    if (kind === 'refused') throw new Refusal('UNAVAILABLE', 'Too much: ask for less.');
    if (kind === 'empty') return;
    yield Buffer.from('{"a":1}');
    if (kind === 'broken') throw new Refusal('UNAVAILABLE', 'The disk went away.');
    if (kind === 'failed') throw new Error('a mistake');
    const chunks = kind === 'endless' ? 1_000 : 40;
    for (; made.chunks < chunks && !failure.signal.aborted; made.chunks++)
      yield Buffer.concat([Buffer.from(','), megabyte]);
    failure.signal.throwIfAborted();
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
}).handle(async ({ params }) => ({
  status: 200,
  body: await JsonChunks.array(Object.assign(answers(params.kind), { failed: failure.signal })),
}));

let server: RouteServer;
beforeAll(async () => {
  server = await RouteServer.start({ routes: [route] });
});
afterAll(() => server.stop());

/** How often the route answered so, by its counters. */
const answered = async (status: number) => {
  const lines = (await server.metrics.text()).split('\n');
  const line = lines.find((one) => one.includes('requests_total') && one.includes(`status="${status}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
};
/** What is worth knowing is told once, as a failure or as what was said on purpose. */
const told = (kind: string) =>
  server.logLines.filter((line) =>
    line.includes(kind === 'failed' ? 'request failed' : '"reason":"The disk went away."'),
  );

describe('an answer in pieces', () => {
  test('is one JSON text, with the headers of every answer', async () => {
    const before = await answered(200);
    const reply = await fetch(`${server.url}/pieces/whole`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(reply.headers.get('ratelimit-limit')).toBe('480');
    expect(reply.headers.get('x-request-id')).toMatch(/./);
    const { data } = (await reply.json()) as { data: unknown[] };
    expect([data.length, data[0]]).toEqual([41, { a: 1 }]);
    expect(await (await fetch(`${server.url}/pieces/empty`)).text()).toBe('{"data":[]}');
    await expect.poll(() => answered(200)).toBe(before + 2);
    expect(made.ended).toBe(true);
  });

  test('that fails before its first piece is refused like any other', async () => {
    const reply = await fetch(`${server.url}/pieces/refused`);
    expect([reply.status, await reply.json()]).toMatchObject([503, { message: 'Too much: ask for less.' }]);
  });

  test.each(['broken', 'failed'])(
    'that is %s after its first piece ends with the connection',
    async (kind) => {
      const [before, logged] = [await answered(kind === 'broken' ? 503 : 500), told(kind).length];
      const reply = await fetch(`${server.url}/pieces/${kind}`);
      expect(reply.status).toBe(200);
      await expect(reply.text()).rejects.toThrow('terminated');
      await expect.poll(() => answered(kind === 'broken' ? 503 : 500)).toBe(before + 1);
      expect(told(kind)).toHaveLength(logged + 1);
      expect(made.ended).toBe(true);
    },
  );

  /** Asks for an answer, and does not read it. */
  async function stalled(): Promise<IncomingMessage> {
    const asked = get(`${server.url}/pieces/endless`).on('error', () => {});
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    reply.on('error', () => {}).pause();
    await expect.poll(() => made.chunks).toBeGreaterThan(0);
    let seen = -1;
    // What the kernel takes for the client is some megabytes.
    await expect
      .poll(() => {
        const stands = made.chunks === seen;
        seen = made.chunks;
        return stands;
      })
      .toBe(true);
    expect(made.chunks).toBeLessThan(100);
    expect(made.ended).toBe(false);
    return reply;
  }

  test('that fails while its client does not read ends at once', async () => {
    const before = await answered(503);
    const reply = await stalled();
    failure.abort(new Refusal('UNAVAILABLE', 'The time is over.'));
    await expect.poll(() => answered(503)).toBe(before + 1);
    failure = new AbortController();
    const ended = new Promise((resolve) => reply.once('close', resolve));
    reply.resume();
    await ended;
    expect(reply.complete).toBe(false);
  });

  test('is made no faster than its client reads, and not for one that left', async () => {
    const [before, logged] = [await answered(499), told('failed').length];
    const reply = await stalled();
    reply.destroy();
    await expect.poll(() => made.ended).toBe(true);
    await expect.poll(() => answered(499)).toBe(before + 1);
    expect(told('failed')).toHaveLength(logged);
  });
});
