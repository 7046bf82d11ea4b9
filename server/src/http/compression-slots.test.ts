import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { get as getTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretMark } from '../integrations/members.ts';
import { StreamedBuffer } from '../platform/streamed-buffer.ts';
import { selfSignedTls } from '../platform/tls.ts';
import { rawExchange } from '../testing/raw-request.ts';
import { agentOf, RouteServer } from '../testing/route-server.ts';
import type { Agents } from './gate.ts';
import { JsonBytes, JsonChunks } from './reply.ts';
import { defineRoute } from './route.ts';

/** Larger than the socket buffers of a client that does not read, even when compressed. */
const size = 32 * 1024 * 1024;
const incompressible = randomBytes((size / 4) * 3).toString('base64');
/** Memory of the large responses, in order. */
const buffers: ArrayBuffer[] = [];
const finished: string[] = [];

const base = {
  method: 'GET',
  family: { name: 'test', description: 'For this test.' },
  access: 'agent',
} as const;
const anything = { 200: Type.Unknown({ description: 'Anything.' }) };
const params = Type.Object({ kind: Type.String({ maxLength: 20, description: 'Variant of the response.' }) });

const string = defineRoute({
  ...{ ...base, path: '/string/{kind}', params, replies: anything },
  summary: 'Return a string of the given length',
}).handle(async ({ params: { kind } }) => ({ status: 200, body: { text: 'é'.repeat(Number(kind)) } }));

const secret = defineRoute({
  ...base,
  path: '/secret',
  summary: 'Return a secret in a long response',
  replies: {
    200: Type.Object({
      list: Type.Array(
        Type.Object({
          token: Type.String({ maxLength: 9_000, description: 'The secret.', [secretMark]: 'shown' }),
        }),
        { description: 'Secrets.' },
      ),
    }),
  },
}).handle(async () => ({ status: 200, body: { list: [{ token: 's'.repeat(9_000) }] } }));

const large = defineRoute({
  ...{ ...base, path: '/large', replies: anything },
  summary: 'Return a large body that hardly compresses',
}).handle(async () => {
  const bytes = Buffer.allocUnsafeSlow(size);
  bytes.write(incompressible, 'latin1');
  buffers.push(bytes.buffer);
  return { status: 200, body: JsonBytes.wrap('["', new StreamedBuffer([bytes], bytes.buffer), '"]') };
});

async function* records(kind: string): AsyncGenerator<Uint8Array> {
  try {
    const record = Buffer.from(`"${incompressible.slice(0, 1_000_000)}"`);
    yield record;
    for (let count = 1; count < 30; count++) {
      if (kind === 'broken' && count === 20) throw new Error('unexpected failure');
      yield Buffer.concat([Buffer.from(','), record]);
    }
  } finally {
    finished.push(kind);
  }
}
const streamed = defineRoute({
  ...{ ...base, path: '/stream/{kind}', params, replies: anything },
  summary: 'Stream records',
}).handle(async ({ params: { kind } }) => ({ status: 200, body: await JsonChunks.array(records(kind)) }));

const agents: Agents = {
  accessOf: async (account) => agentOf(account),
};
const routes = [string, secret, large, streamed];

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-compression-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe.each(['plain', 'encrypted'])('on a connection that is %s', (kind) => {
  const isPlain = kind === 'plain';
  let server: RouteServer;
  beforeAll(async () => {
    const tls = isPlain ? undefined : await selfSignedTls(directory, [], Date.now());
    server = await RouteServer.start({ routes, agents, tls });
  });
  afterAll(() => server.stop());

  /** Sends a request and returns its response with the body unread. */
  async function open(
    path: string,
    { encoding = 'gzip', account = 'one', method = 'GET' }: RequestOptions = {},
  ): Promise<IncomingMessage> {
    const options = {
      ...{ port: server.port, host: '127.0.0.1', path, method, agent: false, rejectUnauthorized: false },
      headers: { authorization: `Bearer ${account}`, 'accept-encoding': encoding },
    };
    const sent = isPlain ? get(options) : getTls(options);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }
  const encodingsOf = (responses: readonly IncomingMessage[]) =>
    responses.map(({ headers }) => headers['content-encoding']);
  const responseCount = async (status: number, route: string) =>
    new RegExp(`route="${route}",status="${status}"} (\\d+)`).exec(await server.metrics.text())?.[1];

  test('JSON of 1 KB or more is compressed for clients that accept it', async () => {
    const compressed = await open('/string/600');
    const { headers } = compressed;
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'accept-encoding']);
    expect([headers['content-length'], headers['transfer-encoding']]).toEqual([undefined, 'chunked']);
    expect(headers['ratelimit-limit']).toBe('480');
    const bytes = await readBody(compressed);
    const plain = await open('/string/600', { encoding: 'gzip;q=0' });
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding']);
    expect(plain.headers['content-length']).toBe('1211');
    expect(gunzipSync(bytes)).toEqual(await readBody(plain));
    expect(bytes.length).toBeLessThan(100);
  });

  test('JSON below 1 KB is not compressed', async () => {
    const { headers } = await open('/string/400');
    expect([headers['content-encoding'], headers.vary, headers['content-length']]).toEqual([
      ...[undefined, undefined, '811'],
    ]);
  });

  test('a response that contains a secret is never compressed', async () => {
    const { headers } = await open('/secret');
    expect([headers['content-encoding'], headers.vary, headers['content-length']]).toEqual([
      ...[undefined, undefined, '9023'],
    ]);
  });

  test('HEAD returns the headers of GET, without a body', async () => {
    const response = await open('/string/600', { method: 'HEAD' });
    expect([response.statusCode, response.headers['content-encoding'], response.headers.vary]).toEqual([
      ...[200, 'gzip', 'accept-encoding'],
    ]);
    expect(await readBody(response)).toEqual(Buffer.alloc(0));
  });

  test('a large response is compressed as fast as it is read, and its memory is then released', async () => {
    buffers.length = 0;
    const response = await open('/large');
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(buffers.map(({ byteLength }) => byteLength)).toEqual([size]);
    const body = gunzipSync(await readBody(response)).toString('latin1');
    expect(body === `["${incompressible}"]`).toBe(true);
    await expect.poll(() => buffers.map(({ byteLength }) => byteLength)).toEqual([0]);
  });

  test('a client that disconnects ends the compression, and its memory is not detached', async () => {
    buffers.length = 0;
    for (let round = 0; round < 20; round++) {
      const response = await open('/large', { account: 'disconnecting' });
      expect(response.headers['content-encoding'], `round ${round}`).toBe('gzip');
      response.destroy();
      await expect.poll(() => server.metrics.connections.open).toBe(0);
    }
    expect(buffers.every(({ byteLength }) => byteLength === size)).toBe(true);
  });

  test('one account gets half of the compression slots, and its further responses are uncompressed', async () => {
    const unread: IncomingMessage[] = [];
    for (let count = 0; count < 12; count++) unread.push(await open('/stream/slow', { account: 'busy' }));
    const compressed = Array.from({ length: 8 }, () => 'gzip');
    expect(encodingsOf(unread)).toEqual([...compressed, ...Array.from({ length: 4 }, () => undefined)]);
    const other = await open('/string/600', { account: 'other' });
    expect([other.headers['content-encoding'], other.headers.vary]).toEqual(['gzip', 'accept-encoding']);
    expect(JSON.parse(gunzipSync(await readBody(other)).toString())).toEqual({ text: 'é'.repeat(600) });
    const uncompressed = await open('/string/600', { account: 'busy' });
    expect([uncompressed.headers['content-encoding'], uncompressed.headers.vary]).toEqual([
      ...[undefined, 'accept-encoding'],
    ]);
    for (const response of unread) response.destroy();
    const nextEncoding = async () => encodingsOf([await open('/string/600', { account: 'busy' })]);
    await expect.poll(nextEncoding).toEqual(['gzip']);
  });

  test('a streamed response is compressed and complete', async () => {
    const response = await open('/stream/complete');
    expect([response.headers['content-encoding'], response.headers.vary]).toEqual([
      'gzip',
      'accept-encoding',
    ]);
    const { data } = JSON.parse(gunzipSync(await readBody(response)).toString()) as { data: string[] };
    expect([data.length, data[29] === incompressible.slice(0, 1_000_000)]).toEqual([30, true]);
    expect(finished).toContain('complete');
  });

  test('a streamed response that fails is recognizably incomplete, and the failure is logged', async () => {
    const response = await open('/stream/broken');
    expect(response.headers['content-encoding']).toBe('gzip');
    await expect(readBody(response)).rejects.toThrow('aborted');
    await expect.poll(() => responseCount(500, '/stream/{kind}')).toBe('1');
    expect(server.logLines.filter((line) => line.includes('unexpected failure'))).toHaveLength(1);
  });

  test('a streamed response ends when its client disconnects, and counts as 499', async () => {
    const before = Number((await responseCount(499, '/stream/{kind}')) ?? 0);
    const response = await open('/stream/disconnected');
    const [chunk] = (await once(response, 'data')) as [Buffer];
    expect(chunk.length).toBeGreaterThan(0);
    response.destroy();
    await expect.poll(() => finished).toContain('disconnected');
    await expect.poll(() => responseCount(499, '/stream/{kind}')).toBe(String(before + 1));
  });

  test('compressed and uncompressed responses share a connection', async () => {
    const paths = ['/string/600', '/string/1', '/large', '/string/5000'];
    const request = (path: string, at: number) =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer one\r\nAccept-Encoding: gzip\r\n${at === paths.length - 1 ? 'Connection: close\r\n' : ''}\r\n`;
    const responses = await rawExchange(server.port, paths.map(request).join(''), !isPlain);
    const heads = responses.match(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n/g) ?? [];
    expect(heads.map((head) => head.includes('content-encoding: gzip'))).toEqual([true, false, true, true]);
    expect(responses.endsWith('\r\n0\r\n\r\n')).toBe(true);
  });
});

interface RequestOptions {
  readonly encoding?: string;
  readonly account?: string;
  readonly method?: string;
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
