import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentTokens } from '@vedette/server/agents/agent-tokens';
import { openKeyring } from '@vedette/server/control/secret-key';
import { ControlStore } from '@vedette/server/control/store';
import { Directory } from '@vedette/server/identity/directory';
import { systemClock } from '@vedette/server/platform/clock';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Program } from '../program.sample.ts';

// Each command is a separate process, and some tests run several of them.
vi.setConfig({ testTimeout: 300_000 });

let installation: TestPlace;
let server: ServerProcess;
let program: Program;
let other: string;

const instant = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 60_000).toISOString();
const lookup = (fqdn: string, ttl: number | bigint) =>
  `{"createdTime":"${instant}","mid":9007199254740993,"fqdn":${JSON.stringify(fqdn)},"hostIpAddr":"10.0.0.1","ttl":${ttl},"dnsServerIp":"10.0.0.2"}`;
const lookups = '{ source { LW_HA_DNS_REQUESTS } filter { TTL > 6 } return { HOSTNAME, MID, TTL, PKTLEN } }';

beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
  server = new ServerProcess(installation);
  const url = await server.url();
  const store = await ControlStore.open(installation.controlUrl, systemClock);
  const directory = new Directory(store, 'tester@example.com');
  const keyring = await openKeyring(store, installation.directory, undefined);
  const tokens = new AgentTokens(store, keyring, systemClock);

  const { custGuid } = await program.data('account create elsewhere');
  other = custGuid;
  for (const [account, lines] of [
    ['local', [lookup('数据,"x"', 7), lookup('plain.example', 8), lookup(`${'long.'.repeat(30)}`, 9)]],
    ['elsewhere', [lookup('secret-of-elsewhere', 10)]],
  ] as const) {
    const token = await tokens.create(
      directory.actor('Agent Access Token Created', await directory.account(account)),
      {
        alias: 'query test',
        enabled: 1,
      },
    );
    const response = await fetch(`${url}/ingest/v1/Activities/DNSs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.accessToken}`, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    expect(response.status).toBe(200);
  }
  await store.close();
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await installation.remove();
});

test('prints an aligned table with long cells truncated', async () => {
  const { code, stdout, stderr } = await program.run(['query', lookups]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.split('\n');
  expect(lines[0]).toBe(`${'HOSTNAME'.padEnd(60)}  MID               TTL  PKTLEN`);
  expect(lines.slice(1, 4).sort()).toEqual(
    [
      `${'long.'.repeat(30).slice(0, 59)}…  9007199254740993  9    null`,
      `${'plain.example'.padEnd(60)}  9007199254740993  8    null`,
      `数据,"x"${' '.repeat(52)}  9007199254740993  7    null`,
    ].sort(),
  );
  expect(lines.slice(4)).toEqual(['', '3 rows', '']);
});

test('prints JSON and CSV untruncated and with all digits', async () => {
  const json = await program.run(['query', lookups, '--json']);
  const rows = json.stdout.trim().split('\n').slice(1, -1);
  expect(rows.map((row) => row.trim().replace(/,$/, '')).sort()).toEqual(
    ['数据,"x"', 'plain.example', 'long.'.repeat(30)]
      .map(
        (name, at) =>
          `{"HOSTNAME":${JSON.stringify(name)},"MID":9007199254740993,"TTL":${7 + at},"PKTLEN":null}`,
      )
      .sort(),
  );
  const csv = await program.run(['query', lookups, '--csv', '--limit', '500000']);
  const [head, ...lines] = csv.stdout.trimEnd().split('\r\n');
  expect(head).toBe('HOSTNAME,MID,TTL,PKTLEN');
  expect(lines.sort()).toEqual(
    [
      '"数据,""x""",9007199254740993,7,',
      'plain.example,9007199254740993,8,',
      `${'long.'.repeat(30)},9007199254740993,9,`,
    ].sort(),
  );
});

test('applies the time range, the limit and the account', async () => {
  const count = async (...options: string[]) =>
    JSON.parse((await program.run(['query', lookups, '--json', ...options])).stdout).length;
  expect(await count('--start', '-7d')).toBe(3);
  expect(await count('--start', '-1h', '--end', 'now')).toBe(3);
  expect(await count('--start', instant, '--limit', '2')).toBe(2);
  expect(await count('--end', instant)).toBe(0);
  expect(await program.output(['query', lookups, '--end', instant])).toBe('No rows.\n');
  const elsewhere = await program.run(['query', lookups, '--account', 'elsewhere', '--csv']);
  expect(elsewhere.stdout).toContain('secret-of-elsewhere');
});

test('reports that rows were omitted', async () => {
  const limited = await program.run(['query', lookups, '--limit', '2']);
  expect(limited.stdout).toMatch(/\n\n2 rows\n$/);
  expect(limited.stderr).toBe('Stopped at 2 rows; there are more. Use --all for all rows.\n');
  for (const options of [['--limit', '3'], ['--all'], []]) {
    const complete = await program.run(['query', lookups, ...options]);
    expect([complete.stdout.split('\n').at(-2), complete.stderr]).toEqual(['3 rows', '']);
  }
  expect(await program.errorOutput(['query', lookups, '--all', '--limit', '3'])).toBe(
    'Pass --limit or --all, not both.\n',
  );
});

test('reads a file and standard input', async () => {
  writeFileSync(join(installation.directory, 'lookups.lql'), lookups);
  expect(await program.output('query --file lookups.lql')).toContain('3 rows');
  expect((await program.run('query --file -', {}, lookups)).stdout).toContain('3 rows');
  expect(await program.errorOutput('query --file nowhere.lql')).toContain('nowhere.lql can not be read');
  expect(await program.errorOutput('query')).toContain('--file');
  expect(await program.errorOutput('query x --file lookups.lql')).toContain('--file');
});

test('shows the position of an error', async () => {
  const wrong = '{ source { LW_HA_DNS_REQUESTS }\n  filter { HOSTNAM = 1 } return { TTL } }';
  const { code, stdout, stderr } = await program.run(['query', wrong]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^Line 2, column 12, at HOSTNAM: .*`HOSTNAME`.*\n {4}filter \{ HOSTNAM = 1 \} return \{ TTL \} \}\n {13}\^\n$/,
  );
  const explained = await program.run(['query', wrong, '--explain']);
  expect([explained.code, explained.stderr]).toEqual([1, stderr]);
  const warned = await program.run([
    'query',
    '{ source { LW_HE_USERS } filter { MID = null } return { MID } }',
  ]);
  expect([warned.code, warned.stdout]).toEqual([0, 'No rows.\n']);
  expect(warned.stderr).toMatch(/^Warning: line 1, column 35, .*\n.*\n +\^\n$/);
});

test('reports invalid options', async () => {
  expect(await program.errorOutput('query x --start yesterday')).toMatch(
    /--start must be a time .* -7d .*'yesterday'/,
  );
  expect(await program.errorOutput('query x --limit 0')).toContain('--limit must be an integer');
  expect(await program.errorOutput(['query', lookups, '--start', '-1h', '--end', '-2h'])).toContain(
    'StartTimeRange must be before',
  );
  expect(await program.errorOutput('query x --url http://127.0.0.1:1')).toContain('does not answer');
  expect(await program.errorOutput('query x --key nowhere.json')).toContain('nowhere.json');
  expect(await program.errorOutput('query x --account nowhere')).toContain("'nowhere'");
});

test('explains a query without disclosing another account', async () => {
  const { code, stdout } = await program.run(['query', lookups, '--explain']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^select .*\$1/);
  expect(stdout).toContain('Activities/DNSs');
  expect(stdout).not.toContain(other);
  expect(stdout).not.toContain('elsewhere');
  const explanation = JSON.parse(
    (await program.run(['query', lookups, '--explain', '--json', '--account', 'elsewhere'])).stdout,
  );
  expect(Object.keys(explanation)).toEqual(['sql', 'parameters', 'plan']);
  expect(explanation.parameters).toContain(other);
  expect(explanation.plan).toMatch(/TABLE_SCAN|SEQ_SCAN/i);
});
