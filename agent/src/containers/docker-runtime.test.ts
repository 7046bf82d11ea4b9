import { chmodSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestHost } from '../testing/test-host.ts';
import { unprivileged } from '../testing/unprivileged.ts';
import { parseContainer, parseDetails, parseImage, parseListed } from './docker-form.ts';
import { DockerRuntime } from './docker-runtime.ts';
import { JsonValue } from './json-value.ts';

const [web, pause, job, old] = ['1', '2', '3', '4'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
];
const imageId = `sha256:${'a'.repeat(64)}`;
const listed = [
  {
    ...{ Id: web, Names: ['/k8s_web'], Image: imageId, ImageID: imageId, State: 'running' },
    Labels: {
      'io.kubernetes.pod.name': 'web-7d9f',
      'io.kubernetes.pod.namespace': 'shop',
      'io.kubernetes.container.name': 'web',
    },
    Ports: [{ PrivatePort: 80, PublicPort: 8080, Type: 'tcp' }],
    HostConfig: { NetworkMode: 'default' },
    NetworkSettings: { Networks: {} },
    Mounts: [{ Source: '/var/run/docker.sock', Destination: '/run/docker.sock' }],
  },
  {
    ...{ Id: pause, Names: ['/k8s_POD'], Image: 'pause', ImageID: imageId, State: 'running' },
    Labels: {
      'io.kubernetes.docker.type': 'podsandbox',
      'io.kubernetes.pod.name': 'web-7d9f',
      'io.kubernetes.pod.namespace': 'shop',
    },
    NetworkSettings: { Networks: { bridge: { IPAddress: '10.1.2.3' } } },
  },
  { Id: job, Names: ['/job'], Image: 'shop/job', ImageID: imageId, State: 'exited', Labels: {} },
  { Id: old, Names: ['/old'], Image: 'shop/job', ImageID: imageId, State: 'exited', Labels: {} },
];
const details: Record<string, unknown> = {
  [web]: {
    State: { StartedAt: '2026-01-01T09:00:00.123456789Z', FinishedAt: '0001-01-01T00:00:00Z' },
    HostConfig: { Privileged: true, NetworkMode: 'host', PidMode: 'host' },
    Config: { Image: 'registry.example/shop/web:v1', Env: ['PATH=/bin', 'DB_PASSWORD=hunter2'] },
  },
  [job]: { State: { FinishedAt: '2026-01-01T10:05:00Z' }, HostConfig: {}, Config: {} },
  [old]: { State: { FinishedAt: '2026-01-01T09:59:59Z' }, HostConfig: {}, Config: {} },
};
const images = [
  {
    ...{ Id: imageId, ParentId: '', RepoTags: ['registry.example/shop/web:v1'], Created: 1_714_568_400 },
    ...{ RepoDigests: [`registry.example/shop/web@sha256:${'b'.repeat(64)}`], Size: 1234 },
  },
];

let host: TestHost;
let servers: Server[];
let requests: string[];
beforeEach(() => {
  [host, servers, requests] = [new TestHost(), [], []];
});
afterEach(() => {
  for (const server of servers) server.close().closeAllConnections();
  host.remove();
});

async function serve(listener: RequestListener): Promise<void> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(host.place('/run/docker.sock'), done));
}

const engine: RequestListener = ({ method, url = '' }, response) => {
  requests.push(`${method} ${url}`);
  const id = /^\/containers\/(.*)\/json$/.exec(url)?.[1];
  const answer = url === '/images/json' ? images : id === undefined ? listed : details[id];
  response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? { message: 'No such container' }));
};

function inventory(limits?: { milliseconds: number; bytes: number }) {
  return new DockerRuntime('Docker', 'DOCKER', '/run/docker.sock', limits).inventory(host);
}

test('containers have their details, and those that ended before this hour are left out', async () => {
  await serve(engine);
  const found = await inventory();
  if (found.is !== 'read') throw new Error(JSON.stringify(found));
  expect(found.value.gaps).toEqual([]);
  expect(found.value.containers[0]).toEqual({
    ...{ id: web, name: 'shop/web-7d9f/web', shortName: 'web', runtime: 'DOCKER', imageId },
    ...{ imageRepo: 'registry.example/shop/web', imageTag: 'v1', isRunning: true },
    pod: { name: 'web-7d9f', namespace: 'shop', address: '10.1.2.3' },
    startedAt: Date.parse('2026-01-01T09:00:00.123Z'),
    labels: listed[0]?.Labels,
    environment: { PATH: '/bin', DB_PASSWORD: '***' },
    volumes: { '/var/run/docker.sock': '/run/docker.sock' },
    ports: { '80': 'TCP' },
    ...{ networkMode: 'Host', pidMode: 'Host', isPrivileged: true },
  });
  expect(found.value.containers.map(({ name }) => name)).toEqual(['shop/web-7d9f/web', 'job']);
  expect(found.value.containers[1]).toMatchObject({ imageRepo: 'shop/job', imageTag: 'latest' });
  expect(found.value.otherIds).toEqual([pause, old]);
  expect(found.value.images).toEqual([
    {
      ...{ id: imageId, runtime: 'DOCKER', tags: images[0]?.RepoTags, digests: images[0]?.RepoDigests },
      ...{ size: 1234, createdAt: 1_714_568_400_000 },
    },
  ]);
});

test('only GET requests are sent, and details once', async () => {
  await serve(engine);
  const runtime = new DockerRuntime('Docker', 'DOCKER', '/run/docker.sock');
  await runtime.inventory(host);
  const first = requests.splice(0);
  await runtime.inventory(host);
  expect(first).toEqual([
    'GET /containers/json?all=1',
    ...[web, job, old].map((id) => `GET /containers/${id}/json`),
    'GET /images/json',
  ]);
  expect(requests).toEqual(['GET /containers/json?all=1', 'GET /images/json']);
});

test('without a socket or a listener, the runtime is absent', async () => {
  expect(await inventory()).toEqual({ is: 'absent' });
  host.write('/run/docker.sock', '');
  expect(await inventory()).toEqual({ is: 'absent' });
});

test('a socket that may not be opened is unreadable', async () => {
  await serve(engine);
  chmodSync(host.place('/run/docker.sock'), 0);
  expect(await unprivileged(() => inventory())).toMatchObject({
    is: 'unreadable',
    reason: expect.stringContaining('root'),
  });
});

test.each<[string, RequestListener, string]>([
  ['an error', (_, response) => response.writeHead(500).end('{}'), 'status 500'],
  ['no JSON', (_, response) => response.end('<html>'), 'not JSON'],
  ['another type', (_, response) => response.end('{"a":1}'), 'not an array'],
  [
    'a truncated answer',
    (_, response) => response.writeHead(200, { 'content-length': 9 }).write('['),
    'in time',
  ],
  ['a lost connection', ({ socket }) => socket.destroy(), 'could not be read'],
  ['an answer that never begins', () => {}, 'in time'],
  ['too much', (_, response) => response.end(`[${' '.repeat(2_000_000)}]`), 'more than 100000 bytes'],
  [
    'an answer that never ends',
    (_, response) => {
      const more = () => response.destroyed || response.write(' '.repeat(10_000), more);
      more();
    },
    'more than 100000 bytes',
  ],
])('%s is unreadable', async (_, listener, reason) => {
  await serve(listener);
  const found = await inventory({ milliseconds: reason === 'in time' ? 300 : 30_000, bytes: 100_000 });
  expect(found).toEqual({ is: 'unreadable', reason: expect.stringContaining(reason) });
});

test('what is not understood in a list is a gap', async () => {
  await serve(({ url = '' }, response) => {
    if (url === '/images/json') response.end('[{"Id":7},null]');
    else if (url.startsWith('/containers/json')) response.end(JSON.stringify([listed[0], { Id: '../x' }, 3]));
    else response.writeHead(500).end();
  });
  const found = await inventory();
  if (found.is !== 'read') throw new Error(JSON.stringify(found));
  expect(found.value.containers.map(({ id }) => id)).toEqual([web]);
  expect(found.value.gaps.map(({ what }) => what)).toEqual([
    '2 containers of Docker',
    'details of 1 containers of Docker',
    '2 images of Docker',
  ]);
});

test('whatever JSON an engine answers with is parsed', () => {
  const names = fc.constantFrom(
    'Id',
    'Names',
    'Labels',
    'State',
    'Ports',
    'Mounts',
    'HostConfig',
    'Config',
    'Env',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.constant(web),
      fc.dictionary(names, tie('value')),
      fc.array(tie('value')),
    ),
  }));
  fc.assert(
    fc.property(value, value, (entry, detail) => {
      const json = new JsonValue({ ...(entry as object), Id: web });
      const container = parseListed(json);
      if (container) parseContainer(container, parseDetails(new JsonValue(detail)), 'DOCKER');
      parseListed(new JsonValue(entry));
      parseImage(new JsonValue(entry), 'DOCKER');
    }),
  );
});
