import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../platform/errors.ts';
import { RouteServer } from '../testing/route-server.ts';
import { JsonChunks } from './reply.ts';
import { defineRoute } from './route.ts';

/** Progress of the response: the chunks produced, and whether the generator has returned. */
const produced = { chunks: 0, ended: false };
const megabyte = Buffer.from(`"${'x'.repeat(1_000_000)}"`);

/** Aborts a response that waits for its client. */
let failure = new AbortController();

async function* recordsOf(kind: string): AsyncGenerator<Uint8Array> {
  Object.assign(produced, { chunks: 0, ended: false });
  try {
    if (kind === 'rejected') throw new Refusal('UNAVAILABLE', 'Too many rows: narrow the search.');
    if (kind === 'empty') return;
    yield Buffer.from('{"a":1}');
    if (kind === 'broken') throw new Refusal('UNAVAILABLE', 'The disk failed.');
    if (kind === 'failed') throw new Error('unexpected');
    const chunks = kind === 'endless' ? 1_000 : 40;
    for (; produced.chunks < chunks && !failure.signal.aborted; produced.chunks++)
      yield Buffer.concat([Buffer.from(','), megabyte]);
    failure.signal.throwIfAborted();
  } finally {
    produced.ended = true;
  }
}

const route = defineRoute({
  method: 'GET',
  path: '/stream/{kind}',
  family: { name: 'stream', description: 'For this test.' },
  summary: 'Stream records',
  access: 'public',
  params: Type.Object({ kind: Type.String({ maxLength: 20, description: 'How the stream ends.' }) }),
  replies: { 200: Type.Object({ data: Type.Array(Type.Unknown(), { description: 'Anything.' }) }) },
}).handle(async ({ params }) => ({
  status: 200,
  body: await JsonChunks.array(Object.assign(recordsOf(params.kind), { failed: failure.signal })),
}));

let server: RouteServer;
beforeAll(async () => {
  server = await RouteServer.start({ routes: [route] });
});
afterAll(() => server.stop());

/** Responses with a status, according to the route's counters. */
const responseCount = async (status: number) => {
  const lines = (await server.metrics.text()).split('\n');
  const line = lines.find(
    (entry) => entry.includes('requests_total') && entry.includes(`status="${status}"`),
  );
  return Number(line?.split(' ').at(-1) ?? 0);
};
/** Log entries of a failed stream: an internal error, or the reason of a refusal. */
const logged = (kind: string) =>
  server.logLines.filter((line) =>
    line.includes(kind === 'failed' ? 'request failed' : '"reason":"The disk failed."'),
  );

describe('a streamed response', () => {
  test('is a single JSON document with the common headers', async () => {
    const before = await responseCount(200);
    const reply = await fetch(`${server.url}/stream/complete`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(reply.headers.get('ratelimit-limit')).toBe('480');
    expect(reply.headers.get('x-request-id')).toMatch(/./);
    const { data } = (await reply.json()) as { data: unknown[] };
    expect([data.length, data[0]]).toEqual([41, { a: 1 }]);
    expect(await (await fetch(`${server.url}/stream/empty`)).text()).toBe('{"data":[]}');
    await expect.poll(() => responseCount(200)).toBe(before + 2);
    expect(produced.ended).toBe(true);
  });

  test('that fails before its first chunk becomes an ordinary error response', async () => {
    const reply = await fetch(`${server.url}/stream/rejected`);
    expect([reply.status, await reply.json()]).toMatchObject([
      503,
      { message: 'Too many rows: narrow the search.' },
    ]);
  });

  test.each(['broken', 'failed'])('that is %s after its first chunk closes the connection', async (kind) => {
    const [before, loggedBefore] = [await responseCount(kind === 'broken' ? 503 : 500), logged(kind).length];
    const reply = await fetch(`${server.url}/stream/${kind}`);
    expect(reply.status).toBe(200);
    await expect(reply.text()).rejects.toThrow('terminated');
    await expect.poll(() => responseCount(kind === 'broken' ? 503 : 500)).toBe(before + 1);
    expect(logged(kind)).toHaveLength(loggedBefore + 1);
    expect(produced.ended).toBe(true);
  });

  /** Requests an endless response and does not read it. */
  async function requestUnread(): Promise<IncomingMessage> {
    const sent = get(`${server.url}/stream/endless`).on('error', () => {});
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    reply.on('error', () => {}).pause();
    await expect.poll(() => produced.chunks).toBeGreaterThan(0);
    let previous = -1;
    // The kernel buffers a few megabytes for the client.
    await expect
      .poll(() => {
        const isPaused = produced.chunks === previous;
        previous = produced.chunks;
        return isPaused;
      })
      .toBe(true);
    expect(produced.chunks).toBeLessThan(100);
    expect(produced.ended).toBe(false);
    return reply;
  }

  test('that fails while its client does not read ends immediately', async () => {
    const before = await responseCount(503);
    const reply = await requestUnread();
    failure.abort(new Refusal('UNAVAILABLE', 'The time limit is exceeded.'));
    await expect.poll(() => responseCount(503)).toBe(before + 1);
    failure = new AbortController();
    const ended = new Promise((resolve) => reply.once('close', resolve));
    reply.resume();
    await ended;
    expect(reply.complete).toBe(false);
  });

  test('is produced no faster than its client reads, and stops when the client disconnects', async () => {
    const [before, loggedBefore] = [await responseCount(499), logged('failed').length];
    const reply = await requestUnread();
    reply.destroy();
    await expect.poll(() => produced.ended).toBe(true);
    await expect.poll(() => responseCount(499)).toBe(before + 1);
    expect(logged('failed')).toHaveLength(loggedBefore);
  });
});
