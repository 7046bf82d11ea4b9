import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../platform/errors.ts';
import { agentOf, RouteServer } from '../testing/route-server.ts';
import { maxInFlightBytes } from './bodies-in-flight.ts';
import { defineRoute } from './route.ts';

const ingest = defineRoute({
  method: 'POST',
  path: '/ingest',
  family: { name: 'Ingest', description: 'Receives records.' },
  summary: 'Receive records',
  access: 'agent',
  body: 'records',
  replies: { 200: Type.Object({ scope: Type.String(), form: Type.String(), text: Type.String() }) },
}).handle(async ({ scope, body: { form, text } }) => {
  if (text === 'busy') throw new Refusal('UNAVAILABLE', 'Later.');
  return { status: 200, body: { scope: scope.name, form, text } };
});

const agents = {
  accessOf: async (token: string) => (['good', 'other'].includes(token) ? agentOf(token, 'acme') : undefined),
};

let server: RouteServer;
beforeAll(async () => {
  server = await RouteServer.start({ routes: [ingest], agents });
});
afterAll(() => server.stop());

const send = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  server.app.inject({
    method: 'POST',
    url: '/ingest',
    payload,
    headers: { authorization: 'Bearer good', 'content-type': 'application/x-ndjson', ...headers },
  });

test('is passed to the route as a decompressed string, with the account of the agent', async () => {
  expect((await send('{"é":1}\n')).json()).toEqual({ scope: 'acme', form: 'lines', text: '{"é":1}\n' });
  const compressed = await send(gzipSync('[1]'), {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  });
  expect(compressed.json()).toEqual({ scope: 'acme', form: 'array', text: '[1]' });
});

test('is not read if the agent token is invalid', async () => {
  const rejected = await send('x'.repeat(1_000), { authorization: 'bad', 'content-encoding': 'br' });
  expect([rejected.statusCode, rejected.json().code]).toEqual([401, 'UNAUTHENTICATED']);
});

test('is rejected with 503 and Retry-After when there is no capacity', async () => {
  const rejected = await send('busy');
  expect([rejected.statusCode, rejected.headers['retry-after'], rejected.json().message]).toEqual([
    503,
    '5',
    'Later.',
  ]);
});

describe('concurrent bodies', () => {
  const large = 16 * 1024 * 1024;
  // A compressed response takes longer, and its request body is held meanwhile.
  const headers = {
    ...{ authorization: 'Bearer good', 'content-type': 'application/x-ndjson' },
    'accept-encoding': 'identity',
  };
  const open = (more: Record<string, string | number> = {}) =>
    request(`${server.url}/ingest`, { method: 'POST', headers: { ...headers, ...more } }).on(
      'error',
      () => undefined,
    );
  /** A request that has sent the given number of bytes and is not complete. */
  const beginUpload = (bytes: number) => {
    const sent = open();
    sent.write(Buffer.alloc(bytes, ' '));
    return sent;
  };
  /** Sends a body on a separate connection and returns the status, Retry-After and message. */
  const upload = async (body: string | Buffer, more: Record<string, string> = {}) => {
    const reply = await fetch(`${server.url}/ingest`, {
      ...{ method: 'POST', headers: { ...headers, ...more } },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const { message } = (await reply.json()) as { message?: string };
    return [reply.status, reply.headers.get('retry-after'), message];
  };
  const rejected = [503, '5', expect.stringContaining('arriving at the same time')];
  const accepted = [200, null, undefined];
  const megabytes = 'x'.repeat(3_000_000);
  /** Begins more uploads of one account than the budget allows, and waits until it is used up. */
  const exhaustBudget = async () => {
    const uploads = Array.from({ length: maxInFlightBytes / large + 1 }, () => beginUpload(large));
    await expect.poll(() => upload(megabytes)).toEqual(rejected);
    return uploads;
  };

  test('are rejected while they use too much memory, and accepted again afterwards', async () => {
    const uploads = await exhaustBudget();
    expect(await upload(megabytes)).toEqual(rejected);
    for (const pending of uploads) pending.destroy();
    await expect.poll(() => upload(megabytes)).toEqual(accepted);
  });

  test('of one account leave capacity for other accounts, even for the largest body', async () => {
    const uploads = await exhaustBudget();
    const other = { authorization: 'Bearer other' };
    expect(await upload(megabytes, other)).toEqual(accepted);
    const compressed = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '));
    expect(await upload(compressed, { ...other, 'content-encoding': 'gzip' })).toEqual(accepted);
    expect(await upload(megabytes)).toEqual(rejected);
    for (const pending of uploads) pending.destroy();
    await expect.poll(() => upload(megabytes)).toEqual(accepted);
  });

  test('are counted with their decompressed size', async () => {
    const uploads = await exhaustBudget();
    for (const pending of uploads.splice(0, 2)) pending.destroy();
    await expect.poll(() => upload('x')).toEqual(accepted);
    const compressed = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '));
    const uploadCompressed = () => upload(compressed, { 'content-encoding': 'gzip' });
    expect(await uploadCompressed()).toEqual(rejected);
    expect(await upload('x')).toEqual(accepted);
    for (const pending of uploads) pending.destroy();
    await expect.poll(uploadCompressed).toEqual(accepted);
  });

  test('release their memory when they end, also by a disconnect or an error', async () => {
    const compressed = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '));
    for (let round = 0; round < 10; round++) {
      const aborted = open({ 'content-encoding': 'gzip', 'content-length': compressed.length });
      aborted.end(compressed);
      await once(aborted, 'finish');
      aborted.destroy();
      const tooLarge = beginUpload(large + 1_000_000).end();
      const [reply] = (await once(tooLarge, 'response')) as [IncomingMessage];
      expect(reply.statusCode).toBe(400);
      tooLarge.destroy();
    }
    // The route returns the bodies, and unread responses have a budget of their own.
    const all = Array.from({ length: maxInFlightBytes / 4 / large }, () => Buffer.alloc(large, ' '));
    await expect.poll(() => Promise.all(all.map((body) => upload(body)))).toEqual(all.map(() => accepted));
  });
});
