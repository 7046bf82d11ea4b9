import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ControlStore } from './control/store.ts';
import type { KeyFile } from './identity/bootstrap.ts';
import { systemClock } from './platform/clock.ts';
import { installCliStandIn } from './testing/cli-stand-in.ts';
import { createTestPlace, type TestPlace, testDialect } from './testing/database.ts';
import { type ProcessOptions, ServerProcess } from './testing/process.ts';

let place: TestPlace;
let started: ServerProcess[];
beforeEach(async () => {
  place = await createTestPlace();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((server) => server.kill()));
  await place.remove();
});

type Environment = NonNullable<ProcessOptions['environment']>;

function launch(environment: Environment = {}, workingDirectory = place.directory): ServerProcess {
  const server = new ServerProcess(place, { environment, workingDirectory });
  started.push(server);
  return server;
}

async function start(environment: Environment = {}, workingDirectory = place.directory) {
  const server = launch(environment, workingDirectory);
  return { server, url: await server.url() };
}

/** A start that must fail: its exit code and output. */
async function failedStart(environment: Environment) {
  const server = launch(environment);
  return { code: await server.ended, message: server.output };
}

/** As on a new host, without a data directory. On PostgreSQL the control URL is still needed. */
const unconfigured: Environment = {
  VEDETTE_DATA_DIR: undefined,
  ...(testDialect === 'sqlite' && { VEDETTE_CONTROL_URL: undefined }),
};

const keyFileIn = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'api-key.json'), 'utf8')) as KeyFile;

/** The command for a tool in the greeting. */
function lineFor(tool: 'curl' | 'CLI' | 'Python', server: ServerProcess): string {
  return new RegExp(`^ {2}${tool} +(.*)$`, 'm').exec(server.output)?.[1] ?? '';
}

async function runInShell(command: string, cwd: string): Promise<{ token?: string; expiresAt?: string }> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd });
  return JSON.parse(stdout);
}

function requestToken(url: string, { keyId, secret }: KeyFile): Promise<Response> {
  return fetch(`${url}/api/v2/access/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-LW-UAKS': secret },
    body: JSON.stringify({ keyId }),
  });
}

describe('the first start', () => {
  test('prints the URL, the path of the key file and example commands, but never the secret', async () => {
    const { server, url } = await start(unconfigured);
    const key = keyFileIn(join(place.directory, 'data'));
    expect(await server.says(/^ {2}API key +(.*)$/m)).toHaveProperty('1', 'data/api-key.json');
    expect(lineFor('curl', server)).toContain(`${url}/api/v2/access/tokens`);
    expect(lineFor('CLI', server)).toContain(`LW_API_SERVER_URL=${url} lacework configure`);
    expect(lineFor('Python', server)).toContain('VEDETTE_TLS=self');
    expect(server.output).not.toContain(key.secret.slice(1));
  });

  test('creates a directory and a key file that only their owner can read', async () => {
    const { url } = await start(unconfigured);
    const data = join(place.directory, 'data');
    expect(statSync(data).mode & 0o777).toBe(0o700);
    for (const file of ['api-key.json', 'secret.key'])
      expect(statSync(join(data, file)).mode & 0o777).toBe(0o600);
    const key = keyFileIn(data);
    expect(Object.keys(key)).toEqual(['keyId', 'secret', 'account', 'subAccount', 'url']);
    expect(key.keyId).toMatch(/^LOCAL_[0-9A-F]{50}$/);
    expect(key.secret).toMatch(/^_[0-9a-f]{32}$/);
    expect([key.account, key.subAccount, key.url]).toEqual(['local.lacework.net', '', url]);
  });

  test('prints a curl command that obtains a token without edits', async () => {
    const { server } = await start(unconfigured);
    expect(await runInShell(lineFor('curl', server), place.directory)).toHaveProperty('token');
  });

  test.each([
    ['http', {}],
    ['https', { VEDETTE_TLS: 'self' }],
  ])(
    'prints a CLI command that configures a profile and lists policies over %s without edits',
    async (_, environment) => {
      const { server } = await start({ VEDETTE_DATA_DIR: "Bob's data", ...environment });
      const folder = installCliStandIn(place.directory);
      const { stdout } = await promisify(execFile)('sh', ['-c', lineFor('CLI', server)], {
        cwd: place.directory,
        env: { PATH: `${folder}:${process.env.PATH}`, HOME: place.directory },
      });
      expect(stdout).toMatch(/^You are all set!\n[\s\S]*^lacework-global-39 /m);
    },
  );

  test('prints a command for Python, or a shell comment that explains why there is none', async () => {
    const { server: plain } = await start(unconfigured);
    expect(await runInShell(`${lineFor('Python', plain)}\necho '{}'`, place.directory)).toEqual({});
    await plain.kill('SIGTERM');
    const { server } = await start({ ...unconfigured, VEDETTE_HOST: '0.0.0.0', VEDETTE_TLS: 'self' });
    // The Python SDK appends a dot to a host name without one, which does not resolve.
    expect(lineFor('Python', server)).toMatch(/LW_ACCOUNT=127 LW_BASE_DOMAIN=0\.0\.1:\d+ /);
  });

  test('prints a curl command that also works if the path needs quoting', async () => {
    const { server } = await start({ VEDETTE_DATA_DIR: "Bob's data", VEDETTE_TLS: 'self' });
    expect(await runInShell(lineFor('curl', server), place.directory)).toHaveProperty('token');
  });
});

describe('a later start', () => {
  test('keeps the key, prints the commands again and updates the URL in the key file', async () => {
    const { server: first } = await start();
    const before = keyFileIn(place.directory);
    expect(await first.kill('SIGTERM')).toBe(0);
    const { server, url } = await start();
    expect(keyFileIn(place.directory)).toEqual({ ...before, url });
    expect(lineFor('curl', server)).toContain(before.keyId);
    expect(server.output).not.toContain(before.secret.slice(1));
    expect((await requestToken(url, before)).status).toBe(201);
  });

  test('accepts the key file of an earlier release and updates its account to the format of clients', async () => {
    const { server: first } = await start();
    const key = keyFileIn(place.directory);
    expect(await first.kill('SIGTERM')).toBe(0);
    writeFileSync(join(place.directory, 'api-key.json'), JSON.stringify({ ...key, account: 'local' }));
    const { url } = await start();
    expect(keyFileIn(place.directory)).toEqual({ ...key, url });
    expect(statSync(join(place.directory, 'api-key.json')).mode & 0o777).toBe(0o600);
    expect((await requestToken(url, keyFileIn(place.directory))).status).toBe(201);
  });

  test('rejects a secret key that did not encrypt the data, with instructions', async () => {
    await (await start()).server.kill('SIGTERM');
    const wrongKey = 'w'.repeat(40);
    const { code, message } = await failedStart({ VEDETTE_SECRET_KEY: wrongKey });
    expect(code).toBe(1);
    expect(message).toMatch(/sealed with the secret key \w+, which this server does not have/);
    expect(message).toContain('VEDETTE_SECRET_KEY');
    expect(message).not.toContain(wrongKey);
    expect(message).not.toMatch(/^ +at /m);
  });

  test('fails without the secret key of the data instead of creating a new one', async () => {
    await (await start()).server.kill('SIGTERM');
    rmSync(join(place.directory, 'secret.key'));
    const { code, message } = await failedStart({});
    expect(code).toBe(1);
    expect(message).toContain('secret.key is missing');
    expect(existsSync(join(place.directory, 'secret.key'))).toBe(false);
  });
});

describe('a start with an invalid environment', () => {
  test('reports all invalid variables at once, without secrets', async () => {
    const { code, message } = await failedStart({
      VEDETTE_PORT: '99999',
      VEDETTE_TLS: 'yes',
      VEDETTE_SECRET_KEY: 'too short',
    });
    expect(code).toBe(1);
    for (const name of ['VEDETTE_PORT', 'VEDETTE_TLS', 'VEDETTE_SECRET_KEY']) expect(message).toContain(name);
    expect(message).not.toContain('too short');
    expect(message).not.toMatch(/^ +at /m);
  });

  test('writes only the log to standard output if it is not a terminal', async () => {
    const { server } = await start({ VEDETTE_LOG_LEVEL: 'debug' });
    await server.kill('SIGTERM');
    const lines = server.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).level)).toContain('info');
    expect(server.stderr).toMatch(/^Vedette \S+ is ready at /);
  });

  test('prints no command with a key that is no longer valid, as after a restore', async () => {
    const { server } = await start();
    await server.kill('SIGTERM');
    const store = await ControlStore.open(place.controlUrl, systemClock);
    await store.housekeeping((tx) => tx.deleteFrom('api_keys').execute());
    await store.close();
    const { server: again } = await start();
    expect(again.output).toContain('npx vedette key list');
    expect(again.output).not.toContain('Try it');
  });

  test('warns about an unknown variable and starts', async () => {
    const { server } = await start({ VEDETTE_COLOUR: 'unread value' });
    await server.says(/VEDETTE_COLOUR is not a variable/);
    expect(server.output).not.toContain('unread value');
  });

  test('fails if another server uses the directory', async () => {
    const { url } = await start();
    const { code, message } = await failedStart({});
    expect(code).toBe(1);
    expect(message).toContain(place.directory);
    expect(message).toContain('VEDETTE_DATA_DIR');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('reuses a directory whose server was killed', async () => {
    const { server } = await start();
    await server.kill('SIGKILL');
    const { url } = await start();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test('names VEDETTE_PORT when the port is taken', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => listener.once('listening', resolve));
    const { port } = listener.address() as AddressInfo;
    const { code, message } = await failedStart({ VEDETTE_PORT: `${port}` });
    listener.close();
    expect(code).toBe(1);
    expect(message).toContain('VEDETTE_PORT');
    expect(message).toContain(`${port}`);
  });

  test('names VEDETTE_CONTROL_URL without its password if the store cannot be reached', async () => {
    const VEDETTE_CONTROL_URL = 'postgres://vedette:password-of-store@127.0.0.1:1/vedette';
    const { code, message } = await failedStart({ VEDETTE_CONTROL_URL });
    expect(code).toBe(1);
    expect(message).toContain('VEDETTE_CONTROL_URL');
    expect(message).not.toContain('password-of-store');
  });
});

test('VEDETTE_TLS=self serves HTTPS with a CA in the data directory and passes it to Python', async () => {
  const data = join(place.directory, 'data');
  mkdirSync(data);
  const { server, url } = await start({ VEDETTE_DATA_DIR: data, VEDETTE_TLS: 'self' });
  const { hostname, port, protocol } = new URL(url);
  expect(protocol).toBe('https:');
  const ca = readFileSync(join(data, 'tls', 'ca.pem'));
  const reply = await new Promise<string>((resolve, reject) => {
    get(`${url}/healthz`, { ca, agent: false }, (response) => resolve(text(response))).on('error', reject);
  });
  expect(JSON.parse(reply)).toEqual({ status: 'ok' });
  const python = lineFor('Python', server);
  expect(python).toContain('REQUESTS_CA_BUNDLE=data/tls/ca.pem');
  const [account, domain] = ['ACCOUNT', 'BASE_DOMAIN'].map(
    (name) => new RegExp(`LW_${name}=(\\S+)`).exec(python)?.[1],
  );
  expect(`${account}.${domain}`).toBe(`${hostname}:${port}`);
});

describe('SIGTERM', () => {
  test('lets a request in progress finish', async () => {
    const { server, url } = await start();
    const { keyId, secret } = keyFileIn(place.directory);
    const body = JSON.stringify({ keyId });
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const received = new Promise<string>((resolve) => {
      let reply = '';
      socket.setEncoding('utf8').on('close', () => resolve(reply));
      socket.on('data', (chunk: string) => {
        reply += chunk;
        // Sent after the headers were received: from then on the request is in progress.
        if (reply === 'HTTP/1.1 100 Continue\r\n\r\n') {
          socket.write(body.slice(0, 10));
          server.kill('SIGTERM');
        }
      });
    });
    socket.write(
      `POST /api/v2/access/tokens HTTP/1.1\r\nHost: ${hostname}\r\nExpect: 100-continue\r\nX-LW-UAKS: ${secret}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await server.says(/"msg":"stopping"/);
    socket.write(body.slice(10));
    const reply = await received;
    expect(reply).toContain('HTTP/1.1 201 Created');
    expect(JSON.parse(reply.slice(reply.lastIndexOf('\r\n\r\n')))).toHaveProperty('token');
    expect(await server.ended).toBe(0);
  });

  test('is not delayed by an idle connection', async () => {
    const { server, url } = await start();
    const { port, hostname } = new URL(url);
    const idle = connect(Number(port), hostname);
    await new Promise((resolve) => idle.once('connect', resolve));
    // The response shows that the idle connection was accepted before.
    await (await fetch(`${url}/healthz`)).text();
    expect(await server.kill('SIGTERM')).toBe(0);
    idle.destroy();
  });

  test('exits with 0 if it is received twice', async () => {
    const { server } = await start();
    server.kill('SIGTERM');
    await server.says(/"msg":"stopping"/);
    expect(await server.kill('SIGINT')).toBe(0);
  });
});

test('the output contains no secrets, even at the most verbose log level', async () => {
  const secretKey = 'canary-secretKey-key-0123456789-0123456789';
  const environment = { VEDETTE_LOG_LEVEL: 'trace', VEDETTE_SECRET_KEY: secretKey, VEDETTE_RATE_LIMIT: '3' };
  const { server, url } = await start(environment);
  const key = keyFileIn(place.directory);
  const { token } = (await (await requestToken(url, key)).json()) as { token: string };
  const tokens = `${url}/api/v2/access/tokens`;
  const json = { 'content-type': 'application/json' };
  const post = (headers: Record<string, string>, body: string) =>
    fetch(tokens, { method: 'POST', headers, body }).then(({ status }) => status);
  const send = (path: string, headers: Record<string, string>) =>
    fetch(url + path, { headers }).then(({ status }) => status);
  const bearer = { authorization: `Bearer ${token}` };
  expect(await send('/api/v2/UserProfile', bearer)).toBe(200);
  expect(await send('/api/v2/AuditLogs', { ...bearer, 'Account-Name': 'canary-account' })).toBe(403);
  expect(await send('/api/v2/UserProfile?password=canary-query', bearer)).toBeLessThan(500);
  expect(await send('/api/v2/canary-path?token=canary-query', bearer)).toBe(404);
  expect(await send('/api/v2/UserProfile', { authorization: 'Bearer canary-token' })).toBe(401);
  expect(await send('/api/v2/UserProfile', { authorization: 'Basic canary-basic' })).toBe(401);
  expect(await post({ ...json, 'X-LW-UAKS': 'canary-uaks' }, `{"keyId":"${key.keyId}"}`)).toBe(401);
  expect(await post({ ...json, 'X-LW-UAKS': key.secret }, '{"keyId":"canary-body')).toBe(400);
  expect(await post({ 'content-type': 'canary/type' }, 'canary-body')).toBe(429);
  await sendRaw(url, 'canary-verb canary-raw\r\n\r\n');
  await sendRaw(url, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'canary-header'.repeat(2000)}\r\n\r\n`);
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(server.output).toContain('"msg":"request refused"');
  expect(server.output).toContain('"msg":"request"');
  for (const secret of [key.secret.slice(1), token.slice(1), secretKey, 'canary'])
    expect(server.output).not.toContain(secret);
});

function sendRaw(url: string, request: string): Promise<void> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(request));
  return new Promise((resolve) =>
    socket
      .on('error', () => {})
      .resume()
      .once('close', () => resolve()),
  );
}

test.each([undefined, 'self'])(
  'the container health check follows the server, with VEDETTE_TLS %s',
  async (tls) => {
    const { server, url } = await start(tls ? { VEDETTE_TLS: tls } : {});
    const environment = {
      PATH: process.env.PATH,
      VEDETTE_PORT: new URL(url).port,
      ...(tls && { VEDETTE_TLS: tls }),
    };
    const program = fileURLToPath(new URL('./health.js', import.meta.url));
    const check = () =>
      promisify(execFile)(process.execPath, [program], { env: environment }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      );
    expect(await check()).toBe(0);
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(await check()).toBe(1);
  },
);
