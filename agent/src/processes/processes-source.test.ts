import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { absent, read, unreadable } from '../reading.ts';
import { ingestedAs } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { sampleProcess } from './host-process.sample.ts';
import type { HostProcess } from './host-process.ts';
import { ProcessTable } from './process-table.ts';
import { ProcessesSource } from './processes-source.ts';

let host: TestHost;
beforeEach(() => {
  host = new TestHost();
  host.write('/etc/passwd', 'root:x:0:0::/:\nwww-data:x:33:33::/srv:\n');
});
afterEach(() => host.remove());

const container = 'ab'.repeat(32);
const init = sampleProcess({ pid: 1, ppid: 0, uid: 0, effectiveUid: 0 });

function observe(...processes: HostProcess[]) {
  const table = { read: async () => read(processes), hidden: 0 };
  const findContainer = (id: string) => (id === container ? { podName: 'web-1', info: {} } : undefined);
  return new ProcessesSource({ table, findContainer }).observe(host);
}

async function recordOf(other: Partial<HostProcess>) {
  const { records } = await observe(init, sampleProcess(other));
  return records['Entities/Processes']?.at(-1);
}

test('a process is reported with all that is known of it', async () => {
  const process = sampleProcess({ effectiveUid: 77, parentKey: 9, containerId: container });
  const observation = await observe(init, process);
  expect(observation.gaps).toEqual([]);
  expect(ingestedAs('Entities/Processes', observation).at(-1)).toEqual({
    mid: 7,
    startTime: expect.any(String),
    endTime: expect.any(String),
    pid: 4242,
    ppid: 1,
    pgid: 4242,
    sid: 4242,
    uid: 33,
    username: 'www-data',
    eusername: '77',
    filePath: '/usr/sbin/nginx',
    cmdline: 'nginx -g daemon off;',
    cmdlineHash: createHash('md5').update('nginx -g daemon off;').digest('hex'),
    processStartTime: '2026-01-01T10:00:00.120Z',
    pidHash: process.key,
    ppidHash: 9,
    cwd: '/srv',
    root: '/',
    isInContainer: true,
    containerId: container,
    podName: 'web-1',
    os: 'Linux',
  });
});

test('secrets are neither in the command line nor in its hash', async () => {
  const parameters = (password: string) => read(['mysql', `-p${password}`]);
  const [first, second] = [
    await recordOf({ parameters: parameters('one') }),
    await recordOf({ parameters: parameters('two') }),
  ];
  expect(first?.cmdline).toBe('mysql -p***');
  expect(first?.cmdlineHash).toBe(second?.cmdlineHash);
});

test('threads of the kernel have their name in brackets, and are no gap', async () => {
  const thread = sampleProcess({
    name: 'kthreadd',
    program: absent,
    parameters: read([]),
    directory: absent,
  });
  const observation = await observe(init, thread);
  const [, record] = ingestedAs('Entities/Processes', observation);
  expect(record).toMatchObject({ filePath: '[kthreadd]', cmdline: '[kthreadd]', isInContainer: false });
  expect(record).not.toHaveProperty('cwd');
  expect(observation.gaps).toEqual([]);
});

test('what may not be read is a gap', async () => {
  const denied = unreadable('denied');
  const observation = await observe(
    init,
    sampleProcess({ program: denied, directory: denied, root: denied, parameters: denied, network: denied }),
  );
  expect(ingestedAs('Entities/Processes', observation).at(-1)).toMatchObject({ filePath: '[nginx]' });
  expect(observation.gaps.map(({ what }) => what)).toEqual([
    'Programs of other users',
    'Command lines of other users',
  ]);
  expect((await observe(sampleProcess())).gaps).toMatchObject([{ what: 'Processes of other users' }]);
});

test('what may not be read although the agent runs as root needs a capability', async () => {
  const hidden = sampleProcess({ program: unreadable('denied') });
  const reason = async () => (await observe(init, hidden)).gaps[0]?.reason;
  expect(await reason()).toMatch(/already runs as root: add the capability CAP_SYS_PTRACE/);
  host.isRoot = false;
  expect(await reason()).toMatch(
    /Run the agent as root, and in a container with the capability CAP_SYS_PTRACE/,
  );
});

test('without processes there is a gap, not an empty report', async () => {
  const table = { read: async () => unreadable('no /proc'), hidden: 0 };
  const source = new ProcessesSource({ table });
  expect(await source.observe(host)).toEqual({
    records: {},
    gaps: [{ what: 'Processes', reason: 'no /proc' }],
  });
});

test('the server accepts whatever names, paths and parameters processes have', async () => {
  const text = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(text, text, fc.array(text), async (name, path, parameters) => {
      const process = sampleProcess({ name, program: read(path), parameters: read(parameters) });
      expect(ingestedAs('Entities/Processes', await observe(process))).toHaveLength(1);
    }),
  );
});

test('the server accepts all processes of this host', async () => {
  const real = new TestHost('/');
  const observation = await new ProcessesSource({ table: new ProcessTable(real) }).observe(real);
  const records = ingestedAs('Entities/Processes', observation);
  expect(records.find(({ pid }) => pid === process.pid)).toMatchObject({
    filePath: process.execPath,
    ppid: process.ppid,
  });
});
