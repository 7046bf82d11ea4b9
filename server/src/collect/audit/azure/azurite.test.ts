import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer, type Server } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BulkOutbound } from '../../../outbound/bulk-outbound.ts';
import { authorityFile, selfSignedTls } from '../../../platform/tls.ts';
import { ManualClock } from '../../../testing/clock.ts';
import { AzureLogSource } from './azure-log-source.ts';
import { AzureStorage } from './azure-storage.ts';
import { AzureTokens } from './azure-tokens.ts';

/** The folder of the package `azurite`, which is too large to be a dependency; `.ci/run` fetches it. */
const program = process.env.VEDETTE_TEST_AZURITE;
const account = 'devstoreaccount1';
const [queueHost, blobHost] = [`${account}.queue.core.windows.net`, `${account}.blob.core.windows.net`];
const login = 'login.microsoftonline.com';
const tenantId = '8a1b2c3d-0000-4000-8000-112233445566';

let directory: string;
let azurite: ChildProcess;
let signIn: Server;
let outbound: BulkOutbound;
let storage: AzureStorage;
const clock = new ManualClock();

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

beforeAll(async () => {
  if (program === undefined) return;
  directory = mkdtempSync(join(tmpdir(), 'vedette-azurite-'));
  const { cert, key } = await selfSignedTls(directory, [queueHost, blobHost, login], Date.now());
  writeFileSync(join(directory, 'cert.pem'), cert);
  writeFileSync(join(directory, 'key.pem'), key);
  signIn = createHttpsServer({ cert, key }, (_, response) => {
    response.end(JSON.stringify({ access_token: token(), expires_in: 3_600 }));
  });
  await new Promise<void>((resolve) => signIn.listen(0, '127.0.0.1', resolve));
  const [blob, queue, table] = [await freePort(), await freePort(), await freePort()];
  const options = [
    ...['--oauth', 'basic', '--cert', join(directory, 'cert.pem'), '--key', join(directory, 'key.pem')],
    ...[
      '--blobPort',
      `${blob}`,
      '--queuePort',
      `${queue}`,
      '--tablePort',
      `${table}`,
      '--skipApiVersionCheck',
    ],
    ...['--inMemoryPersistence', '--silent', '--disableTelemetry'],
  ];
  azurite = spawn(process.execPath, [join(program, 'dist/src/azurite.js'), ...options], { stdio: 'ignore' });
  const authority = readFileSync(authorityFile(directory), 'utf8');
  const ports: Readonly<Record<string, number>> = {
    '20.60.0.1': queue,
    '20.60.0.2': blob,
    '20.60.0.3': (signIn.address() as AddressInfo).port,
  };
  const addresses: Readonly<Record<string, string>> = {
    ...{ [queueHost]: '20.60.0.1', [blobHost]: '20.60.0.2', [login]: '20.60.0.3' },
  };
  outbound = new BulkOutbound({
    allowsPrivate: false,
    resolve: async (host) => [addresses[host] ?? []].flat(),
    elsewhere: { authority, find: (address) => ({ address: '127.0.0.1', port: ports[address] as number }) },
  });
  const tokens = new AzureTokens(outbound, clock);
  storage = new AzureStorage({
    outbound,
    tokens,
    application: { tenantId, clientId: 'c', clientSecret: 's' },
  });
  while ((await send('PUT', `https://${queueHost}/activity`).catch(() => 0)) !== 201)
    await new Promise((resume) => setTimeout(resume, 100));
}, 60_000);

afterAll(async () => {
  if (program === undefined) return;
  azurite.kill();
  await outbound.close();
  signIn.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The emulator checks the claims of a token, not its signature. */
function token(): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    ...{ aud: 'https://storage.azure.com', iss: `https://sts.windows.net/${tenantId}/` },
    ...{ iat: now - 60, nbf: now - 60, exp: now + 3_600 },
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.signature`;
}

async function send(method: string, url: string, headers: Record<string, string> = {}, body = '') {
  const reply = await outbound.fetch({
    ...{ method, url, body },
    headers: { authorization: `Bearer ${token()}`, 'x-ms-version': '2024-11-04', ...headers },
  });
  return reply.status;
}

test.skipIf(program === undefined)(
  'queues and append blobs of Azurite are read, hidden and deleted',
  async () => {
    const signal = new AbortController().signal;
    const day = new Date(clock.now()).toISOString().slice(0, 10).split('-');
    const path = `insights-activity-logs/resourceId=/SUBSCRIPTIONS/X/y=${day[0]}/m=${day[1]}/d=${day[2]}/h=12/m=00/PT1H.json`;
    const blob = `https://${blobHost}/${path}`;
    expect(await send('PUT', `https://${blobHost}/insights-activity-logs?restype=container`)).toBe(201);
    expect(await send('PUT', blob, { 'x-ms-blob-type': 'AppendBlob' })).toBe(201);
    expect(await send('PUT', `${blob}?comp=appendblock`, {}, '{"a":1}\r\n')).toBe(201);
    const notice = { eventType: 'Microsoft.Storage.BlobCreated', data: { url: blob } };
    const text = Buffer.from(JSON.stringify(notice)).toString('base64');
    const message = `<QueueMessage><MessageText>${text}</MessageText></QueueMessage>`;
    expect(await send('POST', `https://${queueHost}/activity/messages`, {}, message)).toBe(201);

    const source = new AzureLogSource(storage, `https://${queueHost}/activity`, clock);
    const messages = await source.receive(signal);
    expect(messages.map(({ body }) => JSON.parse(body))).toEqual([notice]);
    expect(await source.receive(signal)).toEqual([]);
    const [announcement] = source.decode(messages, () => {});
    const object = announcement?.objects[0];
    expect(Buffer.from((await object?.fetch(0, signal)) ?? []).toString()).toBe('{"a":1}\r\n');
    expect(await object?.fetch(9, signal)).toBeUndefined();
    expect(await send('PUT', `${blob}?comp=appendblock`, {}, '{"a":2}\r\n')).toBe(201);
    expect(Buffer.from((await source.reopen(blob)?.fetch(9, signal)) ?? []).toString()).toBe('{"a":2}\r\n');

    await source.hide(messages, 0, signal);
    const again = await source.receive(signal);
    expect(again).toHaveLength(1);
    await source.hide(again, 60, signal);
    await source.delete(again, signal);
    await source.delete(again, signal);
    await expect(source.hide(again, 0, signal)).rejects.toThrow(/404/);
    await expect(
      source
        .decode(
          [{ id: '1', receipt: 'r', body: JSON.stringify({ ...notice, data: { url: `${blob}x` } }) }],
          () => {},
        )[0]
        ?.objects[0]?.fetch(0, signal),
    ).rejects.toThrow('does not exist any more');
  },
);
