import { hostname, networkInterfaces, release } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { utmpBytes } from '../logins/utmp.sample.ts';
import { observe } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { CloudMetadata } from './cloud/cloud-metadata.ts';
import { InterfacesSource } from './interfaces-source.ts';
import { withoutSecrets } from './kernel.ts';
import { MachineReader } from './machine-facts.ts';
import { machineProperties } from './machine-properties.ts';
import { MachineSource } from './machine-source.ts';

/** Nothing listens on this port. */
const cloud = () => new CloudMetadata('http://127.0.0.1:1');
const reader = (tags = {}) => new MachineReader({ tags, cloud: cloud() });

let mounted: TestHost;
beforeEach(() => {
  mounted = new TestHost();
});
afterEach(() => mounted.remove());

test('this host is reported as the server wants it', async () => {
  const host = new TestHost('/');
  host.time = Date.now();
  const { records } = await observe(host, new MachineSource(reader({ Env: 'test' })));
  expect(records['Entities/Machines']).toEqual([
    expect.objectContaining({
      entityType: 'Machine',
      machineTags: expect.objectContaining({ Env: 'test', os: 'linux', ExternalIp: '' }),
    }),
  ]);
  const [details] = records['Entities/MachineDetails'] ?? [];
  expect(details).toMatchObject({ kernel: 'Linux', kernelRelease: release() });
  expect(String(details?.hostname).split('.')[0]).toBe(hostname().split('.')[0]);
});

test('the interfaces of this host are reported as the server wants them', async () => {
  const { records } = await observe(new TestHost('/'), new InterfacesSource(reader()));
  const addresses = Object.values(networkInterfaces()).flatMap((some = []) => some.map((one) => one.address));
  expect(records['Entities/NetworkInterfaces']?.map(({ ipAddr }) => ipAddr).sort()).toEqual(addresses.sort());
  expect(records['Entities/InternalIPAddresses']).not.toContainEqual({ ipAddr: '127.0.0.1' });
});

test('a host that is mounted is reported, not the container of the agent', async () => {
  mounted.write('etc/hostname', 'web-1\n');
  mounted.write('etc/hosts', '127.0.1.1 web-1.shop.example web-1\n');
  mounted.write('etc/os-release', 'NAME=Ubuntu\nVERSION_ID="22.04"\nPRETTY_NAME="Ubuntu 22.04.4 LTS"\n');
  mounted.write('proc/stat', 'btime 1700000000\n');
  mounted.write('proc/cpuinfo', 'processor : 0\nmodel name : Quick\nflags : hypervisor\n');
  mounted.write('proc/meminfo', 'MemTotal:  2048 kB\n');
  mounted.write('etc/machine-id', `${'a'.repeat(32)}\n`);
  const { records, gaps } = await observe(mounted, new MachineSource(reader()));
  expect(records['Entities/MachineDetails']).toEqual([
    expect.objectContaining({
      ...{ hostname: 'web-1.shop.example', domain: 'shop.example', os: 'Ubuntu', osVersion: '22.04' },
      cpuInfo: { model: 'Quick', cores: 1 },
      memoryInfo: { totalKbytes: 2048 },
      lastBootTime: '2023-11-14T22:13:20.000Z',
      machineId: { machineId: 'a'.repeat(32) },
      tags: expect.objectContaining({ VmProvider: 'HV', Hostname: 'web-1.shop.example' }),
    }),
  ]);
  expect(gaps.map(({ what }) => what)).toEqual(['hardware addresses of network interfaces']);
});

test('an empty host has gaps that say what to mount', async () => {
  const { gaps } = await observe(mounted, new MachineSource(reader()));
  expect(gaps).toContainEqual({ what: 'distribution of the host', reason: expect.stringContaining('mount') });
});

test('small corrections of the clock are no new start', async () => {
  const one = reader();
  const bootTimes: unknown[] = [];
  for (const btime of [1_700_000_000, 1_700_000_001, 1_700_000_500]) {
    mounted.write('proc/stat', `btime ${btime}\n`);
    mounted.time += 60_000;
    bootTimes.push((await one.read(mounted)).bootedAt);
  }
  expect(bootTimes).toEqual([1_700_000_000_000, 1_700_000_000_000, 1_700_000_500_000]);
});

test('applications have the properties of the host', async () => {
  mounted.write('etc/hostname', 'web-1.shop.example\n');
  mounted.write('proc/stat', `btime ${mounted.time / 1_000 - 90}\n`);
  mounted.write('proc/meminfo', 'MemTotal:  2048 kB\n');
  const at = mounted.time;
  const sessions = ['ann', 'ann', 'bob'].map((user, pid) => utmpBytes({ type: 7, user, pid, at }));
  mounted.write('run/utmp', Buffer.concat([...sessions, utmpBytes({ type: 8, user: 'eve', at })]));
  expect(await machineProperties(mounted, reader({ Env: 'test' }))).toMatchObject({
    ...{ hostname: 'web-1.shop.example', mem_kbytes: 2048, num_users: 2, up_time: 90 },
    ...{ primary_tags: ['Hostname', 'Env'], tags: { Env: 'test' } },
  });
});

test('sessions of systemd are counted where there is no utmp', async () => {
  expect(await machineProperties(mounted, reader())).not.toHaveProperty('num_users');
  mounted.write('run/systemd/sessions/1', 'UID=0\nUSER=root\nCLASS=user\n');
  mounted.write('run/systemd/sessions/2', 'UID=1\nUSER=gdm\nCLASS=greeter\n');
  expect(await machineProperties(mounted, reader())).toMatchObject({ num_users: 1 });
});

test('passwords among the parameters of the kernel are not reported', () => {
  expect(withoutSecrets('ro rd.iscsi.password=open quiet root=http://a:b@disk')).toBe(
    'ro rd.iscsi.password=*** quiet root=http://a:***@disk',
  );
});
