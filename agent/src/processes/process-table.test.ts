import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HostFiles } from '../host/host-files.ts';
import { Programs } from '../host/programs.ts';
import type { HostProcess } from './host-process.ts';
import { processKey } from './process-key.ts';
import { ProcessTable } from './process-table.ts';

const programs = new Programs(new AbortController().signal);

async function processesOf(table: ProcessTable): Promise<readonly HostProcess[]> {
  const processes = await table.read();
  if (processes.is !== 'read') throw new Error(JSON.stringify(processes));
  return processes.value;
}

describe('of this host', () => {
  const table = () => new ProcessTable({ files: new HostFiles(), programs, now: Date.now });

  interface Line {
    readonly pid: number;
    readonly ids: readonly number[];
    readonly startedAt: number;
  }

  function ps(): Map<number, Line> {
    const format = ['pid', 'ppid', 'pgid', 'sid', 'ruid', 'euid', 'lstart'].map((name) => `${name}=`).join();
    const output = execFileSync('ps', ['-eo', format], { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } });
    const lines = output
      .toString()
      .trim()
      .split('\n')
      .map((line) => {
        const words = line.trim().split(/\s+/);
        const [pid = 0, ...ids] = words.slice(0, 6).map(Number);
        return { pid, ids, startedAt: Date.parse(`${words.slice(6).join(' ')} UTC`) };
      });
    return new Map(lines.map((line) => [line.pid, line]));
  }

  test('a process is found by its pid, from its start on', async () => {
    const read = table();
    expect([read.bootId, read.processAt(process.pid, Date.now())]).toEqual([undefined, undefined]);
    const own = (await processesOf(read)).find(({ pid }) => pid === process.pid);
    expect(read.bootId).toMatch(/^[0-9a-f-]{36}$/);
    expect(read.processAt(process.pid, own?.startedAt ?? 0)).toBe(own);
    expect(read.processAt(process.pid, (own?.startedAt ?? 0) - 1)).toBeUndefined();
  });

  test('processes that are alive before and after are those of ps', async () => {
    const before = ps();
    const read = new Map((await processesOf(table())).map((one) => [one.pid, one]));
    const after = ps();
    let compared = 0;
    for (const [pid, line] of before) {
      const later = after.get(pid);
      if (JSON.stringify(later) !== JSON.stringify(line)) continue;
      const one = read.get(pid);
      expect([one?.ppid, one?.pgid, one?.sid, one?.uid, one?.effectiveUid]).toEqual(line.ids);
      // Both compute it from seconds that are rounded in different ways.
      expect(Math.abs((one?.startedAt ?? 0) - line.startedAt)).toBeLessThanOrEqual(2_000);
      compared++;
    }
    expect(compared).toBeGreaterThan(0);
  });

  test('this process and a child of it are described', async () => {
    const child = spawn('sleep', ['1234'], { cwd: '/' });
    await once(child, 'spawn');
    try {
      const processes = await processesOf(table());
      const own = processes.find(({ pid }) => pid === process.pid);
      const other = processes.find(({ pid }) => pid === child.pid);
      expect(own?.program).toEqual({ is: 'read', value: process.execPath });
      expect(own?.directory).toEqual({ is: 'read', value: process.cwd() });
      expect(other?.parameters).toEqual({ is: 'read', value: ['sleep', '1234'] });
      expect(other).toMatchObject({ ppid: process.pid, parentKey: own?.key, network: own?.network });
    } finally {
      child.kill();
    }
  });
});

describe('of a mounted host', () => {
  let root: string;
  let now: number;
  const boot = 1_700_000_000;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'vedette-processes-'));
    now = (boot + 1_000) * 1_000;
    write('stat', `cpu 1 2\nbtime ${boot}\n`);
    write('sys/kernel/random/boot_id', 'c0ffee\n');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const table = () => new ProcessTable({ files: new HostFiles(root), programs, now: () => now });

  function write(path: string, text: string): void {
    mkdirSync(join(root, 'proc', path, '..'), { recursive: true });
    writeFileSync(join(root, 'proc', path), text);
  }

  function run(
    pid: number,
    { ppid = 1, ticks = 500, cmdline = 'web\0-x\0', uid = 33, exe = '/bin/web' } = {},
  ) {
    rmSync(join(root, `proc/${pid}`), { recursive: true, force: true });
    write(`${pid}/stat`, `${pid} (we) b) S ${ppid} 7 8 ${'0 '.repeat(15)}${ticks} 0\n`);
    write(`${pid}/status`, `Name:\tweb\nUid:\t${uid}\t0\t0\t0\n`);
    write(`${pid}/cmdline`, cmdline);
    write(`${pid}/cgroup`, `0::/system.slice/docker-${'ab'.repeat(32)}.scope\n`);
    mkdirSync(join(root, `proc/${pid}/ns`));
    for (const [name, target] of Object.entries({ exe, cwd: '/srv', root: '/', 'ns/net': 'net:[1]' }))
      symlinkSync(target, join(root, `proc/${pid}`, name));
  }

  test('a process has what its files say', async () => {
    run(12, { ppid: 0 });
    expect(await processesOf(table())).toEqual([
      {
        pid: 12,
        name: 'we) b',
        ppid: 0,
        pgid: 7,
        sid: 8,
        startTicks: 500n,
        startedAt: boot * 1_000 + 5_000,
        uid: 33,
        effectiveUid: 0,
        parameters: { is: 'read', value: ['web', '-x'] },
        program: { is: 'read', value: '/bin/web' },
        directory: { is: 'read', value: '/srv' },
        root: { is: 'read', value: '/' },
        network: { is: 'read', value: 'net:[1]' },
        containerId: 'ab'.repeat(32),
        key: processKey('c0ffee', 12, 500n),
      },
    ]);
  });

  test('a parent that started later is another process with its number', async () => {
    run(1, { ppid: 0, ticks: 1 });
    run(2, { ppid: 1 });
    run(3, { ppid: 4 });
    run(4, { ppid: 1, ticks: 900 });
    const keys = new Map((await processesOf(table())).map(({ pid, parentKey }) => [pid, parentKey]));
    expect(keys.get(2)).toBe(processKey('c0ffee', 1, 1n));
    expect([keys.get(1), keys.get(3)]).toEqual([undefined, undefined]);
  });

  test('a reading is shared for some seconds', async () => {
    run(1);
    const processes = table();
    const first = processes.read();
    now += 4_000;
    expect(processes.read()).toBe(first);
    now += 6_000;
    expect(processes.read()).not.toBe(first);
    await first;
  });

  test('details of an old process are kept for a minute, or until it runs another program', async () => {
    run(1);
    const processes = table();
    const [first] = await processesOf(processes);
    write('1/cmdline', 'changed\0');
    now += 10_000;
    const [second] = await processesOf(processes);
    expect(second).toBe(first);
    now += 50_000;
    expect((await processesOf(processes))[0]?.parameters).toEqual({ is: 'read', value: ['changed'] });
    run(1, { exe: '/bin/other', cmdline: 'other\0' });
    now += 10_000;
    expect((await processesOf(processes))[0]?.parameters).toEqual({ is: 'read', value: ['other'] });
  });

  test('a young process is read again each time', async () => {
    run(1, { ticks: 99_900 });
    const processes = table();
    await processesOf(processes);
    write('1/cmdline', 'changed\0');
    now += 10_000;
    expect((await processesOf(processes))[0]?.parameters).toEqual({ is: 'read', value: ['changed'] });
  });

  test('another process with the same number is another process', async () => {
    run(1);
    const processes = table();
    const [first] = await processesOf(processes);
    run(1, { ticks: 501, cmdline: 'new\0' });
    now += 10_000;
    const [second] = await processesOf(processes);
    expect(second?.parameters).toEqual({ is: 'read', value: ['new'] });
    expect(second?.key).not.toBe(first?.key);
  });

  test('a known process keeps its start when the clock is set; new ones follow the clock', async () => {
    run(1);
    const processes = table();
    await processesOf(processes);
    write('stat', `btime ${boot + 3_600}\n`);
    run(2);
    now += 3_610_000;
    const starts = (await processesOf(processes)).map(({ startedAt }) => startedAt - boot * 1_000);
    expect(starts).toEqual([5_000, 3_605_000]);
  });

  test('what is not understood is unreadable, and so is a host without /proc', async () => {
    write('7/stat', 'nonsense');
    expect(await table().read()).toEqual({
      is: 'unreadable',
      reason: '/proc/7/stat has an unknown form.',
    });
    rmSync(join(root, 'proc/7'), { recursive: true });
    write('stat', 'cpu 1');
    expect(await table().read()).toMatchObject({ is: 'unreadable' });
    rmSync(join(root, 'proc'), { recursive: true });
    expect(await table().read()).toMatchObject({ is: 'unreadable' });
  });
});
