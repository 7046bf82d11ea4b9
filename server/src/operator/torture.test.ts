import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { Accounts } from '../identity/accounts.ts';
import { type KeyFile, readKeyFile } from '../identity/bootstrap.ts';
import { Directory } from '../identity/directory.ts';
import { addDefaultRecords } from '../modules/default-records.ts';
import { systemClock } from '../platform/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { requestOperator } from '../testing/operator.ts';
import { ServerProcess } from '../testing/process.ts';

const rounds = Number(process.env.VEDETTE_TORTURE_ROUNDS ?? 6);

let place: TestPlace;
let server: ServerProcess | undefined;
beforeAll(async () => {
  place = await createTestPlace();
});
afterAll(async () => {
  await server?.kill();
  await place.remove();
});

const small = { accounts: ['local', 'one'], reporters: { one: 300 } };
const large = { accounts: ['local', 'one', 'two'], reporters: { one: 300, two: 500 } };

test(
  `a server killed ${rounds} times during a restore has either the old or the new state`,
  async () => {
    let url = await launch();
    const agent = await newAgent(url);
    const archives: Buffer[] = [];
    for (const [account, records] of Object.entries(large.reporters)) {
      await createAccount(account);
      await report(url, agent, account, records);
      archives.push((await requestOperator(place.directory, '/backup')).bytes);
    }
    const [first, second] = archives as [Buffer, Buffer];
    const startedAt = Date.now();
    await requestOperator(place.directory, '/restore', first);
    const duration = Date.now() - startedAt;
    for (let round = 0; round < rounds; round++) {
      const isSmall = (await stateOf(url)).accounts.length === small.accounts.length;
      const restoring = requestOperator(place.directory, '/restore', isSmall ? second : first).catch(
        () => {},
      );
      await setTimeout(randomInt(Math.ceil(duration * 1.5)));
      await server?.kill('SIGKILL');
      await restoring;
      url = await launch();
      expect([small, large]).toContainEqual(await stateOf(url));
      await expect
        .poll(() => readdirSync(join(place.directory, 'telemetry')).filter((name) => name.includes('-')))
        .toEqual([]);
    }
    expect(await server?.kill('SIGTERM')).toBe(0);
  },
  120_000 + rounds * 10_000,
);

async function launch(): Promise<string> {
  server = new ServerProcess(place, { environment: { VEDETTE_RATE_LIMIT: 'off' } });
  return server.url();
}

async function createAccount(name: string): Promise<void> {
  const store = await ControlStore.open(place.controlUrl, systemClock);
  const directory = new Directory(store, 'tester@example.com');
  await new Accounts(store, directory, systemClock, addDefaultRecords).create(name);
  await store.close();
}

/** The accounts, and the number of records per account. */
async function stateOf(url: string) {
  const store = await ControlStore.open(place.controlUrl, systemClock);
  const accounts = await store.read.selectFrom('accounts').select('name').orderBy('name').execute();
  await store.close();
  const { data } = await post(`${url}/api/v2/Activities/DNSs/search`, await signIn(url), {});
  const reporters: Record<string, number> = {};
  for (const { fqdn } of data) reporters[fqdn] = (reporters[fqdn] ?? 0) + 1;
  return { accounts: accounts.map(({ name }) => name), reporters };
}

async function report(url: string, agent: string, fqdn: string, records: number): Promise<void> {
  const createdTime = new Date().toISOString();
  const record = { createdTime, mid: 1, fqdn, hostIpAddr: 'b', ttl: 1, dnsServerIp: 'c' };
  const body = Array.from({ length: records }, () => record);
  await post(`${url}/ingest/v1/Activities/DNSs`, agent, body);
}

async function newAgent(url: string): Promise<string> {
  const body = { tokenAlias: 'sample', tokenEnabled: 1 };
  return (await post(`${url}/api/v2/AgentAccessTokens`, await signIn(url), body)).data.accessToken;
}

async function signIn(url: string): Promise<string> {
  const { keyId, secret } = readKeyFile(join(place.directory, 'api-key.json')) as KeyFile;
  const response = await post(`${url}/api/v2/access/tokens`, undefined, { keyId }, { 'X-LW-UAKS': secret });
  return response.token;
}

async function post(
  url: string,
  token: string | undefined,
  body: object,
  headers: Record<string, string> = {},
): Promise<ReturnType<typeof JSON.parse>> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: token }), ...headers },
    body: JSON.stringify(body),
  });
  expect([200, 201]).toContain(reply.status);
  return reply.json();
}
