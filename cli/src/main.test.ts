import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ControlStore } from '@vedette/server/control/store';
import { type KeyFile, readKeyFile } from '@vedette/server/identity/bootstrap';
import { Directory } from '@vedette/server/identity/directory';
import { Keys } from '@vedette/server/identity/keys';
import { systemClock } from '@vedette/server/platform/clock';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Program } from './program.sample.ts';

// Each command is a separate process, and some tests run ten of them.
vi.setConfig({ testTimeout: 300_000 });

let installation: TestPlace;
let server: ServerProcess;
let url: string;
let store: ControlStore;
let program: Program;
beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
  server = new ServerProcess(installation);
  url = await server.url();
  store = await ControlStore.open(installation.controlUrl, systemClock);
});
afterAll(async () => {
  await store.close();
  await server.kill('SIGTERM');
  await installation.remove();
});

const vedette = (words: string, environment?: NodeJS.ProcessEnv) => program.run(words, environment);
const output = (words: string) => program.output(words);
const data = (words: string) => program.data(words);
const errorOutput = (words: string, environment?: NodeJS.ProcessEnv) =>
  program.errorOutput(words, environment);

const commands = [
  ...['create', 'list', 'delete'].map((verb) => `account ${verb}`),
  ...['create', 'list', 'delete'].map((verb) => `user ${verb}`),
  ...['create', 'list', 'disable', 'enable', 'delete'].map((verb) => `key ${verb}`),
  ...[
    'backup',
    'restore',
    'secret-key rotate',
    'secret-key forget',
    'simulate',
    'token',
    'token rotate',
    'query',
    'report',
  ],
  ...['aws', 'gcp', 'azure', 'k8s'].flatMap((cloud) => [
    ...[`collect ${cloud}`, `check ${cloud}`, `permissions ${cloud}`],
  ]),
  ...['aws-config', 'gcp-assets', 'azure-graph', 'k8s', 'cloudtrail'].map((form) => `import ${form} FILE…`),
  ...['deliveries', 'deliveries resend', 'deliveries release', 'exports', 'exports retry'],
];

const requestToken = ({ keyId, secret }: Pick<KeyFile, 'keyId' | 'secret'>) =>
  fetch(`${url}/api/v2/access/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-LW-UAKS': secret },
    body: JSON.stringify({ keyId }),
  });

async function tokenOf(key: Pick<KeyFile, 'keyId' | 'secret'>): Promise<string> {
  const response = await requestToken(key);
  expect(response.status).toBe(201);
  return ((await response.json()) as { token: string }).token;
}

const profile = (token: string) =>
  fetch(`${url}/api/v2/UserProfile`, { headers: { authorization: `Bearer ${token}` } });

describe('vedette', () => {
  test('lists every command in the help', async () => {
    const help = await output('help');
    for (const command of commands) expect(help).toContain(`  vedette ${command}`);
  });

  test('shows the help of one command, and the version', async () => {
    const help = await output('account delete --help');
    expect(help).toMatch(/^ {2}vedette account delete NAME \[--yes\]\n/);
    expect(help).not.toContain('account create');
    expect(await output('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('requires --yes for destructive commands without a terminal', async () => {
    await output('account create spared');
    expect(await errorOutput('account delete spared')).toBe(
      'This deletes the account spared, the access of its users and all its data. Add --yes to confirm.\n',
    );
    expect(await output('account list')).toContain('spared');
    await output('account delete spared --yes');
    await output('backup twice.vedette');
    const { ino } = statSync(join(installation.directory, 'twice.vedette'));
    expect(await errorOutput('backup twice.vedette')).toBe(
      'twice.vedette exists and will be overwritten. Add --yes to confirm.\n',
    );
    expect(await errorOutput('restore twice.vedette')).toMatch(
      /^This replaces everything .* with twice\.vedette\. Add --yes to confirm\.\n$/,
    );
    expect(statSync(join(installation.directory, 'twice.vedette')).ino).toBe(ino);
    await output('backup twice.vedette --yes');
    expect(statSync(join(installation.directory, 'twice.vedette')).ino).not.toBe(ino);
  });

  test('prints errors as plain text, or as JSON with --json', async () => {
    expect(await errorOutput('account destroy x')).toContain('see vedette help');
    const { message } = JSON.parse(await errorOutput('--json account create'));
    expect(message).toContain('Usage: vedette account create NAME');
  });
});

describe('vedette account', () => {
  test('creates, lists and deletes', async () => {
    expect(await output('account create first')).toBe('The account first was created.\n');
    const created = await data('account create second');
    expect(created).toEqual({ account: 'second', custGuid: expect.stringMatching(/^SECOND_[A-Z0-9]{47}$/) });
    expect(await output('account list')).toMatch(
      /^ACCOUNT +CREATED\nfirst +\d{4}-\d\d-\d\d \d\d:\d\d\nlocal .*\nsecond /,
    );
    const listed = await data('account list');
    expect(listed.map(({ account }: { account: string }) => account)).toEqual(['first', 'local', 'second']);
    expect(listed[0].createdTime).toMatch(/^\d{4}-.*Z$/);
    expect(await output('account delete first --yes')).toContain('The account first was deleted');
    expect(await data('account delete second --yes')).toEqual({ account: 'second', deleted: true });
    expect(await data('account list')).toHaveLength(1);
  });

  test('rejects invalid arguments with a reason', async () => {
    expect(await errorOutput('account create local')).toContain("'local' already exists");
    expect(await errorOutput('account delete local --yes')).toContain('can not be deleted');
    expect(JSON.parse(await errorOutput('account delete nowhere --yes --json'))).toEqual({
      message: "Not found: account 'nowhere'. `vedette account list` lists the accounts.",
    });
  });

  test('revokes access immediately and deletes the data of the account soon after', async () => {
    const { custGuid } = await data('account create doomed');
    await output('user create --email doomed@example.com --role accountAdmin --account doomed');
    const key = await data('key create --user doomed@example.com');
    const token = await tokenOf(key);
    const owned = () =>
      store.read.selectFrom('audit_log').select('id').where('owner_id', '=', custGuid).execute();
    expect((await profile(token)).status).toBe(200);
    expect(await owned()).not.toEqual([]);
    await output('account delete doomed --yes');
    expect((await profile(token)).status).toBe(401);
    expect((await requestToken(key)).status).toBe(401);
    expect(await output('user list')).not.toContain('doomed@example.com');
    await expect.poll(owned, { interval: 100 }).toEqual([]);
  });
});

describe('vedette user', () => {
  test('grants each of the four roles, a second one to the same user, and lists and deletes', async () => {
    await output('account create branch');
    expect(await output('user create --email one@example.com --role orgAdmin')).toBe(
      'one@example.com now has the role orgAdmin.\n',
    );
    expect(await data('user create --email Two@Example.com --role orgUser')).toEqual({
      email: 'two@example.com',
      role: 'orgUser',
    });
    expect(await output('user create --email three@example.com --role accountAdmin')).toBe(
      'three@example.com now has the role accountAdmin in local.\n',
    );
    expect(await data('user create --email four@example.com --role accountUser --account branch')).toEqual({
      email: 'four@example.com',
      role: 'accountUser',
      account: 'branch',
    });
    await output('user create --email three@example.com --role accountUser --account branch');
    const listed = await output('user list');
    expect(listed).toMatch(/^EMAIL +ROLES\n/);
    expect(listed).toMatch(/^three@example.com +accountUser in branch, accountAdmin in local$/m);
    const users = await data('user list');
    expect(users).toContainEqual({
      email: 'one@example.com',
      enabled: true,
      organizationRole: 'orgAdmin',
      accounts: [],
    });
    expect(users).toContainEqual({
      email: 'four@example.com',
      enabled: true,
      organizationRole: null,
      accounts: [{ name: 'branch', role: 'accountUser' }],
    });
    expect(await output('user delete --email four@example.com')).toContain('four@example.com was deleted');
    expect(await data('user delete --email one@example.com')).toEqual({
      email: 'one@example.com',
      deleted: true,
    });
    expect(await output('user list')).not.toMatch(/one@|four@/);
  });

  test('rejects invalid arguments with a reason', async () => {
    expect(await errorOutput('user create --email a@example.com --role king')).toContain(
      'orgAdmin, orgUser, accountAdmin, accountUser',
    );
    expect(await errorOutput('user create --email a@example.com --role orgUser --account local')).toContain(
      'omit the account',
    );
    expect(await errorOutput('user delete --email a@example.com')).toContain('vedette user list');
  });
});

describe('vedette key', () => {
  test('creates keys that take effect and are revoked immediately', async () => {
    await output('user create --email keys@example.com --role orgAdmin');
    const shown = await output('key create --user keys@example.com');
    const [, keyId = '', secret = ''] = /^Key id {2}(\S+)\nSecret {2}(\S+)\n/.exec(shown) ?? [];
    const token = await tokenOf({ keyId, secret });
    expect((await profile(token)).status).toBe(200);
    expect(await output(`key disable ${keyId}`)).toBe(`The API key ${keyId} is disabled.\n`);
    expect((await profile(token)).status).toBe(401);
    expect((await requestToken({ keyId, secret })).status).toBe(401);
    expect(await output('key list --user keys@example.com')).toMatch(
      new RegExp(`^${keyId} .* disabled +\\d`, 'm'),
    );
    expect(await data(`key enable ${keyId}`)).toEqual({ keyId, enabled: true });
    expect((await profile(token)).status).toBe(401);
    const second = await tokenOf({ keyId, secret });
    expect(await data(`key delete ${keyId}`)).toEqual({ keyId, deleted: true });
    expect((await profile(second)).status).toBe(401);
    expect(await output('key list --user keys@example.com')).toBe('No API keys.\n');
  });

  test('lists keys without their secrets', async () => {
    const key = await data('key create --user admin@local');
    expect(Object.keys(key)).toEqual(['keyId', 'secret', 'account', 'subAccount']);
    // Clients accept this as a key file.
    expect(key.account).toBe('local.lacework.net');
    const printed = await output('key list');
    expect(printed).toMatch(/^KEY ID +USER +STATE +LAST USED\n/);
    expect(printed).toMatch(new RegExp(`^${key.keyId} +admin@local +enabled +never$`, 'm'));
    const listed = await data('key list');
    expect(listed).toContainEqual({
      keyId: key.keyId,
      user: 'admin@local',
      account: 'local',
      enabled: true,
      rateLimit: null,
      createdTime: expect.stringMatching(/Z$/),
      lastUsedTime: null,
    });
    expect(printed + JSON.stringify(listed)).not.toContain(key.secret.slice(1));
  });

  test('gives a key its own rate limit', async () => {
    const token = await tokenOf(await data('key create --user admin@local --rate-limit 7'));
    const { headers } = await profile(token);
    expect([headers.get('RateLimit-Limit'), headers.get('RateLimit-Remaining')]).toEqual(['7', '6']);
    for (const limit of ['0', '1e30'])
      expect(await errorOutput(`key create --user admin@local --rate-limit=${limit}`)).toContain(
        '--rate-limit',
      );
  });

  test('rejects the 21st key of a user and names the limit', async () => {
    await output('user create --email hoarder@example.com --role orgUser');
    const keys = new Keys(store, new Directory(store, 'tester@example.com'), systemClock);
    for (let count = 0; count < 20; count++) await keys.create('hoarder@example.com');
    expect(await errorOutput('key create --user hoarder@example.com')).toMatch(
      /already has 20 API keys.*delete one/,
    );
    expect(await data('key list --user hoarder@example.com')).toHaveLength(20);
  });

  test('rejects an unknown user and an unknown key', async () => {
    expect(await errorOutput('key create --user no@example.com')).toContain('vedette user list');
    expect(await errorOutput('key disable LOCAL_00')).toContain('vedette key list');
  });
});

describe('vedette token', () => {
  test('prints a token that the API accepts', async () => {
    const token = (await output('token')).trim();
    expect((await profile(token)).status).toBe(200);
    const { expiresAt, ...shown } = await data('token');
    expect([Object.keys(shown), Date.parse(expiresAt) > Date.now()]).toEqual([['token'], true]);
    expect(await errorOutput('token --key nowhere.json')).toContain('nowhere.json');
  });
});

describe('vedette backup, restore and secret-key rotate', () => {
  test('restore the state of the backup, also after a key rotation', async () => {
    const token = await tokenOf(readKeyFile(join(installation.directory, 'api-key.json')) as KeyFile);
    const plain = await output('backup plain.vedette');
    expect(plain).toMatch(
      /^Backup written to plain.vedette with 0 telemetry records \(\d+ bytes\). It does not contain the secret key.\n$/,
    );
    const written = await data('backup --with-key whole.vedette');
    const { size, mode } = statSync(join(installation.directory, 'whole.vedette'));
    expect(written).toEqual({ file: 'whole.vedette', bytes: size, withKey: true, records: 0 });
    expect(mode & 0o777).toBe(0o600);
    await output('account create too-late');
    expect(await output('restore plain.vedette --yes')).toMatch(
      /^\d+ rows and 0 telemetry records restored\./,
    );
    expect(await output('account list')).not.toContain('too-late');
    expect(await output('secret-key rotate')).toMatch(
      /^1 secrets are encrypted with the new key [0-9a-f]{12}\. Older backups can still be restored: 1 retired key is kept, /,
    );
    expect(await data('secret-key rotate')).toEqual({
      keyId: expect.any(String),
      sealed: 1,
      retired: [expect.any(String), expect.any(String)],
    });
    expect(await output('restore plain.vedette --yes')).toContain('telemetry records restored');
    expect(await errorOutput('secret-key forget')).toContain('Add --yes to forget the retired keys.');
    expect(await output('secret-key forget --yes')).toMatch(
      /^Retired keys forgotten: [0-9a-f]{12}, [0-9a-f]{12}\. /,
    );
    expect(await output('secret-key forget')).toBe('There are no retired keys.\n');
    expect(await errorOutput('restore plain.vedette --yes')).toContain('--with-key');
    expect(await data('restore whole.vedette --yes')).toEqual({
      file: 'whole.vedette',
      rows: expect.any(Number),
      records: 0,
      held: true,
    });
    expect((await profile(token)).status).toBe(200);
  });

  test('can exclude telemetry', async () => {
    const printed = await output('backup settings.vedette --without-telemetry');
    expect(printed).toContain('settings.vedette with no telemetry');
    expect(await output('restore settings.vedette --yes')).toContain('Telemetry is unchanged.');
  });

  test('hold messages and exports until they are released, unless --deliver is set', async () => {
    await output('backup held.vedette');
    const note = 'are held: check the channels, then run npx vedette deliveries release.';
    expect(await output('restore held.vedette --yes')).toContain(note);
    expect(await output('deliveries')).toMatch(/^Messages and exports have been held since the restore of /);
    expect(await data('deliveries release')).toEqual({ released: 0 });
    expect(await output('deliveries release')).toBe('Nothing is held.\n');
    expect(await output('deliveries')).toBe('No undelivered messages.\n');
    await output('restore held.vedette --yes');
    expect(await output('restore held.vedette --yes --deliver')).not.toContain('held');
    expect(await output('deliveries')).toBe('No undelivered messages.\n');
  });

  test('report file errors and leave no partial files', async () => {
    writeFileSync(join(installation.directory, 'garbage'), Buffer.alloc(3_000_000, 'garbage'));
    expect(await errorOutput('restore garbage --yes')).toContain('The archive can not be restored');
    expect(JSON.parse(await errorOutput('restore nowhere --json')).message).toContain(
      'There is no file nowhere',
    );
    expect(await errorOutput('restore . --yes')).toContain('There is no file .');
    expect(await errorOutput('backup no/such/folder')).toContain('no/such/folder was not written');
    await errorOutput('backup .');
    expect(readdirSync(installation.directory).filter((name) => name.endsWith('partial'))).toEqual([]);
  });
});

describe('vedette simulate', () => {
  const [end, day] = [Date.parse(`${new Date().toISOString().slice(0, 13)}:00:00Z`), 86_400_000];
  const simulate = (rest = '') =>
    `simulate --hosts 2 --days 1 --seed 5 --end ${new Date(end).toISOString()}${rest}`;

  async function hostnames(headers: Record<string, string> = {}) {
    const authorization = `Bearer ${await tokenOf(readKeyFile(join(installation.directory, 'api-key.json')) as KeyFile)}`;
    const [startTime, endTime] = [end - day, end].map((instant) => new Date(instant).toISOString());
    const response = await fetch(`${url}/api/v2/Entities/Machines/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization, ...headers },
      body: JSON.stringify({ timeFilter: { startTime, endTime } }),
    });
    if (response.status === 204) return [];
    return ((await response.json()) as { data: { hostname: string }[] }).data.map(({ hostname }) => hostname);
  }

  test('stores searchable hosts exactly once', async () => {
    const { code, stdout } = await vedette(`${simulate()} --json`);
    const result = JSON.parse(stdout);
    expect([code, result]).toEqual([0, expect.objectContaining({ hosts: 2, days: 1, seed: 5 })]);
    const hostsFound = await hostnames();
    expect(hostsFound).toHaveLength(2 * 24);
    expect(new Set(hostsFound).size).toBe(2);
    expect(hostsFound[0]).toContain(`.${result.company.toLowerCase()}.example`);

    const again = await vedette(simulate());
    expect(again.stdout).toContain(`reported ${result.records} records`);
    expect(again.stdout).toContain(`: 0 new, ${result.records} already stored`);
    expect([result.stored, result.repeated]).toEqual([result.records, 0]);
    expect(await hostnames()).toHaveLength(2 * 24);
    const tokens = await store.read.selectFrom('agent_tokens').select(['alias', 'enabled']).execute();
    expect(tokens).toEqual([
      { alias: 'simulator', enabled: 1 },
      { alias: 'simulated collector', enabled: 1 },
    ]);
    const { resources, opened, closed } = result.clouds;
    expect([resources > 100, opened, closed]).toEqual([true, resources, 0]);
    expect(again.stdout).toContain(`${resources} resources, 0 versions new or changed, 0 changed or removed`);

    // The server derives further records from those sent.
    const { records } = await data('backup simulated.vedette');
    expect(records).toBeGreaterThanOrEqual(result.records);
    const other = await vedette(`simulate --hosts 3 --days 1 --seed 6 --end ${new Date(end).toISOString()}`);
    expect(other.code).toBe(0);
    expect(await hostnames()).toHaveLength(5 * 24);
    expect(await output('restore simulated.vedette --yes')).toContain(
      `${records} telemetry records restored.`,
    );
    expect(await hostnames()).toHaveLength(2 * 24);
  });

  test('reports invalid options', async () => {
    expect(await errorOutput('simulate --hosts 1 --days 1')).toContain('--seed is required');
    expect(await errorOutput('simulate --hosts 0 --days 1 --seed 1')).toContain('--hosts must be an integer');
    expect(await errorOutput(simulate(' --rate fast'))).toContain('--rate must be an integer');
    expect(await errorOutput('simulate --agents 2 --hosts 3')).toContain('can not be combined with --hosts');
    expect(await errorOutput(simulate(' --minutes 3'))).toContain('--minutes requires --agents');
    expect(await errorOutput('simulate --agents many')).toContain('--agents must be an integer');
    expect(await errorOutput('simulate --agents 2 --token wrong')).toContain('401');
    expect(await errorOutput('simulate --agents 2 --url http://127.0.0.1:1')).toContain('does not answer');
    expect(await errorOutput('simulate --hosts 1 --days 1 --seed 1 --end now')).toContain(
      '--end must be a time',
    );
    expect(await errorOutput(simulate(' --url there'))).toContain('--url must be a URL');
    expect(await errorOutput(simulate(' --url http://127.0.0.1:1'))).toContain('does not answer');
    expect(await errorOutput(simulate(' --token wrong'))).toContain('401');
    expect(await errorOutput(simulate(' --account nowhere'))).toContain("Not found: account 'nowhere'");
  });
});

describe('without a service', () => {
  let empty: string;
  beforeAll(() => {
    empty = mkdtempSync(join(tmpdir(), 'vedette-test-'));
  });
  afterAll(() => rmSync(empty, { recursive: true, force: true }));

  test('a command names the directory and the fix, and creates no files', async () => {
    const missing = join(empty, 'data');
    const environment = { VEDETTE_DATA_DIR: missing, VEDETTE_CONTROL_URL: undefined };
    const message = await errorOutput('account list', environment);
    expect(message).toContain(missing);
    expect(message).toMatch(/npm start.*VEDETTE_DATA_DIR/);
    expect(await errorOutput('backup file', environment)).toMatch(
      /No server is running on .*VEDETTE_DATA_DIR/,
    );
    expect(existsSync(missing)).toBe(false);
  });

  test('an unreachable store is reported with its variable, without the password', async () => {
    const VEDETTE_CONTROL_URL = 'postgres://vedette:password-of-store@127.0.0.1:1/vedette';
    const message = await errorOutput('account list', { VEDETTE_CONTROL_URL });
    expect(message).toContain('VEDETTE_CONTROL_URL');
    expect(message).not.toContain('password-of-store');
  });

  test('a command does not initialise the store of a server that never started', async () => {
    const fresh = await createTestPlace();
    const environment = { VEDETTE_DATA_DIR: fresh.directory, VEDETTE_CONTROL_URL: fresh.controlUrl };
    expect(await errorOutput('account create early', environment)).toContain('npm start');
    await fresh.remove();
  });
});
