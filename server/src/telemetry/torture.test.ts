import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KeyFile, readKeyFile } from '../identity/bootstrap.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { ServerProcess } from '../testing/process.ts';

const rounds = Number(process.env.VEDETTE_TORTURE_ROUNDS ?? 10);
const clients = 3;
const recordsOfBatch = 20;

let place: TestPlace;
let server: ServerProcess | undefined;
beforeAll(async () => {
  place = await createTestPlace();
});
afterAll(async () => {
  await server?.kill();
  await place.remove();
});

/** Batches that were acknowledged, and those whose fate nobody knows: they are sent again. */
const acknowledged = new Set<string>();
const unknown = new Set<string>();

test(
  `a server that is killed ${rounds} times during ingest has every acknowledged batch, whole and once`,
  async () => {
    let agent = '';
    for (let round = 0; round < rounds; round++) {
      const url = await launch();
      agent ||= await newAgent(url);
      await ingestUntilKilled(url, agent, round);
    }
    const url = await launch();
    for (const batch of [...unknown]) expect(await send(url, agent, batch)).toBe(200);
    const stored = await storedBatches(url);
    for (const batch of [...acknowledged, ...unknown]) {
      expect([batch, stored.get(batch)]).toEqual([batch, recordsOfBatch]);
    }
    expect(stored.size).toBe(new Set([...acknowledged, ...unknown]).size);
    expect(acknowledged.size).toBeGreaterThan(rounds);
  },
  120_000 + rounds * 10_000,
);

async function launch(): Promise<string> {
  server = new ServerProcess(place, { environment: { VEDETTE_RATE_LIMIT: 'off' } });
  return server.url();
}

/** Clients send batch after batch, beginning with what they do not know about, until the server is gone. */
async function ingestUntilKilled(url: string, agent: string, round: number): Promise<void> {
  const enough = 1 + randomInt(20);
  let count = 0;
  let killing: Promise<unknown> | undefined;
  const again = [...unknown];
  const client = async (number: number) => {
    for (let turn = 0; ; turn++) {
      const batch = again.shift() ?? `${round}-${number}-${turn}`;
      unknown.add(batch);
      const status = await send(url, agent, batch).catch(() => undefined);
      if (status === undefined) return;
      expect(status).toBe(200);
      unknown.delete(batch);
      acknowledged.add(batch);
      if (++count === enough) killing = setTimeout(randomInt(30)).then(() => server?.kill('SIGKILL'));
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  await killing;
}

async function send(url: string, agent: string, batch: string): Promise<number> {
  const createdTime = new Date().toISOString();
  const record = { createdTime, mid: 1, fqdn: 'a', hostIpAddr: 'b', ttl: 1, dnsServerIp: 'c', batch };
  const reply = await fetch(`${url}/ingest/v1/Activities/DNSs`, {
    method: 'POST',
    headers: { Authorization: agent, 'Content-Type': 'application/json', 'Idempotency-Key': batch },
    body: JSON.stringify(Array.from({ length: recordsOfBatch }, () => record)),
  });
  await reply.text();
  return reply.status;
}

/** How many records of each batch there are. */
async function storedBatches(url: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const token = await signIn(url);
  let answer = await ask(`${url}/api/v2/Activities/DNSs/search`, token, { returns: ['batch'] });
  for (;;) {
    for (const { batch } of answer.data) found.set(batch, (found.get(batch) ?? 0) + 1);
    if (!answer.paging.urls.nextPage) return found;
    answer = await ask(answer.paging.urls.nextPage, token);
  }
}

async function newAgent(url: string): Promise<string> {
  const body = { tokenAlias: 'torturer', tokenEnabled: 1 };
  return (await ask(`${url}/api/v2/AgentAccessTokens`, await signIn(url), body)).data.accessToken;
}

async function signIn(url: string): Promise<string> {
  const { keyId, secret } = readKeyFile(join(place.directory, 'api-key.json')) as KeyFile;
  const reply = await fetch(`${url}/api/v2/access/tokens`, {
    method: 'POST',
    headers: { 'X-LW-UAKS': secret, 'Content-Type': 'application/json' },
    body: JSON.stringify({ keyId }),
  });
  return ((await reply.json()) as { token: string }).token;
}

async function ask(url: string, token: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
  const reply = await fetch(url, {
    headers: { Authorization: token, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return reply.json();
}
