import { appendFileSync, chmodSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleProcess } from '../processes/host-process.sample.ts';
import { read } from '../reading.ts';
import type { Observation } from '../source.ts';
import { ingested } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { unprivileged } from '../testing/unprivileged.ts';
import { AuditSource } from './audit-source.ts';
import { parseLogCursor } from './log-cursor.ts';

let host: TestHost;
let log: string;
let cursor: unknown;
let source: AuditSource;
beforeEach(() => {
  host = new TestHost();
  log = host.write('/var/log/audit/audit.log', '');
  cursor = undefined;
  source = new AuditSource({ redact: (line) => line.replace(/hunter2/g, '***') });
});
afterEach(() => host.remove());

let serial = 0;
function event(pid: number, ...parameters: string[]): string {
  const id = `msg=audit(1767262800.${String(++serial % 1000).padStart(3, '0')}:${serial}):`;
  const fields = parameters.map((value, index) => `a${index}="${value}"`).join(' ');
  return `type=SYSCALL ${id} success=yes ppid=1 pid=${pid} uid=1000 gid=100 exe="/usr/bin/x"
type=EXECVE ${id} argc=${parameters.length} ${fields}
type=PROCTITLE ${id} proctitle="x"
`;
}

async function observe(from = source): Promise<Observation> {
  const observation = await from.observe(host, cursor);
  if (observation.cursor !== undefined) cursor = JSON.parse(JSON.stringify(observation.cursor));
  return observation;
}

async function pids(from = source): Promise<unknown[]> {
  return (await observe(from)).records.LW_HA_SYSCALLS_EXEC?.map(({ pid }) => pid) ?? [];
}

test('the server stores executions, with their own time and a redacted command line', async () => {
  await observe();
  appendFileSync(log, event(7, 'mysql', '--password', 'hunter2'));
  const observation = await observe();
  expect(observation.gaps).toEqual([]);
  expect(ingested(observation, host.now()).LW_HA_SYSCALLS_EXEC).toEqual([
    {
      ...{ createdTime: expect.stringMatching(/^2026-01-01T10:20:00\.\d{3}Z$/), mid: 7, pid: 7, ppid: 1 },
      ...{
        uid: 1000,
        gid: 100,
        exePath: '/usr/bin/x',
        cmdline: 'mysql --password ***',
        count: 1,
        os: 'linux',
      },
    },
  ]);
  expect(await observe()).toEqual({ records: { LW_HA_SYSCALLS_EXEC: [] }, gaps: [] });
});

test('an execution has the program of its parent, by the log or by what runs', async () => {
  const at = Date.parse('2026-01-01T10:20:00Z');
  const running = new Map([
    [1, { ...sampleProcess({ pid: 1, program: read('/usr/sbin/nginx') }), startedAt: at - 60_000 }],
    [5, { ...sampleProcess({ pid: 5, program: read('/usr/sbin/cron') }), startedAt: at - 60_000 }],
    [6, { ...sampleProcess({ pid: 6, program: read('/usr/bin/late') }), startedAt: at + 60_000 }],
  ]);
  const following = new AuditSource({
    redact: String,
    processAt: (pid, time) => {
      const one = running.get(pid);
      return one && one.startedAt <= time ? one : undefined;
    },
  });
  await observe(following);
  const childOf = (ppid: number, pid: number) => event(pid, 'x').replace('ppid=1 ', `ppid=${ppid} `);
  appendFileSync(log, [event(5, 'x'), childOf(5, 8), childOf(6, 9), childOf(77, 10)].join(''));
  const { records } = await observe(following);
  expect(records.LW_HA_SYSCALLS_EXEC?.map(({ parentExePath }) => parentExePath)).toEqual([
    ...['/usr/sbin/nginx', '/usr/bin/x', undefined, undefined],
  ]);
});

test('it reports executions while there are some', async () => {
  await observe();
  expect(source.isReporting(host.now())).toBe(false);
  appendFileSync(log, event(7, 'x'));
  await observe();
  expect(source.isReporting(host.now())).toBe(true);
  expect(source.isReporting(host.now() + 3_600_000)).toBe(false);
});

test('reading begins at the end of the log, and goes on after a restart', async () => {
  appendFileSync(log, event(1, 'x'));
  expect(await pids()).toEqual([]);
  appendFileSync(log, event(2, 'x'));
  expect(await pids(new AuditSource({ redact: String }))).toEqual([2]);
});

test('a line or event that is being written is read when it is complete', async () => {
  await observe();
  const text = event(3, 'x', 'y');
  const seen: unknown[] = [];
  for (const character of text) {
    appendFileSync(log, character);
    seen.push(...(await pids()));
  }
  expect(seen).toEqual([3]);
});

test('an event without an end is reported when nothing follows', async () => {
  await observe();
  appendFileSync(log, event(4, 'x').split('\n').slice(0, 2).join('\n').concat('\n'));
  expect(await pids()).toEqual([]);
  expect(await pids()).toEqual([4]);
  expect(await pids()).toEqual([]);
});

test('rotated files are read to their end, then the newer ones', async () => {
  await observe();
  appendFileSync(log, event(1, 'x'));
  renameSync(log, `${log}.2`);
  host.write('/var/log/audit/audit.log.1', event(2, 'x'));
  host.write('/var/log/audit/audit.log', event(3, 'x'));
  expect([await pids(), await pids(), await pids(), await pids()]).toEqual([[1], [2], [3], []]);
});

test('between the rename and the new file, nothing is missing', async () => {
  await observe();
  renameSync(log, `${log}.1`);
  expect((await observe()).gaps).toEqual([]);
  host.write('/var/log/audit/audit.log', event(5, 'x'));
  expect(await pids()).toEqual([5]);
});

test('a log that was truncated, or deleted before it was read, is a gap once', async () => {
  appendFileSync(log, event(1, 'x'));
  await observe();
  truncateSync(log);
  appendFileSync(log, 'type=X\n');
  expect((await observe()).gaps).toMatchObject([{ reason: 'The log was truncated.' }]);
  expect((await observe()).gaps).toEqual([]);
  renameSync(host.write('/var/log/audit/next', event(2, 'x')), log);
  const observation = await observe();
  expect(observation.gaps).toMatchObject([{ what: 'some executed programs' }]);
  expect(observation.records.LW_HA_SYSCALLS_EXEC).toHaveLength(1);
});

test('without auditd, a gap says how to get it', async () => {
  rmSync(log);
  expect((await observe()).gaps).toMatchObject([{ reason: expect.stringContaining('install auditd') }]);
});

test('a log that may not be read is a gap', async () => {
  await observe();
  chmodSync(log, 0);
  const { gaps } = await unprivileged(() => observe());
  expect(gaps).toMatchObject([{ reason: expect.stringContaining('root') }]);
});

test('large logs are read in chunks, and too large ones passed over', async () => {
  const limited = new AuditSource({ redact: String, limits: { chunk: 1_000, backlog: 3_000 } });
  await observe(limited);
  const all = Array.from({ length: 9 }, (_, index) => event(index, 'x'));
  appendFileSync(log, all.join(''));
  const seen: unknown[] = [];
  for (let round = 0; round < 6; round++) seen.push(...(await pids(limited)));
  expect(seen).toEqual([...all.keys()]);
  appendFileSync(log, event(1, 'x').repeat(50));
  expect((await observe(limited)).gaps).toMatchObject([{ reason: expect.stringContaining('passed over') }]);
});

test('a line without an end is passed over', async () => {
  const limited = new AuditSource({ redact: String, limits: { chunk: 1_000, backlog: 100_000 } });
  await observe(limited);
  appendFileSync(log, `${'x'.repeat(2_500)}\n${event(6, 'x')}`);
  const seen: unknown[] = [];
  for (let round = 0; round < 5; round++) seen.push(...(await pids(limited)));
  expect(seen).toEqual([6]);
});

test('times in the future are those of the observation', async () => {
  await observe();
  appendFileSync(log, event(8, 'x').replaceAll('audit(1767262800', 'audit(99999999999'));
  const stored = ingested(await observe(), host.now()).LW_HA_SYSCALLS_EXEC;
  expect(stored).toMatchObject([{ createdTime: new Date(host.now()).toISOString() }]);
});

test('a damaged cursor begins at the end', async () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(parseLogCursor(value)).toBeUndefined();
    }),
  );
  cursor = { inode: -1, offset: 'x' };
  appendFileSync(log, event(1, 'x'));
  expect(await pids()).toEqual([]);
  expect(cursor).toMatchObject({ offset: expect.any(Number) });
});

test('any bytes in the log are passed over', async () => {
  await observe();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      appendFileSync(join(host.root, 'var/log/audit/audit.log'), bytes);
      appendFileSync(log, `\n${event(9, 'x')}`);
      expect(await pids()).toEqual([9]);
    }),
    { numRuns: 50 },
  );
});
