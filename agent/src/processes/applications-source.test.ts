import { afterEach, beforeEach, expect, test } from 'vitest';
import { absent, read, unreadable } from '../reading.ts';
import { ingestedAs } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { ApplicationsSource } from './applications-source.ts';
import { sampleProcess } from './host-process.sample.ts';
import type { HostProcess } from './host-process.ts';

const container = 'ab'.repeat(32);
const info = { pod_name: 'web-1', image_repo: 'shop' };

let host: TestHost;
beforeEach(() => {
  host = new TestHost();
  host.write('/etc/passwd', 'www-data:x:33:33::/srv:\n');
});
afterEach(() => host.remove());

async function applicationsOf(...processes: HostProcess[]) {
  const source = new ApplicationsSource({
    processes: async () => read(processes),
    machineProperties: async () => ({ hostname: 'web-10', tags: {} }),
    findContainer: (id) => (id === container ? { podName: 'web-1', info } : undefined),
  });
  return ingestedAs('Entities/Applications', await source.observe(host));
}

test('processes of one program and user are one application', async () => {
  const records = await applicationsOf(
    sampleProcess({ pid: 1 }),
    sampleProcess({ pid: 2, containerId: container }),
    sampleProcess({ pid: 3, effectiveUid: 0 }),
  );
  expect(records).toEqual([
    {
      mid: 7,
      startTime: expect.any(String),
      endTime: expect.any(String),
      appName: 'nginx',
      exePath: '/usr/sbin/nginx',
      username: { effective: 'www-data', original: 'www-data' },
      propsMachine: { hostname: 'web-10', tags: {} },
      containerInfo: info,
      netStats: { num_in_bytes: 0, num_out_bytes: 0, num_total_bytes: 0 },
      props: { num_processes: 2, bytes: 'unknown' },
    },
    expect.objectContaining({
      username: { effective: '0', original: 'www-data' },
      props: { num_processes: 1, bytes: 'unknown' },
    }),
  ]);
  expect(records[1]).not.toHaveProperty('containerInfo');
});

test('threads of the kernel are left out; what may not be read is not', async () => {
  const records = await applicationsOf(
    sampleProcess({ pid: 2, name: 'kthreadd', program: absent, parameters: read([]) }),
    sampleProcess({ pid: 3, name: 'sshd', program: unreadable('denied') }),
  );
  expect(records.map(({ appName, exePath }) => [appName, exePath])).toEqual([['sshd', '[sshd]']]);
});

test('without processes there is a gap', async () => {
  const source = new ApplicationsSource({
    processes: async () => unreadable('no /proc'),
    machineProperties: async () => ({}),
  });
  expect((await source.observe(host)).gaps).toEqual([{ what: 'Applications', reason: 'no /proc' }]);
});
