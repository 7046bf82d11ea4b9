import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { agentOf, RouteServer } from '../testing/route-server.ts';
import { compressionMemory } from './compression-slots.ts';
import type { Agents } from './gate.ts';
import { JsonBytes } from './reply.ts';
import { defineRoute } from './route.ts';
import { maxUnsentBytes } from './unsent-responses.ts';

/** Shared by all responses: each counts as a quarter of the budget. */
const quarter = Buffer.alloc(maxUnsentBytes / 4, '1');
/** Hardly compressible, and a little smaller: the memory of the compressor counts too. */
const incompressible = Buffer.alloc(maxUnsentBytes / 4 - compressionMemory, randomBytes(1_000_000));
const delayed: (() => void)[] = [];

const large = defineRoute({
  method: 'GET',
  path: '/large/{kind}',
  family: { name: 'test', description: 'For this test.' },
  summary: 'Return a large body',
  access: 'agent',
  params: Type.Object({ kind: Type.String({ maxLength: 10, description: 'Now, later or compressed.' }) }),
  replies: { 200: Type.Unknown({ description: 'A large body.' }) },
}).handle(async ({ params: { kind } }) => {
  if (kind === 'later') await new Promise<void>((resolve) => delayed.push(resolve));
  return { status: 200, body: new JsonBytes(kind === 'compressed' ? incompressible : quarter) };
});
/** A token names an account and one of its users. */
const agents: Agents = {
  accessOf: async (token) => agentOf(token.split('.')[0] ?? ''),
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

async function request(token: string, kind = 'now'): Promise<Socket> {
  const client = connect(server.port, '127.0.0.1');
  clients.push(client);
  await once(client, 'connect');
  const encoding = kind === 'compressed' ? 'gzip' : 'identity';
  client.write(
    `GET /large/${kind} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
  );
  return client;
}
/** Reads the status line of a response and leaves the rest unread. */
async function statusOf(client: Socket): Promise<string> {
  await once(client, 'readable');
  return String(client.read(12));
}

test('a response whose client disconnected before it was ready does not count against the budget', async () => {
  for (let round = 0; round < 4; round++) {
    const connected = once(server.app.server, 'connection');
    const client = await request('disconnecting.one', 'later');
    const [serverSide] = (await connected) as [Socket];
    await vi.waitFor(() => expect(delayed).toHaveLength(1));
    client.destroy();
    await new Promise((resolve) => serverSide.once('close', resolve));
    delayed.pop()?.();
  }
  const counter = '{method="GET",route="/large/{kind}",status="499"} 4';
  await vi.waitFor(async () => expect(await server.metrics.text()).toContain(counter));
  const client = await request('disconnecting.one');
  expect(await statusOf(client)).toBe('HTTP/1.1 200');
  client.destroy();
  await vi.waitFor(() => expect(server.metrics.connections.open).toBe(0));
});

test('the users of one account share a budget, and leave as much free for other accounts', async () => {
  const first = [await request('busy.one'), await request('busy.two')];
  expect(await Promise.all(first.map(statusOf))).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(await statusOf(await request('busy.three'))).toBe('HTTP/1.1 503');
  expect(await statusOf(await request('other.one'))).toBe('HTTP/1.1 200');
});

test('a compressed response counts with its uncompressed size until it is read', async () => {
  for (const client of clients.splice(0)) client.destroy();
  await vi.waitFor(() => expect(server.metrics.connections.open).toBe(0));
  const first = [
    await request('compressed.one', 'compressed'),
    await request('compressed.two', 'compressed'),
  ];
  for (const client of first) await once(client, 'readable');
  const heads = first.map((client) => String(client.read()).split('\r\n\r\n')[0]);
  for (const head of heads) expect(head).toMatch(/^HTTP\/1\.1 200 .*content-encoding: gzip/s);
  expect(await statusOf(await request('compressed.three', 'compressed'))).toBe('HTTP/1.1 503');
  for (const client of first) client.destroy();
  await vi.waitFor(async () =>
    expect(await statusOf(await request('compressed.three', 'compressed'))).toBe('HTTP/1.1 200'),
  );
});
