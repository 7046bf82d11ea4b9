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
import { selfMadeTls } from '../platform/tls.ts';
import { rawExchange } from '../testing/raw-request.ts';
import { RouteServer } from '../testing/route-server.ts';
import type { Agents } from './gate.ts';
import { JsonBytes, JsonChunks } from './reply.ts';
import { defineRoute } from './route.ts';

/** More than the system holds for a client that does not read, although it is compressed. */
const size = 32 * 1024 * 1024;
const noise = randomBytes((size / 4) * 3).toString('base64');
/** Of the large answers, in their order. */
const memories: ArrayBuffer[] = [];
const ended: string[] = [];

const base = {
  method: 'GET',
  family: { name: 'test', description: 'For this test.' },
  access: 'agent',
} as const;
const anything = { 200: Type.Unknown({ description: 'Anything.' }) };
const params = Type.Object({ kind: Type.String({ maxLength: 20, description: 'Which one.' }) });

const text = defineRoute({
  ...{ ...base, path: '/text/{kind}', params, replies: anything },
  summary: 'Answer with text of some length',
}).handle(async ({ params: { kind } }) => ({ status: 200, body: { text: 'é'.repeat(Number(kind)) } }));

const secret = defineRoute({
  ...base,
  path: '/secret',
  summary: 'Answer with a secret inside of much',
  replies: {
    200: Type.Object({
      list: Type.Array(
        Type.Object({
          token: Type.String({ maxLength: 9_000, description: 'It.', [secretMark]: 'shown' }),
        }),
        { description: 'Some.' },
      ),
    }),
  },
}).handle(async () => ({ status: 200, body: { list: [{ token: 's'.repeat(9_000) }] } }));

const large = defineRoute({
  ...{ ...base, path: '/large', replies: anything },
  summary: 'Answer with much that hardly compresses',
}).handle(async () => {
  const bytes = Buffer.allocUnsafeSlow(size);
  bytes.write(noise, 'latin1');
  memories.push(bytes.buffer);
  return { status: 200, body: JsonBytes.wrap('["', new StreamedBuffer([bytes], bytes.buffer), '"]') };
});

async function* records(kind: string): AsyncGenerator<Uint8Array> {
  try {
    const record = Buffer.from(`"${noise.slice(0, 1_000_000)}"`);
    yield record;
    for (let count = 1; count < 30; count++) {
      if (kind === 'broken' && count === 20) throw new Error('a mistake');
      yield Buffer.concat([Buffer.from(','), record]);
    }
  } finally {
    ended.push(kind);
  }
}
const chunks = defineRoute({
  ...{ ...base, path: '/pieces/{kind}', params, replies: anything },
  summary: 'Answer in pieces',
}).handle(async ({ params: { kind } }) => ({ status: 200, body: await JsonChunks.array(records(kind)) }));

const agents: Agents = {
  scopeOf: async (account) => ({ ownerId: account, name: account, isOrganization: false, isReadOnly: true }),
};
const routes = [text, secret, large, chunks];

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-compressions-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe.each(['plain', 'encrypted'])('on a connection that is %s', (kind) => {
  const isPlain = kind === 'plain';
  let server: RouteServer;
  beforeAll(async () => {
    const tls = isPlain ? undefined : await selfMadeTls(directory, [], Date.now());
    server = await RouteServer.start({ routes, agents, tls });
  });
  afterAll(() => server.stop());

  /** The head of an answer, whose body is left unread. */
  async function ask(
    path: string,
    { encoding = 'gzip', account = 'one', method = 'GET' }: Ask = {},
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
  const answered = async (status: number, route: string) =>
    new RegExp(`route="${route}",status="${status}"} (\\d+)`).exec(await server.metrics.text())?.[1];

  test('JSON from 1 KB on is compressed for a client that asks for it', async () => {
    const compressed = await ask('/text/600');
    const { headers } = compressed;
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'accept-encoding']);
    expect([headers['content-length'], headers['transfer-encoding']]).toEqual([undefined, 'chunked']);
    expect(headers['ratelimit-limit']).toBe('480');
    const bytes = await read(compressed);
    const plain = await ask('/text/600', { encoding: 'gzip;q=0' });
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding']);
    expect(plain.headers['content-length']).toBe('1211');
    expect(gunzipSync(bytes)).toEqual(await read(plain));
    expect(bytes.length).toBeLessThan(100);
  });

  test('JSON below 1 KB is sent as it is', async () => {
    const { headers } = await ask('/text/400');
    expect([headers['content-encoding'], headers.vary, headers['content-length']]).toEqual([
      ...[undefined, undefined, '811'],
    ]);
  });

  test('an answer with a secret in it is never compressed', async () => {
    const { headers } = await ask('/secret');
    expect([headers['content-encoding'], headers.vary, headers['content-length']]).toEqual([
      ...[undefined, undefined, '9023'],
    ]);
  });

  test('HEAD says the same as GET, without a body', async () => {
    const response = await ask('/text/600', { method: 'HEAD' });
    expect([response.statusCode, response.headers['content-encoding'], response.headers.vary]).toEqual([
      ...[200, 'gzip', 'accept-encoding'],
    ]);
    expect(await read(response)).toEqual(Buffer.alloc(0));
  });

  test('a large answer is compressed as fast as it is read, and its memory given back then', async () => {
    memories.length = 0;
    const response = await ask('/large');
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(memories.map(({ byteLength }) => byteLength)).toEqual([size]);
    const body = gunzipSync(await read(response)).toString('latin1');
    expect(body === `["${noise}"]`).toBe(true);
    await expect.poll(() => memories.map(({ byteLength }) => byteLength)).toEqual([0]);
  });

  test('a client that leaves ends the compression, and the memory is left alone', async () => {
    memories.length = 0;
    for (let round = 0; round < 20; round++) {
      const response = await ask('/large', { account: 'leaving' });
      expect(response.headers['content-encoding'], `round ${round}`).toBe('gzip');
      response.destroy();
      await expect.poll(() => server.metrics.connections.open).toBe(0);
    }
    expect(memories.every(({ byteLength }) => byteLength === size)).toBe(true);
  });

  test('one account gets half of the compressions, and whoever comes later is answered without', async () => {
    const waiting: IncomingMessage[] = [];
    for (let count = 0; count < 12; count++) waiting.push(await ask('/pieces/slow', { account: 'greedy' }));
    const compressed = Array.from({ length: 8 }, () => 'gzip');
    expect(encodingsOf(waiting)).toEqual([...compressed, ...Array.from({ length: 4 }, () => undefined)]);
    const other = await ask('/text/600', { account: 'modest' });
    expect([other.headers['content-encoding'], other.headers.vary]).toEqual(['gzip', 'accept-encoding']);
    expect(JSON.parse(gunzipSync(await read(other)).toString())).toEqual({ text: 'é'.repeat(600) });
    const uncompressed = await ask('/text/600', { account: 'greedy' });
    expect([uncompressed.headers['content-encoding'], uncompressed.headers.vary]).toEqual([
      ...[undefined, 'accept-encoding'],
    ]);
    for (const response of waiting) response.destroy();
    const again = async () => encodingsOf([await ask('/text/600', { account: 'greedy' })]);
    await expect.poll(again).toEqual(['gzip']);
  });

  test('an answer in pieces is compressed and whole', async () => {
    const response = await ask('/pieces/whole');
    expect([response.headers['content-encoding'], response.headers.vary]).toEqual([
      'gzip',
      'accept-encoding',
    ]);
    const { data } = JSON.parse(gunzipSync(await read(response)).toString()) as { data: string[] };
    expect([data.length, data[29] === noise.slice(0, 1_000_000)]).toEqual([30, true]);
    expect(ended).toContain('whole');
  });

  test('an answer in pieces that breaks off is not taken for whole, and the failure is logged', async () => {
    const response = await ask('/pieces/broken');
    expect(response.headers['content-encoding']).toBe('gzip');
    await expect(read(response)).rejects.toThrow('aborted');
    await expect.poll(() => answered(500, '/pieces/{kind}')).toBe('1');
    expect(server.logLines.filter((line) => line.includes('a mistake'))).toHaveLength(1);
  });

  test('an answer in pieces ends when its client leaves, and counts as left', async () => {
    const before = Number((await answered(499, '/pieces/{kind}')) ?? 0);
    const response = await ask('/pieces/left');
    const [chunk] = (await once(response, 'data')) as [Buffer];
    expect(chunk.length).toBeGreaterThan(0);
    response.destroy();
    await expect.poll(() => ended).toContain('left');
    await expect.poll(() => answered(499, '/pieces/{kind}')).toBe(String(before + 1));
  });

  test('answers on one connection follow each other, compressed and not', async () => {
    const paths = ['/text/600', '/text/1', '/large', '/text/5000'];
    const request = (path: string, at: number) =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer one\r\nAccept-Encoding: gzip\r\n${at === paths.length - 1 ? 'Connection: close\r\n' : ''}\r\n`;
    const answers = await rawExchange(server.port, paths.map(request).join(''), !isPlain);
    const heads = answers.match(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n/g) ?? [];
    expect(heads.map((head) => head.includes('content-encoding: gzip'))).toEqual([true, false, true, true]);
    expect(answers.endsWith('\r\n0\r\n\r\n')).toBe(true);
  });
});

interface Ask {
  readonly encoding?: string;
  readonly account?: string;
  readonly method?: string;
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
