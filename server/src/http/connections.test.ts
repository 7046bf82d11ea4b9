import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { selfSignedTls } from '../platform/tls.ts';
import { rawExchange } from '../testing/raw-request.ts';
import { RouteServer } from '../testing/route-server.ts';
import { Connections } from './connections.ts';
import { defaultConnectionLimits, defaultTimeLimits, maxPipelined } from './limits.ts';
import { HttpMetrics } from './metrics.ts';
import { createNodeServer } from './node-server.ts';
import { JsonBytes } from './reply.ts';
import { defineRoute } from './route.ts';

const family = { name: 'test', description: 'For this test.' };
const reply = Type.Object({ number: Type.Integer({ description: 'Number of the request.' }) });

const started: number[] = [];
let blocked: (() => void)[] = [];
let concurrent = 0;
let maxConcurrent = 0;

/** Blocks until the test releases it. */
const blocking = defineRoute({
  method: 'GET',
  path: '/blocking/{number}',
  family,
  summary: 'Wait until released',
  access: 'public',
  rate: 'exempt',
  params: Type.Object({ number: Type.String({ maxLength: 10, description: 'Number of the request.' }) }),
  replies: { 200: reply },
}).handle(async ({ params }) => {
  started.push(Number(params.number));
  maxConcurrent = Math.max(maxConcurrent, ++concurrent);
  await new Promise<void>((resolve) => blocked.push(resolve));
  concurrent--;
  return { status: 200, body: { number: Number(params.number) } };
});

const quick = defineRoute({
  method: 'GET',
  path: '/quick',
  family,
  summary: 'Answer immediately',
  access: 'public',
  rate: 'exempt',
  replies: { 200: reply },
}).handle(async () => ({ status: 200, body: { number: 0 } }));

/** Larger than the socket buffers of a client that does not read. */
const large = defineRoute({
  method: 'GET',
  path: '/large',
  family,
  summary: 'Return a large body',
  access: 'public',
  rate: 'exempt',
  replies: { 200: Type.Unknown({ description: 'A large body.' }) },
}).handle(async () => ({ status: 200, body: new JsonBytes(Buffer.alloc(32 * 1024 * 1024, '1')) }));

const routes = [blocking, quick, large];
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const release = () => {
  for (const resolve of blocked) resolve();
  blocked = [];
};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-connections-'));
});
afterAll(() => rmSync(directory, { recursive: true }));
afterEach(() => {
  release();
  started.length = 0;
  maxConcurrent = 0;
});

describe.each(['plain', 'encrypted'])('a connection that is %s', (kind) => {
  let server: RouteServer;
  beforeAll(async () => {
    const tls = kind === 'plain' ? undefined : await selfSignedTls(directory, [], Date.now());
    server = await RouteServer.start({ routes, tls, timeLimits: { ...defaultTimeLimits, unread: 200 } });
  });
  afterAll(() => server.stop());

  const open = async (): Promise<Socket> => {
    const client =
      kind === 'plain'
        ? connect(server.port, '127.0.0.1')
        : connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    client.on('error', () => {});
    await once(client, kind === 'plain' ? 'connect' : 'secureConnect');
    return client;
  };

  test('gets the responses to pipelined requests in order, handled one at a time', async () => {
    const client = await open();
    let received = '';
    client.on('data', (chunk) => {
      received += chunk;
    });
    client.write([1, 2, 3, 4].map((number) => get(`/blocking/${number}`)).join(''));
    for (let number = 1; number <= 4; number++) {
      await vi.waitFor(() => expect(started).toHaveLength(number));
      release();
    }
    await vi.waitFor(() => expect(received.match(/\{"number":\d\}/g)).toHaveLength(4));
    expect(received.match(/\{"number":(\d)\}/g)).toEqual(
      [1, 2, 3, 4].map((number) => `{"number":${number}}`),
    );
    expect(maxConcurrent).toBe(1);
    client.destroy();
  });

  test('is closed when too many of its requests are queued, and does not delay other connections', async () => {
    const { closed } = server.metrics.connections;
    const before = closed.pipelining;
    const [withinLimit, overLimit, other] = [await open(), await open(), await open()];
    withinLimit.write(get('/blocking/7').repeat(maxPipelined));
    overLimit.write(get('/blocking/8').repeat(2_000));
    other.write(get('/quick'));
    expect(String((await once(other, 'data'))[0])).toContain('{"number":0}');
    await once(overLimit, 'close');
    expect(closed.pipelining).toBe(before + 1);
    expect(started.filter((number) => number === 8)).toHaveLength(1);
    expect(withinLimit.closed).toBe(false);
    for (const client of [withinLimit, other]) client.destroy();
  });

  test('is closed when the headers of its queued requests exceed the total limit', async () => {
    const { closed } = server.metrics.connections;
    const before = closed.pipelining;
    const [withinLimit, overLimit] = [await open(), await open()];
    const padded = (bytes: number) =>
      `GET /blocking/9 HTTP/1.1\r\nHost: a\r\nX-Pad: ${'a'.repeat(bytes)}\r\n\r\n`;
    withinLimit.write(padded(15_000).repeat(3));
    await vi.waitFor(() => expect(started).toContain(9));
    overLimit.write(padded(15_000).repeat(4));
    await once(overLimit, 'close');
    expect(closed.pipelining).toBe(before + 1);
    expect(withinLimit.closed).toBe(false);
    withinLimit.destroy();
  });

  test('buffers little of a response, and less of it with TLS, while its client reads nothing', async () => {
    const connected = once(server.app.server, kind === 'plain' ? 'connection' : 'secureConnection');
    const client = await open();
    const [serverSide] = (await connected) as [Socket];
    client.pause();
    client.write(get('/large'));
    await vi.waitFor(() => expect(serverSide.writableNeedDrain).toBe(true));
    // With TLS the buffered bytes are an encrypted copy; without TLS they are the response itself.
    expect(serverSide.writableLength).toBeLessThan(kind === 'plain' ? 2 * 262_144 : 2 * 65_536);
    client.destroy();
  });

  test('is closed when its client does not read a response', async () => {
    const { connections } = server.metrics;
    const before = connections.closed.unread;
    const client = await open();
    client.pause();
    client.write(get('/large').repeat(maxPipelined));
    await vi.waitFor(() => expect(connections.closed.unread).toBe(before + 1), { timeout: 60_000 });
    client.destroy();
  });
});

test('a connection whose client reads continuously, but too slowly, is closed', async () => {
  const timeLimits = { ...defaultTimeLimits, unread: 400, perMebibyte: 1 };
  const server = await RouteServer.start({ routes, timeLimits });
  const client = connect(server.port, '127.0.0.1').pause();
  let bytes = 0;
  // 64 KiB every 5 ms is far below one MiB per millisecond on any host.
  const reading = setInterval(() => {
    bytes += (client.read() as Buffer | null)?.length ?? 0;
  }, 5);
  client.on('error', () => {}).write(get('/large'));
  await once(client, 'close');
  clearInterval(reading);
  expect(bytes).toBeLessThan(32 * 1024 * 1024);
  expect(server.metrics.connections.closed.unread).toBe(1);
  await server.stop();
});

describe('connections', () => {
  const openTo = async (server: RouteServer): Promise<Socket> => {
    const client = connect(server.port, '127.0.0.1');
    client.on('error', () => {});
    await once(client, 'connect');
    return client;
  };
  const waitForOpen = (server: RouteServer, count: number) =>
    vi.waitFor(() => expect(server.metrics.connections.open).toBe(count));

  test.each([
    ['from one address', { total: 100, perAddress: 2 }, 'address'],
    ['in total', { total: 2, perAddress: 100 }, 'total'],
  ] as const)(
    '%s are limited: an idle connection is closed for a new one, a busy connection is not',
    async (_, limits, reason) => {
      const server = await RouteServer.start({ routes, connectionLimits: limits });
      const first = await openTo(server);
      await waitForOpen(server, 1);
      const second = await openTo(server);
      await waitForOpen(server, 2);
      const third = await openTo(server);
      await once(first, 'close');
      expect(server.metrics.connections.refused[reason]).toBe(0);
      for (const client of [second, third]) client.write(get('/blocking/1'));
      await vi.waitFor(() => expect(started).toHaveLength(2));
      const fourth = await openTo(server);
      await once(fourth, 'close');
      expect(server.metrics.connections.refused[reason]).toBe(1);
      release();
      expect(String((await once(third, 'data'))[0])).toContain('{"number":1}');
      for (const client of [second, third]) client.destroy();
      await waitForOpen(server, 0);
      await server.stop();
    },
  );

  test('are closed in the order in which they became idle, not in the order of opening', async () => {
    const server = await RouteServer.start({ routes, connectionLimits: { total: 100, perAddress: 2 } });
    const first = await openTo(server);
    await waitForOpen(server, 1);
    const second = await openTo(server);
    await waitForOpen(server, 2);
    first.write(get('/quick'));
    await once(first, 'data');
    const third = await openTo(server);
    await once(second, 'close');
    first.write(get('/quick'));
    expect(String((await once(first, 'data'))[0])).toContain('{"number":0}');
    for (const client of [first, third]) client.destroy();
    await server.stop();
  });

  test('from one client port to two addresses of the server are distinct', async () => {
    const { connections: counts } = new HttpMetrics();
    const connections = new Connections({
      ...{ limits: defaultConnectionLimits, timeLimits: defaultTimeLimits, counts },
      isTrustedProxy: () => false,
    });
    const respond = (request: IncomingMessage, response: ServerResponse) =>
      response.end(request.socket.localAddress);
    const server = createNodeServer(respond, { tls: undefined, timeLimits: defaultTimeLimits, connections });
    await once(server.listen(0, '0.0.0.0'), 'listening');
    const { port } = server.address() as AddressInfo;
    const clients: Socket[] = [];
    let localPort = 0;
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      const client = connect({ port, host, localAddress: '127.0.0.1', localPort });
      await once(client, 'connect');
      localPort = client.localPort as number;
      clients.push(client);
    }
    await vi.waitFor(() => expect(counts.open).toBe(2));
    for (const client of clients) client.write(get('/'));
    const responses = await Promise.all(
      clients.map(async (client) => String((await once(client, 'data'))[0])),
    );
    expect(responses.map((response) => response.split('\r\n').at(-1))).toEqual(['127.0.0.1', '127.0.0.2']);
    for (const client of clients) client.destroy();
    connections.stop();
    server.close();
  });

  test('of a trusted proxy are not counted against its address', async () => {
    const server = await RouteServer.start({
      routes,
      connectionLimits: { total: 100, perAddress: 1 },
      trustedProxies: ['127.0.0.0/8'],
    });
    const clients = [await openTo(server), await openTo(server), await openTo(server)];
    await waitForOpen(server, 3);
    for (const client of clients) client.destroy();
    await server.stop();
  });

  test('are closed after their current response when the server stops, idle ones immediately', async () => {
    const server = await RouteServer.start({ routes });
    const [idle, busy] = [await openTo(server), await openTo(server)];
    let received = '';
    busy.on('data', (chunk) => {
      received += chunk;
    });
    busy.write(get('/blocking/1') + get('/blocking/2'));
    await vi.waitFor(() => expect(started).toEqual([1]));
    const [busyClosed, idleClosed] = [once(busy, 'close'), once(idle, 'close')];
    const stopped = server.stop();
    await idleClosed;
    release();
    await Promise.all([stopped, busyClosed]);
    expect(received.match(/\{"number":\d\}/g)).toEqual(['{"number":1}']);
    expect(received).toMatch(/connection: close/i);
  });
});

test('a malformed request is rejected after the responses to the requests before it', async () => {
  const server = await RouteServer.start({ routes });
  const client = connect(server.port, '127.0.0.1');
  let received = '';
  client.on('data', (chunk) => {
    received += chunk;
  });
  client.write(`${get('/blocking/1')}NONSENSE\r\n\r\n`);
  await vi.waitFor(() => expect(started).toEqual([1]));
  const closed = once(client, 'close');
  release();
  await closed;
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  const chunked = 'POST /quick HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n';
  expect(await rawExchange(server.port, chunked)).toMatch(/^HTTP\/1\.1 4/);
  expect(await rawExchange(server.port, `${get('/quick')}${chunked}`)).toMatch(/^HTTP\/1\.1 200/);
  await server.stop();
});
