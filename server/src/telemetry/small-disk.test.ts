import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KeyFile, readKeyFile } from '../identity/bootstrap.ts';
import { createTestPlace, type TestPlace, testDialect } from '../testing/database.ts';
import { canFailFsync as canBuild } from '../testing/failing-fsync.ts';
import { ServerProcess } from '../testing/process.ts';
import { Reporter } from '../testing/reporter.ts';
import { SmallDisk } from '../testing/small-disk.ts';

const recordsOfBatch = 5_000;
/** Longer than a disk measurement is valid. */
const patience = { timeout: 60_000 };

let installation: TestPlace;
let data: string;
let disk: SmallDisk;
let server: ServerProcess | undefined;
let reporter: Reporter;
let url: string;

async function launch(): Promise<void> {
  const controlUrl =
    testDialect === 'sqlite' ? `sqlite:${join(data, 'control.db')}` : installation.controlUrl;
  server = await ServerProcess.ready(
    { ...installation, directory: data, controlUrl },
    { environment: { VEDETTE_RATE_LIMIT: 'off', ...disk.environment } },
  );
  url = await server.url();
}
async function ask(method: string, path: string, token?: string, body?: object) {
  const reply = await fetch(url + path, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: token }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}
async function signIn(): Promise<{ status: number; token: string }> {
  const { keyId, secret } = readKeyFile(join(data, 'api-key.json')) as KeyFile;
  const reply = await fetch(`${url}/api/v2/access/tokens`, {
    method: 'POST',
    headers: { 'X-LW-UAKS': secret, 'Content-Type': 'application/json' },
    body: JSON.stringify({ keyId }),
  });
  return { status: reply.status, token: ((await reply.json()) as { token: string }).token };
}
const newToken = (token: string, tokenAlias: string) =>
  ask('POST', '/api/v2/AgentAccessTokens', token, { tokenAlias, tokenEnabled: 1 });

beforeEach(async () => {
  installation = await createTestPlace();
  data = join(installation.directory, 'data');
  mkdirSync(data);
  disk = new SmallDisk(data, installation.directory, 64e6);
  reporter = new Reporter(data, recordsOfBatch);
});
afterEach(async () => {
  await server?.kill();
  await installation.remove();
});

test.skipIf(!canBuild)(
  'a server filled by batches keeps its reserve: users can sign in, search and make changes',
  async () => {
    await launch();
    const acknowledged = new Map<string, number>();
    let refused: Awaited<ReturnType<Reporter['send']>> | undefined;
    for (let round = 0; round < 500 && !refused; round++) {
      const answer = await reporter.send(url, `batch ${round}`);
      if (answer.status === 200) acknowledged.set(`batch ${round}`, recordsOfBatch);
      else refused = answer;
    }
    expect(refused).toMatchObject({ status: 503, message: expect.stringContaining('the disk is full') });
    expect(acknowledged.size).toBeGreaterThan(3);
    expect(disk.free).toBeGreaterThan(3e6);
    const { status, token } = await signIn();
    expect(status).toBe(201);
    expect((await newToken(token, 'on a full disk')).status).toBe(201);
    expect(await reporter.stored(url)).toEqual(acknowledged);
    expect((await ask('GET', '/readyz')).body).toEqual({
      status: 'degraded',
      reasons: [expect.stringContaining('The disk of telemetry is full')],
    });
    expect((await ask('GET', '/metrics')).text).toContain('vedette_disk_full{store="telemetry"} 1');
    // Stopping checkpoints the file, which must not fill the disk either.
    await server?.kill('SIGTERM');
    expect(disk.free).toBeGreaterThan(3e6);
    await launch();
    expect(await reporter.stored(url)).toEqual(acknowledged);
  },
  180_000,
);

test.skipIf(!canBuild)(
  'if other programs fill the disk completely, users can sign in and read; changes get 503 until there is space',
  async () => {
    await launch();
    expect(await reporter.send(url, 'first')).toMatchObject({ status: 200 });
    const first = await signIn();
    disk.fill();
    // Allocated pages of the write-ahead log may accept some changes.
    let refused: Awaited<ReturnType<typeof newToken>> | undefined;
    for (let round = 0; round < 1_000 && !refused; round++) {
      disk.fill();
      const answer = await newToken(first.token, `token ${round}`);
      if (answer.status !== 201) refused = answer;
    }
    expect([refused?.status, refused?.body.code, refused?.body.message]).toEqual([
      503,
      'UNAVAILABLE',
      expect.stringContaining('The disk of the control store is full'),
    ]);
    for (let round = 0; round < 20; round++) expect((await signIn()).status).toBe(201);
    const { token } = await signIn();
    expect((await newToken(token, 'later')).status).toBe(503);
    expect((await ask('GET', '/api/v2/AgentAccessTokens', token)).status).toBe(200);
    expect(await reporter.stored(url)).toEqual(new Map([['first', recordsOfBatch]]));
    await expect
      .poll(async () => (await ask('GET', '/readyz')).body, patience)
      .toMatchObject({
        status: 'degraded',
        reasons: [
          expect.stringContaining('control store is full'),
          expect.stringContaining('telemetry is full'),
        ],
      });
    expect(await reporter.send(url, 'second')).toMatchObject({ status: 503 });
    expect((await ask('GET', '/metrics')).text).toContain('vedette_disk_full{store="control"} 1');

    expect(server?.output).not.toContain('"code":"INTERNAL"');

    disk.clear();
    await expect
      .poll(async () => (await newToken(token, `space ${Math.random()}`)).status, patience)
      .toBe(201);
    expect(statSync(join(data, 'control.db.reserve')).size).toBeGreaterThan(2e6);
    await expect.poll(async () => (await ask('GET', '/readyz')).body, patience).toEqual({ status: 'ok' });
    expect(await reporter.send(url, 'second')).toMatchObject({ status: 200 });
  },
  120_000,
);

test.skipIf(!canBuild)(
  'a server starts on a completely full disk, and again while its reserve is used up',
  async () => {
    await launch();
    expect(await reporter.send(url, 'first')).toMatchObject({ status: 200 });
    await server?.kill('SIGTERM');
    disk.fill();
    for (let start = 0; start < 2; start++) {
      await launch();
      const { status, token } = await signIn();
      expect(status).toBe(201);
      expect(await reporter.stored(url)).toEqual(new Map([['first', recordsOfBatch]]));
      if (testDialect === 'sqlite') expect((await newToken(token, `start ${start}`)).status).toBe(503);
      await server?.kill();
    }
  },
  120_000,
);
