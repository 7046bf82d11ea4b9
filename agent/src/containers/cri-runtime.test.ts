import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestHost } from '../testing/test-host.ts';
import { framed } from './cri-connection.ts';
import {
  parseContainerStatus,
  parseContainers,
  parseImages,
  parseSandboxes,
  parseSandboxStatus,
} from './cri-form.ts';
import { CriRuntime } from './cri-runtime.ts';
import { field, Message } from './protobuf.ts';

const [web, sandbox] = ['1'.repeat(64), '2'.repeat(64)];
const imageId = `sha256:${'a'.repeat(64)}`;
const all = (...fields: Buffer[]) => Buffer.concat(fields);
const nanoseconds = (time: string) => BigInt(Date.parse(time)) * 1_000_000n;

const information = {
  config: { linux: { security_context: { privileged: true } } },
  runtimeSpec: { process: { env: ['PATH=/bin', 'TOKEN=hunter2'] } },
};
const answers: Record<string, Buffer> = {
  ListContainers: field(
    1,
    all(
      ...[field(1, web), field(2, sandbox), field(3, field(1, 'web')), field(4, field(1, imageId))],
      ...[field(5, imageId), field(6, 1n), field(8, all(field(1, 'app'), field(2, 'shop')))],
    ),
  ),
  ListPodSandbox: field(
    1,
    all(field(1, sandbox), field(2, all(field(1, 'web-7d9f'), field(2, 'uid'), field(3, 'shop')))),
  ),
  ContainerStatus: all(
    field(
      1,
      all(
        ...[field(1, web), field(5, nanoseconds('2026-01-01T09:00:00Z'))],
        ...[field(8, field(1, 'registry.example/shop/web:v1'))],
        field(14, all(field(1, '/data'), field(2, '/srv/data'))),
      ),
    ),
    field(2, all(field(1, 'info'), field(2, JSON.stringify(information)))),
  ),
  PodSandboxStatus: field(
    1,
    all(
      field(5, all(field(1, 'fd00::1'), field(2, field(1, '10.1.2.3')))),
      field(6, field(1, field(2, field(1, 2n)))),
    ),
  ),
  ListImages: field(
    1,
    all(field(1, 'a'.repeat(64)), field(2, 'registry.example/shop/web:v1'), field(4, 1234n)),
  ),
};

let host: TestHost;
let server: Http2Server | undefined;
let sessions: Set<ServerHttp2Session>;
let calls: string[];
beforeEach(() => {
  [host, server, sessions, calls] = [new TestHost(), undefined, new Set(), []];
});
afterEach(() => {
  for (const session of sessions) session.destroy();
  server?.close();
  host.remove();
});

async function serve(
  answer: (call: string, stream: ServerHttp2Stream, message: Buffer) => void,
): Promise<void> {
  server = createServer();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('end', () => {
      const call = String(headers[':path']);
      calls.push(call);
      answer(call.split('/').at(-1) ?? '', stream, Buffer.concat(chunks).subarray(5));
    });
  });
  await new Promise<void>((done) => server?.listen(host.place('/run/cri.sock'), done));
}

function reply(stream: ServerHttp2Stream, body: Buffer, status = '0'): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }));
  stream.end(body);
}

/** An answer without a message has its status in the headers. */
function refuse(stream: ServerHttp2Stream, status: string): void {
  stream.respond({ ':status': 200, 'grpc-status': status }, { endStream: true });
}

const runtimeWith = (limits?: { milliseconds: number; bytes: number }) =>
  new CriRuntime('containerd', 'CONTAINERD', '/run/cri.sock', limits);

test('containers have their pod, image, environment and privileges', async () => {
  const asked: [string, Message][] = [];
  await serve((call, stream, message) => {
    asked.push([call, new Message(message)]);
    reply(stream, framed(answers[call] ?? Buffer.alloc(0)));
  });
  const found = await runtimeWith().inventory(host);
  expect(found).toEqual({
    is: 'read',
    value: {
      containers: [
        {
          ...{ id: web, name: 'shop/web-7d9f/web', shortName: 'web', runtime: 'CONTAINERD', imageId },
          ...{ imageRepo: 'registry.example/shop/web', imageTag: 'v1', isRunning: true },
          pod: { name: 'web-7d9f', namespace: 'shop', address: '10.1.2.3' },
          startedAt: Date.parse('2026-01-01T09:00:00Z'),
          labels: { app: 'shop' },
          environment: { PATH: '/bin', TOKEN: '***' },
          volumes: { '/srv/data': '/data' },
          ports: {},
          ...{ networkMode: 'Host', pidMode: 'Private', isPrivileged: true, ipv4: '10.1.2.3' },
        },
      ],
      images: [
        {
          id: imageId,
          runtime: 'CONTAINERD',
          tags: ['registry.example/shop/web:v1'],
          digests: [],
          size: 1234,
        },
      ],
      otherIds: [sandbox],
      gaps: [],
    },
  });
  const status = asked.find(([call]) => call === 'ContainerStatus')?.[1];
  expect([status?.string(1), status?.count(2)]).toEqual([web, 1]);
});

test('only calls that change nothing are sent, and details once', async () => {
  await serve((call, stream) => reply(stream, framed(answers[call] ?? Buffer.alloc(0))));
  const runtime = runtimeWith();
  await runtime.inventory(host);
  expect(calls.splice(0)).toEqual([
    '/runtime.v1.RuntimeService/ListContainers',
    '/runtime.v1.RuntimeService/ListPodSandbox',
    '/runtime.v1.ImageService/ListImages',
    '/runtime.v1.RuntimeService/ContainerStatus',
    '/runtime.v1.RuntimeService/PodSandboxStatus',
  ]);
  await runtime.inventory(host);
  expect(calls).toHaveLength(3);
});

test('without a socket, a listener or the interface, the runtime is absent', async () => {
  expect(await runtimeWith().inventory(host)).toEqual({ is: 'absent' });
  host.write('/run/cri.sock', '');
  expect(await runtimeWith().inventory(host)).toEqual({ is: 'absent' });
});

test('containerd without the interface of Kubernetes is absent', async () => {
  await serve((_, stream) => refuse(stream, '12'));
  expect(await runtimeWith().inventory(host)).toEqual({ is: 'absent' });
});

test.each<[string, (stream: ServerHttp2Stream) => void, string]>([
  ['a refusal', (stream) => refuse(stream, '7'), 'denies'],
  ['an error', (stream) => refuse(stream, '13'), 'gRPC status 13'],
  ['no message', (stream) => reply(stream, Buffer.alloc(0)), 'not one gRPC message'],
  [
    'half a message',
    (stream) => reply(stream, framed(Buffer.alloc(9)).subarray(0, 8)),
    'not one gRPC message',
  ],
  ['a compressed message', (stream) => reply(stream, Buffer.from([1, 0, 0, 0, 0])), 'not one gRPC message'],
  ['a malformed message', (stream) => reply(stream, framed(Buffer.from([10, 200]))), 'malformed'],
  ['another type', (stream) => reply(stream, framed(field(1, 7n))), 'malformed'],
  ['a lost connection', (stream) => stream.session?.destroy(), 'could not be read'],
  ['a reset', (stream) => stream.close(2), 'could not be read'],
  [
    'no status',
    (stream) => stream.respond({ ':status': 200 }, { endStream: true }),
    'before the answer ended',
  ],
  ['an answer that never begins', () => {}, 'in time'],
  ['an answer that stops', (stream) => stream.respond({ ':status': 200 }), 'in time'],
  ['too much', (stream) => reply(stream, framed(Buffer.alloc(200_000))), 'more than 100000 bytes'],
  [
    'an answer that never ends',
    (stream) => {
      const more = () => stream.destroyed || stream.write(Buffer.alloc(10_000), more);
      stream.respond({ ':status': 200 });
      more();
    },
    'more than 100000 bytes',
  ],
])('%s is unreadable', async (_, answer, reason) => {
  await serve((_call, stream) => answer(stream));
  const found = await runtimeWith({
    milliseconds: reason === 'in time' ? 300 : 30_000,
    bytes: 100_000,
  }).inventory(host);
  expect(found).toEqual({ is: 'unreadable', reason: expect.stringContaining(reason) });
});

test('what is not HTTP/2 is unreadable', async () => {
  const { createServer: createPlain } = await import('node:net');
  const plain = createPlain((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise<void>((done) => plain.listen(host.place('/run/cri.sock'), done));
  expect(await runtimeWith().inventory(host)).toMatchObject({ is: 'unreadable' });
  plain.close();
});

test('details and images that can not be read are gaps', async () => {
  await serve((call, stream) => {
    if (call === 'ListContainers' || call === 'ListPodSandbox')
      reply(stream, framed(answers[call] as Buffer));
    else refuse(stream, '13');
  });
  const found = await runtimeWith().inventory(host);
  if (found.is !== 'read') throw new Error(JSON.stringify(found));
  expect(found.value.containers).toMatchObject([{ id: web, imageId, name: 'shop/web-7d9f/web' }]);
  expect(found.value.gaps.map(({ what }) => what)).toEqual([
    'images of containerd',
    'details of 1 containers of containerd',
    'details of 1 pods of containerd',
  ]);
});

test('whatever a runtime answers is read or unreadable', () => {
  const parsers = [
    ...[parseContainers, parseSandboxes, parseContainerStatus, parseSandboxStatus],
    (bytes: Buffer) => parseImages(bytes, 'CRIO'),
  ];
  const damaged = fc
    .tuple(fc.constantFrom(...Object.values(answers)), fc.nat(), fc.nat(255))
    .map(([bytes, at, byte]) => {
      const copy = Buffer.from(bytes);
      copy[at % copy.length] = byte;
      return copy;
    });
  const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.oneof(noise, damaged), (bytes) => {
      for (const parse of parsers) expect(['read', 'unreadable']).toContain(parse(bytes).is);
    }),
    { numRuns: 500 },
  );
});
