import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { HttpSink } from './http-sink.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A sink for a server that answers so, and the queries that the server received. */
async function sinkOf(answer: (response: ServerResponse) => void) {
  const queries: URLSearchParams[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    queries.push(new URL(request.url ?? '', 'http://server').searchParams);
    request.resume().once('end', () => answer(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sink = new HttpSink({ url, token: 't', compress: false, wait: () => Promise.resolve() }, 'aws');
  closing.push(
    () => sink.close(),
    () => server.close(),
  );
  return { sink, queries };
}

const id = { kind: 'LW_CFG_AWS_EC2_VPCS', cloudAccount: '1', region: 'eu-west-1', started: 1 };
const end = { ended: 2, status: 'collected', reason: '', parts: 0, digest: 'd' } as const;

test('an end by digest names a part, so that a server that does not know digests refuses it', async () => {
  const { sink, queries } = await sinkOf((response) =>
    response.end(JSON.stringify({ data: { received: 0, opened: 0, closed: 0 } })),
  );
  expect(await sink.finish(id, end)).toEqual({ opened: 0, closed: 0 });
  expect(Object.fromEntries(queries[0] ?? [])).toMatchObject({ digest: 'd', parts: '1' });
});

test('an end by digest whose answer is lost does not count', async () => {
  const { sink } = await sinkOf((response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"data":', () => response.destroy());
  });
  expect(await sink.finish(id, end)).toEqual({ opened: 0, closed: 0, differs: 'changed' });
});
