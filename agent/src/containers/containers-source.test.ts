import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostProcess } from '../processes/host-process.ts';
import { absent, type Reading, read, unreadable } from '../reading.ts';
import { ingested } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import type { Container, Image, Inventory } from './container.ts';
import { ContainersSource } from './containers-source.ts';
import type { ContainerRuntime } from './runtime.ts';

const [web, pause, unlisted] = ['1'.repeat(64), '2'.repeat(64), '3'.repeat(64)];
const imageId = `sha256:${'a'.repeat(64)}`;
const container: Container = {
  ...{ id: web, name: 'shop/web-7d9f/web', shortName: 'web', runtime: 'DOCKER', imageId },
  ...{ imageRepo: 'registry.example/shop/web', imageTag: 'v1', isRunning: true },
  pod: { name: 'web-7d9f', namespace: 'shop', address: '10.1.2.3' },
  ...{ startedAt: Date.parse('2026-01-01T09:00:00Z'), labels: { app: 'shop' }, isPrivileged: true },
  ...{ environment: { PATH: '/bin' }, volumes: { '/srv': '/data' }, ports: { '80': 'TCP' } },
};
const image: Image = {
  ...{ id: imageId, runtime: 'DOCKER', tags: ['registry.example/shop/web:v1'], digests: [], size: 9 },
  createdAt: Date.parse('2025-12-01T00:00:00Z'),
};
const inventory: Inventory = { containers: [container], images: [image], otherIds: [pause], gaps: [] };

let host: TestHost;
beforeEach(() => {
  host = new TestHost();
});
afterEach(() => host.remove());

const runtime = (name: string, found: Reading<Inventory>): ContainerRuntime => ({
  name,
  inventory: async () => found,
});

function sourceWith(runtimes: readonly ContainerRuntime[], containerIds: readonly string[] = []) {
  const processes = containerIds.map((containerId) => ({ containerId }) as HostProcess);
  return new ContainersSource({
    readProcesses: async () => read(processes),
    machineTags: () => ({ Hostname: 'web-1' }),
    runtimes,
  });
}

test('the server stores containers, images and pods', async () => {
  const source = sourceWith([runtime('Docker', read(inventory))], [web, pause]);
  const observation = await source.observe(host);
  expect(observation.gaps).toEqual([]);
  expect(ingested(observation, host.now())).toMatchObject({
    'Entities/Containers': [
      {
        ...{ containerName: 'shop/web-7d9f/web', podName: 'web-7d9f', imageId, containerId: web },
        tags: { Hostname: 'web-1' },
        propsContainer: {
          IMAGE_TAG: 'v1',
          PRIVILEGED: 1,
          NAME: 'web',
          IMAGE_SIZE: 9,
          VOLUME_MAP: { '/srv': '/data' },
        },
      },
    ],
    'Entities/Images': [{ imageId, repo: 'registry.example/shop/web', tag: 'v1', size: 9, activeCount: 1 }],
    'Entities/K8sPods': [{ podName: 'web-7d9f', primaryIpAddr: '10.1.2.3' }],
  });
  expect(source.containerIndex().get(web)).toEqual({
    ...{ name: 'shop/web-7d9f/web', imageRepo: 'registry.example/shop/web', imageTag: 'v1' },
    ...{ podName: 'web-7d9f', podNamespace: 'shop', podAddress: '10.1.2.3' },
  });
});

test('a container that several runtimes list is reported once, by the first', async () => {
  const other = { ...inventory, containers: [{ ...container, runtime: 'CONTAINERD' as const }] };
  const source = sourceWith([runtime('Docker', read(inventory)), runtime('containerd', read(other))]);
  const { records } = await source.observe(host);
  expect(records['Entities/Containers']).toMatchObject([{ propsContainer: { CONTAINER_TYPE: 'DOCKER' } }]);
  expect(records['Entities/Images']).toHaveLength(1);
});

test('a container of processes that no runtime lists is reported by its id, from the second time on', async () => {
  const source = sourceWith([runtime('Docker', read(inventory))], [web, unlisted, unlisted]);
  expect((await source.observe(host)).records['Entities/Containers']).toHaveLength(1);
  const observation = await source.observe(host);
  expect(ingested(observation, host.now())['Entities/Containers']?.[1]).toMatchObject({
    ...{ containerName: '333333333333', imageId: 'unknown', containerId: unlisted },
  });
  expect(observation.gaps).toEqual([
    { what: 'names and images of 1 containers', reason: expect.stringContaining('socket') },
  ]);
});

test('a runtime that is absent is no gap, one that is unreadable is', async () => {
  const source = sourceWith([runtime('Docker', absent), runtime('podman', unreadable('It did not answer.'))]);
  expect(await source.observe(host)).toEqual({
    records: { 'Entities/Containers': [], 'Entities/Images': [], 'Entities/K8sPods': [] },
    gaps: [{ what: 'containers of podman', reason: 'It did not answer.' }],
  });
});

test('without any runtime there is nothing to report', async () => {
  const source = new ContainersSource({ readProcesses: async () => absent, machineTags: () => ({}) });
  const { records, gaps } = await source.observe(host);
  expect([records['Entities/Containers'], gaps]).toEqual([[], []]);
});

test('an image without a name has its digest, or none', async () => {
  const digest = `sha256:${'b'.repeat(64)}`;
  const images = [
    { ...image, tags: ['<none>:<none>'], digests: [`shop/web@${digest}`] },
    { ...image, id: 'sha256:c', tags: [] },
  ];
  const source = sourceWith([runtime('Docker', read({ ...inventory, images }))]);
  expect((await source.observe(host)).records['Entities/Images']).toMatchObject([
    { repo: 'shop/web', tag: digest, digest },
    { repo: '<none>', tag: '<none>', activeCount: 0 },
  ]);
});
