import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unreadable } from '../reading.ts';
import { ingestedAs } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { ProcessTable } from './process-table.ts';
import { type ProgramsDeps, ProgramsSource } from './programs-source.ts';

let directory: string;
let program: string;
const host = new TestHost('/');

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-programs-'));
  program = join(directory, 'snooze');
  copyFileSync('/bin/sleep', program);
  chmodSync(program, 0o755);
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Observes while a program runs. */
async function whileRunning<Result>(path: string, work: (pid: number) => Promise<Result>): Promise<Result> {
  const child = spawn(path, ['1000']);
  await once(child, 'spawn');
  try {
    return await work(child.pid ?? 0);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

/** Only of the one process, so that other programs of this host are not hashed. */
function sourceOf(pid: () => number, other: Partial<ProgramsDeps> = {}): ProgramsSource {
  const processes = async () => {
    const all = await new ProcessTable(host).read();
    return all.is === 'read' ? { ...all, value: all.value.filter((one) => one.pid === pid()) } : all;
  };
  return new ProgramsSource({ processes, ...other });
}

const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('a program that runs is reported with its hash, and the hash as new once', async () => {
  await whileRunning(program, async (pid) => {
    const source = sourceOf(() => pid);
    const observation = await source.observe(host, undefined);
    const status = statSync(program);
    expect(observation.gaps).toEqual([]);
    expect(ingestedAs('Entities/Files', observation)).toEqual([
      expect.objectContaining({
        filePath: program,
        fileName: 'snooze',
        filedataHash: digestOf(program),
        size: status.size,
        mtime: String(Math.floor(status.mtimeMs)),
        inode: status.ino,
        filePermissions: 0o755,
        ownerUsername: userInfo().username,
      }),
    ]);
    expect(ingestedAs('Entities/NewFileHashes', observation)).toMatchObject([
      { filedataHash: digestOf(program) },
    ]);
    const second = await source.observe(host, observation.cursor);
    expect(second.records['Entities/NewFileHashes']).toEqual([]);
    expect(second.records['Entities/Files']).toEqual(observation.records['Entities/Files']);
    expect(second).not.toHaveProperty('cursor');
  });
});

test('a deleted program is left out', async () => {
  await whileRunning(program, async (pid) => {
    rmSync(program);
    const { records } = await sourceOf(() => pid).observe(host, undefined);
    expect(records['Entities/Files']).toEqual([]);
  });
});

test('a program that was replaced has its new hash', async () => {
  let pid = 0;
  const source = sourceOf(() => pid);
  const observe = async (path: string) =>
    whileRunning(path, async (running) => {
      pid = running;
      return (await source.observe(host, undefined)).records['Entities/Files']?.[0]?.filedataHash;
    });
  const first = await observe(program);
  rmSync(program);
  copyFileSync('/bin/cat', program);
  // `cat` without input waits for it.
  const before = digestOf(program);
  utimesSync(program, 1, 1);
  const child = spawn(program, []);
  await once(child, 'spawn');
  pid = child.pid ?? 0;
  const second = (await source.observe(host, undefined)).records['Entities/Files']?.[0]?.filedataHash;
  child.kill();
  await once(child, 'exit');
  expect(second).toBe(before);
  expect(second).not.toBe(first);
});

test('what is above the limit of an observation waits for the next one', async () => {
  await whileRunning(program, async (pid) => {
    const { records } = await sourceOf(() => pid, { maxHashedBytes: 0 }).observe(host, undefined);
    expect(records['Entities/Files']).toEqual([]);
  });
});

test('without processes there is a gap', async () => {
  const source = new ProgramsSource({ processes: async () => unreadable('no /proc') });
  expect(await source.observe(host, undefined)).toEqual({
    records: {},
    gaps: [{ what: 'Programs', reason: 'no /proc' }],
  });
});
