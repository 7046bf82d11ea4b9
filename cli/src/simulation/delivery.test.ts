import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Batch } from './batches.ts';
import { deliver } from './delivery.ts';
import { IngestClient } from './ingest-client.ts';

interface Received {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const batch = (number: number, records = 1): Batch => ({
  path: 'Activities/DNSs',
  text: `{"number":${number}}`,
  records,
  idempotencyKey: `key ${number}`,
  share: number / 20,
});

let server: Server;
let client: IngestClient;
let received: Received[];
let waits: number[];
afterEach(async () => {
  client.close();
  server.close();
});

/** A server that answers one request after the other as it is told, and 200 from then on. */
async function serverThat(...answers: readonly ((reply: ServerResponse) => void)[]): Promise<void> {
  [received, waits] = [[], []];
  server = createServer(async (request, reply) => {
    const text = gunzipSync(Buffer.concat(await request.toArray())).toString();
    const answer = answers[received.length] ?? ((ok) => ok.end('{"data":{"accepted":1,"repeated":0}}'));
    received.push({ url: request.url, headers: request.headers, text });
    answer(reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wait = async (milliseconds: number) => waits.push(milliseconds);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new IngestClient({ url, token: 'secret', wait });
}

const busy =
  (status: number, headers = {}) =>
  (reply: ServerResponse) =>
    reply.writeHead(status, headers).end('{"message":"Too much is waiting."}');

describe('a batch', () => {
  test('is sent packed, with the token and its key', async () => {
    await serverThat();
    await client.send(batch(1));
    expect(received).toMatchObject([
      {
        url: '/ingest/v1/Activities/DNSs',
        headers: {
          authorization: 'Bearer secret',
          'content-type': 'application/x-ndjson',
          'content-encoding': 'gzip',
          'idempotency-key': 'key 1',
        },
        text: '{"number":1}',
      },
    ]);
  });

  test('is sent again, ever later, while the server is busy', async () => {
    await serverThat(busy(503), busy(429), busy(503, { 'Retry-After': '7' }), busy(503));
    await client.send(batch(1));
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(5).fill('key 1'));
    expect(waits).toEqual([250, 500, 7_000, 2_000]);
  });

  test('is given up when the server stays busy, and at once when it is refused', async () => {
    await serverThat(...Array(20).fill(busy(503)));
    await expect(client.send(batch(1))).rejects.toThrow(
      'refused Activities/DNSs with 503: Too much is waiting.',
    );
    expect([received.length, Math.max(...waits)]).toEqual([14, 15_000]);
    server.close();
    await serverThat(busy(400));
    await expect(client.send(batch(1))).rejects.toThrow('with 400');
    expect(received).toHaveLength(1);
  });
});

describe('a delivery', () => {
  const pace = { rate: undefined, now: () => 0, wait: async () => {}, onProgress: () => {} };

  test('sends everything and tells how far it is', async () => {
    await serverThat();
    const told: number[] = [];
    const shares: number[] = [];
    const batches = Array.from({ length: 20 }, (_, number) => batch(number, 10));
    const onProgress = (share: number, records: number) => {
      told.push(records);
      shares.push(share);
    };
    expect(await deliver(batches, client, { ...pace, onProgress })).toEqual({
      ...{ records: 200, stored: 200, repeated: 0, batches: 20 },
    });
    expect(told).toEqual(batches.map((_, index) => (index + 1) * 10));
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(new Set(received.map(({ text }) => text)).size).toBe(20);
  });

  test('counts what the server had stored before', async () => {
    const repeat = (reply: ServerResponse) => void reply.end('{"data":{"accepted":10,"repeated":10}}');
    await serverThat(repeat, repeat);
    const batches = Array.from({ length: 5 }, (_, number) => batch(number, 10));
    expect(await deliver(batches, client, pace)).toMatchObject({ records: 50, stored: 30, repeated: 20 });
  });

  test('ends with the first batch that is refused', async () => {
    await serverThat(...Array(50).fill(busy(401)));
    const batches = Array.from({ length: 50 }, (_, number) => batch(number));
    await expect(deliver(batches, client, pace)).rejects.toThrow('with 401');
    expect(received.length).toBeLessThan(6);
  });

  test('keeps to a rate', async () => {
    await serverThat();
    let now = 0;
    const wait = async (milliseconds: number) => {
      now += milliseconds;
    };
    const batches = Array.from({ length: 11 }, (_, number) => batch(number, 50));
    await deliver(batches, client, { ...pace, rate: 100, now: () => now, wait });
    expect(now).toBe(5_000);
  });
});
