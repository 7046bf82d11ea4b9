import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RouteServer } from '../testing/route-server.ts';
import { compressionMemory } from './compression-slots.ts';
import type { Agents } from './gate.ts';
import { JsonBytes } from './reply.ts';
import { defineRoute } from './route.ts';
import { maxUnsentBytes } from './unsent-responses.ts';

/** One buffer for all answers: each counts as a quarter of what may wait. */
const much = Buffer.alloc(maxUnsentBytes / 4, '1');
/** A little less, of what hardly compresses: the compression itself counts too. */
const noise = Buffer.alloc(maxUnsentBytes / 4 - compressionMemory, randomBytes(1_000_000));
const waiting: (() => void)[] = [];

const large = defineRoute({
  method: 'GET',
  path: '/large/{when}',
  family: { name: 'test', description: 'For this test.' },
  summary: 'Answer with much',
  access: 'agent',
  params: Type.Object({ when: Type.String({ maxLength: 10, description: 'Now, later or compressed.' }) }),
  replies: { 200: Type.Unknown({ description: 'Much.' }) },
}).handle(async ({ params: { when } }) => {
  if (when === 'later') await new Promise<void>((resolve) => waiting.push(resolve));
  return { status: 200, body: new JsonBytes(when === 'compressed' ? noise : much) };
});
/** A token names an account and one of its users. */
const agents: Agents = {
  scopeOf: async (token) => {
    const [account = ''] = token.split('.');
    return { ownerId: account, name: account, isOrganization: false, isReadOnly: true };
  },
};

let server: RouteServer;
const clients: Socket[] = [];
beforeAll(async () => {
  server = await RouteServer.start({ routes: [large], agents });
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  await server.stop();
});

async function ask(token: string, when = 'now'): Promise<Socket> {
  const client = connect(server.port, '127.0.0.1');
  clients.push(client);
  await once(client, 'connect');
  const encoding = when === 'compressed' ? 'gzip' : 'identity';
  client.write(
    `GET /large/${when} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
  );
  return client;
}
/** Reads the beginning of an answer and leaves the rest of it waiting. */
async function statusOf(client: Socket): Promise<string> {
  await once(client, 'readable');
  return String(client.read(12));
}

test('an answer whose client left while it was made is not counted as waiting', async () => {
  for (let round = 0; round < 4; round++) {
    const connected = once(server.app.server, 'connection');
    const client = await ask('leaving.one', 'later');
    const [serverSide] = (await connected) as [Socket];
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    client.destroy();
    await new Promise((resolve) => serverSide.once('close', resolve));
    waiting.pop()?.();
  }
  const counted = '{method="GET",route="/large/{when}",status="499"} 4';
  await vi.waitFor(async () => expect(await server.metrics.text()).toContain(counted));
  const client = await ask('leaving.one');
  expect(await statusOf(client)).toBe('HTTP/1.1 200');
  client.destroy();
  await vi.waitFor(() => expect(server.metrics.connections.open).toBe(0));
});

test('users of one account share what may wait, and leave as much free for another account', async () => {
  const first = [await ask('greedy.one'), await ask('greedy.two')];
  expect(await Promise.all(first.map(statusOf))).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(await statusOf(await ask('greedy.three'))).toBe('HTTP/1.1 503');
  expect(await statusOf(await ask('modest.one'))).toBe('HTTP/1.1 200');
});

test('an answer that is compressed counts with all of its bytes until it is read', async () => {
  for (const client of clients.splice(0)) client.destroy();
  await vi.waitFor(() => expect(server.metrics.connections.open).toBe(0));
  const first = [await ask('packed.one', 'compressed'), await ask('packed.two', 'compressed')];
  for (const client of first) await once(client, 'readable');
  const heads = first.map((client) => String(client.read()).split('\r\n\r\n')[0]);
  for (const head of heads) expect(head).toMatch(/^HTTP\/1\.1 200 .*content-encoding: gzip/s);
  expect(await statusOf(await ask('packed.three', 'compressed'))).toBe('HTTP/1.1 503');
  for (const client of first) client.destroy();
  await vi.waitFor(async () =>
    expect(await statusOf(await ask('packed.three', 'compressed'))).toBe('HTTP/1.1 200'),
  );
});
