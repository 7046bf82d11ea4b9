import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { read, unreadable } from '../reading.ts';
import type { Observation } from '../source.ts';
import { ingested } from '../testing/ingest.ts';
import { ExecutionsSource } from './executions-source.ts';
import { sampleProcess } from './host-process.sample.ts';
import type { HostProcess } from './host-process.ts';

const at = Date.parse('2026-01-01T10:20:30.400Z');
const host = { now: () => at };
const init = sampleProcess({ pid: 1, ppid: 0, startTicks: 1n, program: read('/sbin/init') });
const web = sampleProcess({ pid: 100, startTicks: 100n });
const shell = sampleProcess({
  ...{ pid: 200, ppid: 100, startTicks: 200n, uid: 33, parentKey: web.key },
  ...{ program: read('/usr/bin/dash'), parameters: read(['sh', '-c', 'mysql -phunter2']) },
});

let boot: string;
let processes: readonly HostProcess[];
let isAudited: boolean;
let cursor: unknown;
let source: ExecutionsSource;
beforeEach(() => {
  [boot, processes, isAudited, cursor] = ['first', [init, web], false, undefined];
  source = started();
});

function started(): ExecutionsSource {
  const table = {
    read: async () => read(processes),
    get bootId() {
      return boot;
    },
  };
  return new ExecutionsSource({ table, isAudited: () => isAudited });
}

async function observe(): Promise<Observation> {
  const observation = await source.observe(host, cursor);
  if (observation.cursor !== undefined) cursor = JSON.parse(JSON.stringify(observation.cursor));
  return observation;
}

async function pids(): Promise<unknown[]> {
  return (await observe()).records.LW_HA_SYSCALLS_EXEC?.map(({ pid }) => pid) ?? [];
}

test('the server stores a program that was started, with its parent and without secrets', async () => {
  await observe();
  processes = [init, web, shell];
  expect(ingested(await observe(), at).LW_HA_SYSCALLS_EXEC).toEqual([
    {
      ...{ createdTime: '2026-01-01T10:00:00.120Z', mid: 7, pid: 200, ppid: 100, uid: 33 },
      ...{ pidHash: shell.key, ppidHash: web.key, exePath: '/usr/bin/dash', cmdline: 'sh -c mysql -p***' },
      ...{ parentExePath: '/usr/sbin/nginx', isInContainer: false, count: 1, os: 'linux' },
    },
  ]);
});

test('each is reported once, and none that ran before the agent', async () => {
  expect(await pids()).toEqual([]);
  processes = [init, web, shell];
  expect([await pids(), await pids()]).toEqual([[200], []]);
});

test('a process that replaced its program is reported again', async () => {
  processes = [init, web, shell];
  await observe();
  processes = [init, web, { ...shell, program: read('/usr/bin/nc') }];
  expect([await pids(), await pids()]).toEqual([[200], []]);
});

test('those that were started while the agent was stopped are reported when it starts', async () => {
  await observe();
  source = started();
  processes = [init, web, shell];
  expect(await pids()).toEqual([200]);
  source = started();
  expect(await pids()).toEqual([]);
});

test('after a boot, or with a damaged cursor, nothing is new at first', async () => {
  await observe();
  [source, boot, processes] = [started(), 'second', [init, shell]];
  expect(await pids()).toEqual([]);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      [source, cursor] = [started(), value];
      expect(await pids()).toEqual([]);
    }),
  );
});

test('an audit log reports them instead', async () => {
  await observe();
  [processes, isAudited] = [[init, web, shell], true];
  expect([await pids(), await pids()]).toEqual([[], []]);
});

test('threads of the kernel are no programs', async () => {
  await observe();
  processes = [init, web, { ...shell, parameters: read([]) }];
  expect(await pids()).toEqual([]);
});

test('without processes there is nothing to report', async () => {
  const table = { read: async () => unreadable('No /proc.'), bootId: undefined };
  const blind = new ExecutionsSource({ table, isAudited: () => false });
  expect(await blind.observe(host, undefined)).toEqual({ records: {}, gaps: [] });
});
