import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestService } from '@vedette/server/testing/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfiguration } from './configuration.ts';
import { runAgent } from './run-agent.ts';
import { parsePasswd } from './users/passwd.ts';

const hour = 3_600_000;
let service: TestService;
let apiToken: string;
let token: string;
let stateDirectory: string;
let messages: string[];
let end: () => Promise<void>;

beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  // The agent has the clock of this host.
  service.clock.advance(Date.now() - service.clock.now());
  apiToken = await service.token();
  const body = { tokenAlias: 'host', tokenEnabled: 1 };
  const created = await service.request('POST', '/api/v2/AgentAccessTokens', { token: apiToken, body });
  token = created.body.data.accessToken;
  stateDirectory = mkdtempSync(join(tmpdir(), 'vedette-agent-'));
  end = await start();
});
afterAll(async () => {
  await end();
  await service.stop();
  rmSync(stateDirectory, { recursive: true });
});

async function start(): Promise<() => Promise<void>> {
  const options = { server: service.url, token, stateDirectory, tags: 'Env=test' };
  const stop = new AbortController();
  messages = [];
  const running = runAgent(readConfiguration({ options, environment: {} }), {
    signal: stop.signal,
    log: (message) => messages.push(message),
  });
  return async () => {
    stop.abort();
    await running;
  };
}

type Row = Readonly<Record<string, unknown>>;

async function search(path: string): Promise<Row[]> {
  const range = {
    startTime: new Date(Date.now() - hour).toISOString(),
    endTime: new Date(Date.now() + hour).toISOString(),
  };
  const answer = await service.request('POST', `/api/v2/${path}/search`, {
    token: apiToken,
    body: { timeFilter: range },
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body?.data ?? [];
}

/** The rows when there are any: each source is reported in a batch. */
async function reported(path: string): Promise<Row[]> {
  await expect.poll(async () => (await search(path)).length, { interval: 200 }).toBeGreaterThan(0);
  return search(path);
}

/** Not registered on a host without the program; CI installs them. */
function testWith(program: string, name: string, run: () => Promise<void>): void {
  if (spawnSync(program, ['--version']).error === undefined) test(name, run);
}

const lines = (program: string, ...parameters: string[]) =>
  execFileSync(program, parameters, { encoding: 'utf8' }).split('\n').filter(Boolean);

test('the machine is this one', async () => {
  const [machine, ...others] = await reported('Entities/Machines');
  expect(others).toEqual([]);
  const [agent] = await reported('AgentInfo');
  expect(agent).toMatchObject({
    mid: machine?.mid,
    status: 'ACTIVE',
    agentVersion: '0.1.0',
    tags: { Env: 'test' },
  });
  expect(messages[0]).toBe(`The agent 0.1.0 reports this host as machine ${machine?.mid} to ${service.url}.`);
});

testWith('ps', 'processes are those of ps', async () => {
  const rows = await reported('Entities/Processes');
  const starts = new Map(
    rows.map(({ pid, processStartTime }) => [pid, Date.parse(String(processStartTime))]),
  );
  const listed = lines('ps', '-eo', 'pid=,lstart=').map((line) => {
    const [, pid, started] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), started: Date.parse(`${started}`) };
  });
  // The pid of a process that has ended may have been given to another one.
  const both = listed.filter(({ pid }) => starts.has(pid));
  const same = both.filter(({ pid, started }) => Math.abs((starts.get(pid) ?? 0) - started) <= 1_500);
  expect(starts.has(process.pid)).toBe(true);
  expect(same.length).toBeGreaterThan(both.length / 2);
  expect(same.map(({ pid }) => pid)).toContain(process.pid);
});

testWith('getent', 'users are those of the system', async () => {
  const rows = await reported('Entities/Users');
  const known = new Map(
    parsePasswd(lines('getent', 'passwd').join('\n')).map(({ uid, name }) => [uid, name]),
  );
  expect(new Map(rows.map(({ uid, username }) => [uid, username]))).toEqual(known);
});

testWith('dpkg-query', 'packages are those of dpkg', async () => {
  const rows = await reported('Entities/Packages');
  const format = ['db:Status-Abbrev', 'Package', ' ', 'Version'].map((name) =>
    name === ' ' ? name : `\${${name}}`,
  );
  const installed = lines('dpkg-query', '-W', '-f', `${format.join('')}\n`)
    .filter((line) => line.startsWith('ii '))
    .map((line) => line.slice(3));
  const dpkg = rows.filter(({ versionFormat }) => versionFormat === 'dpkg');
  expect(dpkg.map(({ packageName, version }) => `${packageName} ${version}`).sort()).toEqual(
    installed.sort(),
  );
});

test('interfaces are those of the system', async () => {
  const names = new Set((await reported('Entities/NetworkInterfaces')).map(({ name }) => name));
  expect(names).toContain('lo');
});

test('an agent that is started again reports nothing twice in an hour', async () => {
  const before = await reported('Entities/Users');
  await end();
  end = await start();
  await expect.poll(async () => (await search('AgentInfo')).length).toBe(1);
  expect(await search('Entities/Users')).toHaveLength(before.length);
  expect(await search('Entities/Machines')).toHaveLength(1);
});
