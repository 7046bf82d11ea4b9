import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../platform/errors.ts';
import { RouteServer } from '../testing/route-server.ts';
import { maxInFlightBytes } from './bodies-in-flight.ts';
import { defineRoute } from './route.ts';

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

const agents = {
  scopeOf: async (token: string) =>
    ['good', 'other'].includes(token)
      ? { ownerId: token, name: 'acme', isOrganization: false, isReadOnly: true }
      : undefined,
};

let server: RouteServer;
beforeAll(async () => {
  server = await RouteServer.start({ routes: [take], agents });
});
afterAll(() => server.stop());

const send = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  server.app.inject({
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

describe('bodies that come at the same time', () => {
  const large = 16 * 1024 * 1024;
  // An answer that is compressed takes longer, and its request body is held meanwhile.
  const headers = {
    ...{ authorization: 'Bearer good', 'content-type': 'application/x-ndjson' },
    'accept-encoding': 'identity',
  };
  const posted = (more: Record<string, string | number> = {}) =>
    request(`${server.url}/take`, { method: 'POST', headers: { ...headers, ...more } }).on(
      'error',
      () => undefined,
    );
  /** A request of which so many bytes have been sent, and no more. */
  const begun = (bytes: number) => {
    const sent = posted();
    sent.write(Buffer.alloc(bytes, ' '));
    return sent;
  };
  /** What becomes of a body on a connection of its own. */
  const answered = async (body: string | Buffer, more: Record<string, string> = {}) => {
    const reply = await fetch(`${server.url}/take`, {
      ...{ method: 'POST', headers: { ...headers, ...more } },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const { message } = (await reply.json()) as { message?: string };
    return [reply.status, reply.headers.get('retry-after'), message];
  };
  const refused = [503, '5', expect.stringContaining('arriving at the same time')];
  const accepted = [200, null, undefined];
  const several = 'x'.repeat(3_000_000);
  /** More bodies of one account than there is room for, when they have taken it. */
  const allBegun = async () => {
    const waiting = Array.from({ length: maxInFlightBytes / large + 1 }, () => begun(large));
    await expect.poll(() => answered(several)).toEqual(refused);
    return waiting;
  };

  test('are sent away while they take too much memory, and let in again afterwards', async () => {
    const waiting = await allBegun();
    expect(await answered(several)).toEqual(refused);
    for (const one of waiting) one.destroy();
    await expect.poll(() => answered(several)).toEqual(accepted);
  });

  test('of one account leave room for those of another, even for the largest', async () => {
    const waiting = await allBegun();
    const other = { authorization: 'Bearer other' };
    expect(await answered(several, other)).toEqual(accepted);
    const packed = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '));
    expect(await answered(packed, { ...other, 'content-encoding': 'gzip' })).toEqual(accepted);
    expect(await answered(several)).toEqual(refused);
    for (const one of waiting) one.destroy();
    await expect.poll(() => answered(several)).toEqual(accepted);
  });

  test('are counted as they are when they are unpacked', async () => {
    const waiting = await allBegun();
    for (const one of waiting.splice(0, 2)) one.destroy();
    await expect.poll(() => answered('x')).toEqual(accepted);
    const packed = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '));
    const fate = () => answered(packed, { 'content-encoding': 'gzip' });
    expect(await fate()).toEqual(refused);
    expect(await answered('x')).toEqual(accepted);
    for (const one of waiting) one.destroy();
    await expect.poll(fate).toEqual(accepted);
  });

  test('take nothing any more once they are over, however they ended', async () => {
    const packed = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '));
    for (let round = 0; round < 10; round++) {
      const left = posted({ 'content-encoding': 'gzip', 'content-length': packed.length });
      left.end(packed);
      await once(left, 'finish');
      left.destroy();
      const tooLarge = begun(large + 1_000_000).end();
      const [reply] = (await once(tooLarge, 'response')) as [IncomingMessage];
      expect(reply.statusCode).toBe(400);
      tooLarge.destroy();
    }
    // The route repeats them, and unread answers have a bound of their own.
    const all = Array.from({ length: maxInFlightBytes / 4 / large }, () => Buffer.alloc(large, ' '));
    await expect.poll(() => Promise.all(all.map((body) => answered(body)))).toEqual(all.map(() => accepted));
  });
});
