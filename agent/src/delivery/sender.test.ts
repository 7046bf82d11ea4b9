import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Batch, Entry } from '../journal/entry.ts';
import { Connection } from './connection.ts';
import { Sender, type SenderDeps } from './sender.ts';

interface Received {
  readonly path: string;
  readonly key: string;
  readonly authorization: string;
  readonly body: string;
}

let server: Server;
let connection: Connection;
let received: Received[];
let waits: number[];
let messages: string[];
let answers: ((request: Received) => { status: number; headers?: Record<string, string>; body?: object })[];
const stop = new AbortController();

beforeEach(async () => {
  [received, waits, messages, answers] = [[], [], [], []];
  server = createServer(async (request, response) => {
    const one = await receive(request);
    received.push(one);
    const { status, headers = {}, body = {} } = answers.shift()?.(one) ?? { status: 200 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  connection = new Connection({ url: `http://127.0.0.1:${port}`, environment: {} });
});
afterEach(async () => {
  connection.close();
  await new Promise((resolve) => server.close(resolve));
});

async function receive(request: IncomingMessage): Promise<Received> {
  const body = gunzipSync(await buffer(request)).toString();
  const { 'idempotency-key': key, authorization = '' } = request.headers;
  return { path: request.url ?? '', key: String(key), authorization, body };
}

const users = (...uids: number[]): Batch => ({
  path: 'Entities/Users',
  body: uids.map((uid) => JSON.stringify({ uid })).join('\n'),
});

/** A journal in memory: the sender takes entries and acknowledges them. */
function senderOf(...given: readonly (Batch[] | Partial<SenderDeps>)[]) {
  const all = given.filter((one) => Array.isArray(one));
  const deps = given.filter((one) => !Array.isArray(one));
  const waiting = all.map(
    (batches, index): Entry => ({
      ...{ number: index + 1, source: 'users', cursor: undefined, hour: 1, batches, digests: new Map() },
    }),
  );
  const journal = {
    id: 'journal',
    next: async () => waiting[0],
    acknowledge: async (number: number) => {
      while (waiting[0] && waiting[0].number <= number) waiting.shift();
    },
  };
  return new Sender({
    ...{ journal, connection, token: () => 'secret', now: () => 1_767_225_600_000, random: () => 0 },
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
    log: (message) => messages.push(message),
    ...deps[0],
  });
}

test('entries are sent in order with their keys', async () => {
  const sender = senderOf([users(1), users(2, 3)], [users(4)]);
  expect(await sender.sendWaiting(stop.signal)).toBe(2);
  expect(received).toEqual(
    [
      ...[
        { key: 'journal-1-0', body: '{"uid":1}' },
        { key: 'journal-1-1', body: '{"uid":2}\n{"uid":3}' },
      ],
      ...[{ key: 'journal-2-0', body: '{"uid":4}' }],
    ].map((one) => ({ path: '/ingest/v1/Entities/Users', authorization: 'Bearer secret', ...one })),
  );
});

test('while the server is busy or fails, the same entry is sent again with the same key', async () => {
  answers.push(
    () => ({ status: 503, headers: { 'retry-after': '7' }, body: { message: 'The disk is full.' } }),
    () => ({ status: 429, headers: { 'retry-after': '1' } }),
    () => ({ status: 500 }),
    () => ({ status: 401, body: { message: 'The token is disabled.' } }),
  );
  await senderOf([users(1)], [users(2)]).sendWaiting(stop.signal);
  expect(received.map(({ key }) => key)).toEqual([...Array(5).fill('journal-1-0'), 'journal-2-0']);
  expect(waits).toEqual([7_000, 1_000, 4_000, 8_000]);
  expect(messages).toEqual(['The server answers 503: The disk is full.']);
});

test('a lost connection is tried again', async () => {
  answers.push(() => {
    server.closeAllConnections();
    return { status: 200 };
  });
  await senderOf([users(1)]).sendWaiting(stop.signal);
  expect(received.map(({ key }) => key)).toEqual(['journal-1-0', 'journal-1-0']);
  expect(waits).toEqual([1_000]);
  expect(messages).toEqual([expect.stringContaining('The server can not be reached: ')]);
});

test('a record that the server rejects does not cost the others', async () => {
  const reject = ({ body }: Received) =>
    body.includes('"uid":3') ? { status: 400, body: { message: 'Record 1: uid.' } } : { status: 200 };
  answers.push(...Array(10).fill(reject));
  const sender = senderOf([users(1, 2, 3, 4)], [users(5)]);
  expect(await sender.sendWaiting(stop.signal)).toBe(2);
  const stored = received
    .filter(({ body }) => !body.includes('"uid":3'))
    .flatMap(({ body }) => body.split('\n'));
  expect(stored).toEqual(['{"uid":1}', '{"uid":2}', '{"uid":4}', '{"uid":5}']);
  expect(sender.rejected).toBe(1);
  expect(messages).toEqual(['The server rejects 1 of Entities/Users with 400: Record 1: uid.']);
});

test('a dataset that the server does not know is given up at once', async () => {
  answers.push(() => ({ status: 404, body: { message: 'There is no such path.' } }));
  const sender = senderOf([users(1, 2)], [users(3)]);
  await sender.sendWaiting(stop.signal);
  expect(received).toHaveLength(2);
  expect(sender.rejected).toBe(2);
});

test('the difference of the clocks is known from an answer', async () => {
  answers.push(() => ({ status: 200, headers: { date: 'Wed, 31 Dec 2025 23:59:00 GMT' } }));
  const sender = senderOf([users(1)]);
  expect(sender.clockSkew).toBeUndefined();
  await sender.sendWaiting(stop.signal);
  expect(sender.clockSkew).toBe(60_000);
});

test('a new token is kept and used from then on', async () => {
  const give = (token: string) => () => ({ status: 200, headers: { 'vedette-token': token } });
  answers.push(give('0123456789abcdef'), give('0123456789abcdef'), give('not a token'));
  let token = 'secret';
  const kept: string[] = [];
  const sender = senderOf({ token: () => token }, [users(1)], [users(2)], [users(3)], [users(4)]);
  await sender.sendWaiting(stop.signal);
  expect(received.map(({ authorization }) => authorization)).toEqual(Array(4).fill('Bearer secret'));

  received = [];
  answers.push(() => ({ status: 503, headers: { 'vedette-token': '0123456789abcdef' } }));
  const onToken = async (given: string) => {
    kept.push(given);
    token = given;
  };
  await senderOf({ token: () => token, onToken }, [users(1)], [users(2)]).sendWaiting(stop.signal);
  expect(kept).toEqual(['0123456789abcdef']);
  expect(received.map(({ authorization }) => authorization)).toEqual([
    ...['Bearer secret', 'Bearer 0123456789abcdef', 'Bearer 0123456789abcdef'],
  ]);
});

test('a new token that can not be kept costs no records', async () => {
  answers.push(...Array(2).fill(() => ({ status: 200, headers: { 'vedette-token': '0123456789abcdef' } })));
  const onToken = () => Promise.reject(new Error('The disk is full.'));
  const sender = senderOf({ onToken }, [users(1)], [users(2)]);
  expect(await sender.sendWaiting(stop.signal)).toBe(2);
  expect(received.map(({ authorization }) => authorization)).toEqual(['Bearer secret', 'Bearer secret']);
  expect(messages).toEqual(['The new access token can not be kept: The disk is full.']);
});

test('a token that is refused can be exchanged for another one', async () => {
  answers.push(() => ({ status: 401, body: { message: 'The token is wrong.' } }));
  let token = 'kept';
  const onTokenRefused = () => {
    token = 'configured';
  };
  await senderOf({ token: () => token, onTokenRefused }, [users(1)]).sendWaiting(stop.signal);
  expect(received.map(({ authorization }) => authorization)).toEqual(['Bearer kept', 'Bearer configured']);
});

test('it waits for entries, and ends when it is stopped while the server is away', async () => {
  const ending = new AbortController();
  const sender = senderOf([users(1)]);
  const running = sender.run(ending.signal);
  await expect.poll(() => received.length).toBe(1);
  ending.abort();
  await running;
  const away = new AbortController();
  answers.push(...Array(100).fill(() => ({ status: 503 })));
  const busy = senderOf([users(2)]);
  const ended = busy.run(away.signal);
  await expect.poll(() => waits.length).toBeGreaterThan(3);
  away.abort();
  await ended;
});
