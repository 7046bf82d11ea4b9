import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../platform/errors.ts';
import { RouteServer } from '../testing/route-server.ts';
import { mostInFlight } from './bodies-in-flight.ts';
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
    token === 'good' ? { ownerId: 'id', name: 'acme', isOrganization: false } : undefined,
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
  /** A request of which so many bytes have been sent, and no more. */
  const begun = (bytes: number) => {
    const headers = { authorization: 'Bearer good', 'content-type': 'application/x-ndjson' };
    const sent = request(`${server.url}/take`, { method: 'POST', headers });
    sent.on('error', () => undefined).write(Buffer.alloc(bytes, ' '));
    return sent;
  };
  const large = 16 * 1024 * 1024;

  test('are sent away while they take too much memory, and let in again afterwards', async () => {
    const waiting = Array.from({ length: mostInFlight / large }, () => begun(large));
    const refusals: unknown[] = [];
    await expect
      .poll(
        async () => {
          const refused = await send('x'.repeat(1_000));
          refusals.push([refused.statusCode, refused.headers['retry-after'], refused.json()]);
          return refused.statusCode;
        },
        { timeout: 20_000 },
      )
      .toBe(503);
    expect(refusals.at(-1)).toMatchObject([
      503,
      '5',
      { message: expect.stringContaining('arriving at once') },
    ]);
    for (const one of waiting) one.destroy();
    await expect.poll(async () => (await send('x')).statusCode).toBe(200);
  });

  test('are counted as they are when they are unpacked', async () => {
    const waiting = Array.from({ length: mostInFlight / large - 1 }, () => begun(large));
    const packed = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '));
    const fate = async () => (await send(packed, { 'content-encoding': 'gzip' })).statusCode;
    await expect.poll(fate, { timeout: 20_000 }).toBe(503);
    expect((await send('x')).statusCode).toBe(200);
    for (const one of waiting) one.destroy();
    await expect.poll(fate).toBe(200);
  });
});
