import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StreamedBuffer } from '../platform/streamed-buffer.ts';
import { selfMadeTls } from '../platform/tls.ts';
import { RouteServer } from '../testing/route-server.ts';
import { JsonBytes } from './reply.ts';
import { defineRoute } from './route.ts';

/** More than the system holds for a client that does not read. */
const size = 32 * 1024 * 1024;
const elsewhere = Buffer.from('-');
/** Of the answers, in their order. */
const memories: ArrayBuffer[] = [];

const page = defineRoute({
  method: 'GET',
  path: '/page/{letter}',
  family: { name: 'page', description: 'For this test.' },
  summary: 'Answer with much text',
  access: 'public',
  params: Type.Object({ letter: Type.String({ maxLength: 1, description: 'What it consists of.' }) }),
  replies: { 200: Type.Array(Type.String({ maxLength: 1e9, description: 'Text.' })) },
}).handle(async ({ params: { letter } }) => {
  const text = Buffer.allocUnsafeSlow(size).fill(letter);
  memories.push(text.buffer);
  const chunks = [text.subarray(0, size / 2), elsewhere, text.subarray(size / 2)];
  return { status: 200, body: JsonBytes.wrap('["', new StreamedBuffer(chunks, text.buffer), '"]') };
});
const expected = (letter: string) => `["${letter.repeat(size / 2)}-${letter.repeat(size / 2)}"]`;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-passing-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** The bodies of so many answers. */
async function bodies(client: Socket, answers: number): Promise<string[]> {
  const read: Buffer[] = [];
  let missing = answers * (size + elsewhere.length + 4);
  for await (const part of client) {
    read.push(part);
    missing -= part.length;
    if (missing <= 0 && Buffer.concat(read.slice(-2)).toString('latin1').endsWith('"]')) break;
  }
  const text = Buffer.concat(read).toString('latin1');
  return text.split(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n/).slice(1);
}

describe('a list', () => {
  test('gives its memory back once it is sent', () => {
    const list = JsonBytes.array(Array.from({ length: 2_000 }, (_, index) => `{"index":${index}}`));
    list.streamed?.release();
    expect(list.chunks.map(({ length }) => length)).toEqual([0]);
  });

  test('that is short leaves the memory alone that it shares with others', () => {
    const other = Buffer.from('other');
    const list = JsonBytes.array(['{}']);
    list.streamed?.release();
    expect(list.chunks.map(String)).toEqual(['{"data":[{}]}']);
    expect(other.toString()).toBe('other');
  });
});

describe.each(['plain', 'encrypted'])('on a connection that is %s', (kind) => {
  const isPlain = kind === 'plain';
  let server: RouteServer;
  beforeAll(async () => {
    const tls = isPlain ? undefined : await selfMadeTls(directory, [], Date.now());
    server = await RouteServer.start({ routes: [page], tls });
  });
  afterAll(() => server.stop());

  /** Asks for answers, one behind the other, and reads nothing of them. */
  async function asked(...letters: readonly string[]): Promise<{ client: Socket; serverSide: Socket }> {
    memories.length = 0;
    const connected = once(server.app.server, isPlain ? 'connection' : 'secureConnection');
    const to = { port: server.port, host: '127.0.0.1', rejectUnauthorized: false };
    const client = (isPlain ? connect(to) : connectTls(to)).pause();
    for (const letter of letters) client.write(`GET /page/${letter} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [serverSide] = (await connected) as [Socket];
    await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0);
    return { client, serverSide };
  }

  test('keeps the memory of an answer until a slow client has all of it, and gives it back then', async () => {
    const { client } = await asked('a');
    expect(memories.map((memory) => memory.byteLength)).toEqual([size]);
    const [body] = await bodies(client, 1);
    expect(body === expected('a')).toBe(true);
    await expect.poll(() => memories.map((memory) => memory.byteLength)).toEqual([0]);
    expect(elsewhere.toString()).toBe('-');
  });

  test('gives back each of the answers on one connection by itself', async () => {
    const { client } = await asked('a', 'b', 'c');
    const read = await bodies(client, 3);
    expect(read.map((body, at) => body === expected('abc'[at] as string))).toEqual([true, true, true]);
    await expect.poll(() => memories.map((memory) => memory.byteLength)).toEqual([0, 0, 0]);
  });

  test('leaves the memory of an answer alone whose client is gone', async () => {
    const { client, serverSide } = await asked('a');
    const closed = new Promise((resolve) => serverSide.once('close', resolve));
    client.destroy();
    await closed;
    expect(memories.map((memory) => memory.byteLength)).toEqual([size]);
  });
});
