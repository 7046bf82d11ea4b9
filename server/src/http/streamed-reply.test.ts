import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StreamedBuffer } from '../platform/streamed-buffer.ts';
import { selfSignedTls } from '../platform/tls.ts';
import { RouteServer } from '../testing/route-server.ts';
import { JsonBytes } from './reply.ts';
import { defineRoute } from './route.ts';

/** Larger than the socket buffers of a client that does not read. */
const size = 32 * 1024 * 1024;
const retained = Buffer.from('-');
/** Memory of the responses, in order. */
const buffers: ArrayBuffer[] = [];

const page = defineRoute({
  method: 'GET',
  path: '/page/{character}',
  family: { name: 'page', description: 'For this test.' },
  summary: 'Return a long string',
  access: 'public',
  params: Type.Object({ character: Type.String({ maxLength: 1, description: 'Repeated in the response.' }) }),
  replies: { 200: Type.Array(Type.String({ maxLength: 1e9, description: 'A long string.' })) },
}).handle(async ({ params: { character } }) => {
  const bytes = Buffer.allocUnsafeSlow(size).fill(character);
  buffers.push(bytes.buffer);
  const chunks = [bytes.subarray(0, size / 2), retained, bytes.subarray(size / 2)];
  return { status: 200, body: JsonBytes.wrap('["', new StreamedBuffer(chunks, bytes.buffer), '"]') };
});
const expected = (character: string) => `["${character.repeat(size / 2)}-${character.repeat(size / 2)}"]`;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-streamed-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Reads the bodies of the given number of responses. */
async function readBodies(client: Socket, count: number): Promise<string[]> {
  const read: Buffer[] = [];
  let missing = count * (size + retained.length + 4);
  for await (const chunk of client) {
    read.push(chunk);
    missing -= chunk.length;
    if (missing <= 0 && Buffer.concat(read.slice(-2)).toString('latin1').endsWith('"]')) break;
  }
  const received = Buffer.concat(read).toString('latin1');
  return received.split(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n/).slice(1);
}

describe('a JSON array', () => {
  test('releases its memory once it is sent', () => {
    const array = JsonBytes.array(Array.from({ length: 2_000 }, (_, index) => `{"index":${index}}`));
    array.streamed?.release();
    expect(array.chunks.map(({ length }) => length)).toEqual([0]);
  });

  test('that is short does not release the pooled memory that it shares', () => {
    const other = Buffer.from('other');
    const array = JsonBytes.array(['{}']);
    array.streamed?.release();
    expect(array.chunks.map(String)).toEqual(['{"data":[{}]}']);
    expect(other.toString()).toBe('other');
  });
});

describe.each(['plain', 'encrypted'])('on a connection that is %s', (kind) => {
  const isPlain = kind === 'plain';
  let server: RouteServer;
  beforeAll(async () => {
    const tls = isPlain ? undefined : await selfSignedTls(directory, [], Date.now());
    server = await RouteServer.start({ routes: [page], tls });
  });
  afterAll(() => server.stop());

  /** Pipelines requests and reads none of the responses. */
  async function requestUnread(
    ...characters: readonly string[]
  ): Promise<{ client: Socket; serverSide: Socket }> {
    buffers.length = 0;
    const connected = once(server.app.server, isPlain ? 'connection' : 'secureConnection');
    const target = { port: server.port, host: '127.0.0.1', rejectUnauthorized: false };
    const client = (isPlain ? connect(target) : connectTls(target)).pause();
    for (const character of characters) client.write(`GET /page/${character} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [serverSide] = (await connected) as [Socket];
    await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0);
    return { client, serverSide };
  }

  test('releases the memory of a response when a slow client has received all of it', async () => {
    const { client } = await requestUnread('a');
    expect(buffers.map((buffer) => buffer.byteLength)).toEqual([size]);
    const [body] = await readBodies(client, 1);
    expect(body === expected('a')).toBe(true);
    await expect.poll(() => buffers.map((buffer) => buffer.byteLength)).toEqual([0]);
    expect(retained.toString()).toBe('-');
  });

  test('releases each response on one connection separately', async () => {
    const { client } = await requestUnread('a', 'b', 'c');
    const read = await readBodies(client, 3);
    expect(read.map((body, at) => body === expected('abc'[at] as string))).toEqual([true, true, true]);
    await expect.poll(() => buffers.map((buffer) => buffer.byteLength)).toEqual([0, 0, 0]);
  });

  test('does not release the memory of a response whose client disconnected', async () => {
    const { client, serverSide } = await requestUnread('a');
    const closed = new Promise((resolve) => serverSide.once('close', resolve));
    client.destroy();
    await closed;
    expect(buffers.map((buffer) => buffer.byteLength)).toEqual([size]);
  });
});
