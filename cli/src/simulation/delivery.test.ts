import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Batch } from './batches.ts';
import { deliver } from './delivery.ts';
import { IngestClient } from './ingest-client.ts';

interface Received {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const batch = (number: number, records = 1): Batch => ({
  path: 'Activities/DNSs',
  body: `{"number":${number}}`,
  records,
  idempotencyKey: `key ${number}`,
  share: number / 20,
});

let server: Server;
let client: IngestClient;
let received: Received[];
let waits: number[];
let url: string;
afterEach(async () => {
  client.close();
  server.close();
});

/** Starts a server that sends the given responses in order, then 200. */
async function startServer(...answers: readonly ((reply: ServerResponse) => void)[]): Promise<void> {
  [received, waits] = [[], []];
  server = createServer(async (request, reply) => {
    const sent = Buffer.concat(await request.toArray());
    const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString();
    const answer = answers[received.length] ?? ((ok) => ok.end('{"data":{"accepted":1,"repeated":0}}'));
    received.push({ url: request.url, headers: request.headers, body });
    answer(reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wait = async (milliseconds: number) => waits.push(milliseconds);
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new IngestClient({ url, token: 'secret', compress: true, wait });
}

const busy =
  (status: number, headers = {}) =>
  (reply: ServerResponse) =>
    reply.writeHead(status, headers).end('{"message":"Too much is waiting."}');

describe('a batch', () => {
  test('is sent compressed, with the token and its idempotency key', async () => {
    await startServer();
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
        body: '{"number":1}',
      },
    ]);
  });

  test('is sent as it is where compression would only take time', async () => {
    await startServer();
    client = new IngestClient({ url, token: 'secret', compress: false, wait: async () => {} });
    await client.send(batch(1));
    expect(received.map(({ headers, body }) => [headers['content-encoding'], body])).toEqual([
      [undefined, '{"number":1}'],
    ]);
  });

  test('is retried with backoff while the server is busy', async () => {
    await startServer(busy(503), busy(429), busy(503, { 'Retry-After': '7' }), busy(503));
    await client.send(batch(1));
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(5).fill('key 1'));
    expect(waits).toEqual([250, 500, 7_000, 2_000]);
  });

  test('fails after the last retry, and immediately when it is rejected', async () => {
    await startServer(...Array(20).fill(busy(503)));
    await expect(client.send(batch(1))).rejects.toThrow(
      'rejected Activities/DNSs with 503: Too much is waiting.',
    );
    expect([received.length, Math.max(...waits)]).toEqual([14, 15_000]);
    server.close();
    await startServer(busy(400));
    await expect(client.send(batch(1))).rejects.toThrow('with 400');
    expect(received).toHaveLength(1);
  });
});

describe('a delivery', () => {
  const options = { rate: undefined, now: () => 0, wait: async () => {}, onProgress: () => {} };

  test('sends every batch and reports progress', async () => {
    await startServer();
    const recordCounts: number[] = [];
    const shares: number[] = [];
    const batches = Array.from({ length: 20 }, (_, number) => batch(number, 10));
    const onProgress = (share: number, records: number) => {
      recordCounts.push(records);
      shares.push(share);
    };
    expect(await deliver(batches, client, { ...options, onProgress })).toEqual({
      ...{ records: 200, stored: 200, repeated: 0, batches: 20 },
    });
    expect(recordCounts).toEqual(batches.map((_, index) => (index + 1) * 10));
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(new Set(received.map(({ body }) => body)).size).toBe(20);
  });

  test('counts records that the server had already stored', async () => {
    const repeat = (reply: ServerResponse) => void reply.end('{"data":{"accepted":10,"repeated":10}}');
    await startServer(repeat, repeat);
    const batches = Array.from({ length: 5 }, (_, number) => batch(number, 10));
    expect(await deliver(batches, client, options)).toMatchObject({ records: 50, stored: 30, repeated: 20 });
  });

  test('stops at the first rejected batch', async () => {
    await startServer(...Array(50).fill(busy(401)));
    const batches = Array.from({ length: 50 }, (_, number) => batch(number));
    await expect(deliver(batches, client, options)).rejects.toThrow('with 401');
    expect(received.length).toBeLessThan(6);
  });

  test('has at most 224 batches and 16 MB of them in flight', async () => {
    const maxInFlight = async (body: string, count: number) => {
      let [inFlight, max] = [0, 0];
      const send = async () => {
        max = Math.max(max, ++inFlight);
        await setImmediate();
        inFlight--;
        return 0;
      };
      const batches = Array.from({ length: count }, (_, number) => ({ ...batch(number), body }));
      await deliver(batches, { send }, options);
      return max;
    };
    expect(await maxInFlight('{}', 1_000)).toBe(224);
    expect(await maxInFlight(' '.repeat(4 * 1024 * 1024), 20)).toBe(4);
    expect(await maxInFlight(' '.repeat(17 * 1024 * 1024), 3)).toBe(1);
  });

  test('respects the rate', async () => {
    await startServer();
    let now = 0;
    const wait = async (milliseconds: number) => {
      now += milliseconds;
    };
    const batches = Array.from({ length: 11 }, (_, number) => batch(number, 50));
    await deliver(batches, client, { ...options, rate: 100, now: () => now, wait });
    expect(now).toBe(5_000);
  });
});
