import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControlStore } from './control/store.ts';
import { type KeyFile, readKeyFile } from './identity/bootstrap.ts';
import { Directory } from './identity/directory.ts';
import { Keys } from './identity/keys.ts';
import { Users } from './identity/users.ts';
import { systemClock } from './platform/clock.ts';
import { fingerprint } from './platform/fingerprint.ts';
import { createTestPlace, type TestPlace } from './testing/database.ts';
import { ServerProcess } from './testing/process.ts';

const rounds = Number(process.env.VEDETTE_TORTURE_ROUNDS ?? 20);
/** Set the seed of a failed run to reproduce its timing. */
const seed = Number(process.env.VEDETTE_TORTURE_SEED ?? randomInt(2 ** 31));
const random = randomFrom(seed);
const clients = 4;

let place: TestPlace;
let server: ServerProcess | undefined;
beforeAll(async () => {
  place = await createTestPlace();
});
afterAll(async () => {
  await server?.kill();
  await place.remove();
});

type Key = Pick<KeyFile, 'keyId' | 'secret'>;

/** Acknowledged writes, which must survive every crash. */
const acknowledgedWrites = { tokens: new Map<string, string>(), users: new Set<string>() };

test(
  `a server that is killed ${rounds} times keeps every acknowledged write and no partial one`,
  async () => {
    for (let round = 0; round < rounds; round++) {
      try {
        if (round === 0 || random() < 0.3) await killDuringStart();
        await killUnderLoad(round);
        await check();
      } catch (error) {
        throw new Error(`round ${round} of VEDETTE_TORTURE_SEED=${seed}`, { cause: error });
      }
    }
    await useTokens();
  },
  60_000 + rounds * 20_000,
);

function launch(): ServerProcess {
  server = new ServerProcess(place, { environment: { VEDETTE_RATE_LIMIT: 'off' } });
  return server;
}

/** Includes the first start, which creates the store. */
async function killDuringStart(): Promise<void> {
  const starting = launch();
  await setTimeout(random() * 1_200);
  await starting.kill('SIGKILL');
}

async function killUnderLoad(round: number): Promise<void> {
  const running = launch();
  const url = await running.url();
  const store = await ControlStore.open(place.controlUrl, systemClock);
  const keys = [readKeyFile(join(place.directory, 'api-key.json')) as KeyFile, await secondKey(store)];
  const killAfter = 1 + Math.floor(random() * 60);
  const delay = random() * 10;
  let acknowledged = 0;
  let killed = false;
  const kill = async () => {
    await setTimeout(delay);
    await running.kill('SIGKILL');
    killed = true;
  };
  let killing: Promise<void> | undefined;
  const loops = Array.from({ length: clients }, (_, client) =>
    createTokens(url, keys[client % keys.length] as Key, () => {
      if (++acknowledged === killAfter) killing = kill();
    }),
  );
  let over = false;
  const finished = Promise.all(loops).finally(() => {
    over = true;
  });
  // A rejected client fails the round below; this prevents an unhandled rejection.
  finished.catch(() => {});
  // In every other round the server is the only process with the store open, so the next start has to recover it.
  if (round % 2 === 0) await store.close();
  else await administer(store, round, () => killed || over).finally(() => store.close());
  await finished;
  await killing;
}

/** One client, until the server is killed. */
async function createTokens(url: string, { keyId, secret }: Key, acknowledged: () => void): Promise<void> {
  const headers = { 'content-type': 'application/json', 'X-LW-UAKS': secret };
  const body = JSON.stringify({ keyId, expiryTime: 86_400 });
  for (;;) {
    const reply = await fetch(`${url}/api/v2/access/tokens`, { method: 'POST', headers, body })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined);
    if (!reply) return;
    if (reply.status !== 201) throw new Error(`A token was refused: ${reply.text}`);
    acknowledgedWrites.tokens.set(JSON.parse(reply.text).token, keyId);
    acknowledged();
  }
}

/** Writes concurrently with the server, as the `vedette` command does. */
async function administer(store: ControlStore, round: number, isOver: () => boolean): Promise<void> {
  const { users, keys } = adminToolsFor(store);
  for (let count = 0; !isOver(); count++) {
    const email = `user-${round}-${count}@example.com`;
    await users.grant(email, 'accountUser');
    await keys.create(email);
    acknowledgedWrites.users.add(email);
    if (count % 3 === 2) {
      await users.delete(email);
      acknowledgedWrites.users.delete(email);
    }
    // SQLite calls are synchronous: without yielding to the event loop, the other clients would starve.
    await setImmediate();
  }
}

function adminToolsFor(store: ControlStore): { users: Users; keys: Keys } {
  const directory = new Directory(store, 'tester@example.com');
  return { users: new Users(store, directory, systemClock), keys: new Keys(store, directory, systemClock) };
}

let second: Key | undefined;
async function secondKey(store: ControlStore): Promise<Key> {
  if (second) return second;
  const { users, keys } = adminToolsFor(store);
  await users.grant('torturer@example.com', 'orgAdmin');
  acknowledgedWrites.users.add('torturer@example.com');
  second = await keys.create('torturer@example.com');
  return second;
}

async function check(): Promise<void> {
  const store = await ControlStore.open(place.controlUrl, systemClock);
  if (store.dialect === 'sqlite') {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(store.read);
    expect(rows).toEqual([{ integrity_check: 'ok' }]);
  }
  await store.snapshot(async (db) => {
    const tokens = await db.selectFrom('access_tokens').select(['fingerprint', 'key_id']).execute();
    const known = new Map(tokens.map((token) => [token.fingerprint, token.key_id]));
    const lost = [...acknowledgedWrites.tokens].filter(
      ([token, keyId]) => known.get(fingerprint('access token', token)) !== keyId,
    );
    expect(lost).toEqual([]);
    const entries = await db.selectFrom('audit_log').select(['event_name', 'event_description']).execute();
    const created = entries.filter(({ event_name }) => event_name === 'Access Token Created');
    expect(created.length).toBe(tokens.length);
    for (const keyId of new Set(known.values())) {
      const ofKey = created.filter(({ event_description }) => event_description.includes(`key ${keyId},`));
      expect(ofKey.length).toBe(tokens.filter(({ key_id }) => key_id === keyId).length);
    }
    const users = await db
      .selectFrom('users')
      .select('email')
      .where('email', 'like', '%@example.com')
      .execute();
    expect(new Set(users.map(({ email }) => email))).toEqual(acknowledgedWrites.users);
    const grants = entries.filter(({ event_name }) => event_name === 'User Role Granted').length;
    const deletions = entries.filter(({ event_name }) => event_name === 'User Deleted').length;
    expect(grants - deletions).toBe(acknowledgedWrites.users.size);
  });
  await store.close();
}

/** After the last round, issued tokens are still valid and the server stops cleanly. */
async function useTokens(): Promise<void> {
  const running = launch();
  const url = await running.url();
  const tokens = [...acknowledgedWrites.tokens.keys()];
  for (const token of [tokens[0], tokens[Math.floor(tokens.length / 2)], tokens.at(-1)]) {
    const reply = await fetch(`${url}/api/v2/UserProfile`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.status).toBe(200);
    await reply.text();
  }
  expect(await running.kill('SIGTERM')).toBe(0);
}

/** The Mulberry32 generator. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
