import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { type KeyFile, readKeyFile } from '../identity/bootstrap.ts';
import { systemClock } from '../platform/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { addDelivery } from '../testing/deliveries.ts';
import { ServerProcess } from '../testing/process.ts';
import { type Reaction, type Received, Receiver } from '../testing/receiver.ts';
import { leaseDuration } from './queue.ts';

const isLong = process.env.VEDETTE_TORTURE_ROUNDS !== undefined;
const alerts = isLong ? 1_000 : 20;
const patience = isLong ? 1_800_000 : 120_000;
const [kills, restarts] = [3, 2];
/** Several, because a message that hangs occupies one of the few slots of its channel. */
const channels = isLong ? 20 : 4;

let place: TestPlace;
let receiver: Receiver;
let store: ControlStore;
let server: ServerProcess | undefined;
beforeAll(async () => {
  place = await createTestPlace();
  receiver = await Receiver.start();
});
afterAll(async () => {
  await server?.kill();
  await store?.close();
  await receiver.close();
  await place.remove();
});

/** Delivery ids by alert: all requests received, and those acknowledged. */
const seen = new Map<number, Set<string>>();
const taken = new Set<number>();

function take({ body, headers }: Received): Reaction {
  const { alert, delivery_id } = JSON.parse(body);
  const ids = seen.get(alert.alertId) ?? new Set();
  seen.set(alert.alertId, ids.add(delivery_id).add(String(headers['vedette-delivery-id'])));
  const chance = randomInt(100);
  if (chance < 5) return 'hang';
  if (chance < 20) return { status: 503 };
  if (chance < 35) return 'reset';
  taken.add(alert.alertId);
  return {};
}

const launch = async () => {
  const environment = { VEDETTE_RATE_LIMIT: 'off', VEDETTE_ALLOW_PRIVATE_TARGETS: 'true' };
  server = await ServerProcess.ready(place, { environment });
  return server.url();
};
/** Makes postponed messages due in the short run; backoff is tested elsewhere. */
const makeDue = () =>
  store.housekeeping(async (tx) => {
    const now = Date.now();
    const waiting = tx.updateTable('deliveries').set({ due_at: now }).where('state', '=', 'waiting');
    await waiting.where('due_at', '>', now + leaseDuration).execute();
    const open = tx.updateTable('channel_circuits').set({ open_until: now });
    await open.where('open_until', '>', now + leaseDuration).execute();
  });
const openCount = async () => {
  if (!isLong) await makeDue();
  const { count } = await store.read
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '!=', 'delivered')
    .executeTakeFirstOrThrow();
  return Number(count);
};

test(
  `${alerts} alerts arrive at a receiver that fails, hangs and restarts, from a server that is killed ${kills} times`,
  async () => {
    receiver.react = take;
    // In the short run the receiver times out first, because our timeout is longer than the test.
    receiver.patience = isLong ? undefined : 2_000;
    const ids = await makeChannels(await launch());
    store = await ControlStore.open(place.controlUrl, systemClock);
    const { id: ownerId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
    const made = new Map<number, string>();
    for (let alertId = 1; alertId <= alerts; alertId++) {
      const channelId = ids[alertId % channels] as string;
      made.set(alertId, await addDelivery(store, Date.now(), { ownerId, channelId, alertId }));
      const part = Math.ceil(alerts / (kills + restarts + 1));
      if (alertId % part === 0) await disturb(alertId / part);
    }
    await expect.poll(openCount, { timeout: patience, interval: 250 }).toBe(0);
    expect(taken.size).toBe(alerts);
    for (const [alertId, id] of made) expect([...(seen.get(alertId) ?? [])]).toEqual([id]);
    expect(await store.read.selectFrom('deliveries').select('id').execute()).toHaveLength(alerts);
    expect(await server?.kill('SIGTERM')).toBe(0);
  },
  patience + 60_000,
);

/** Alternately kills the server and restarts the receiver under load. */
async function disturb(round: number): Promise<void> {
  await setTimeout(randomInt(600));
  if (round > kills + restarts) return;
  if (round % 2 === 0) {
    await receiver.close();
    await setTimeout(randomInt(500));
    await receiver.listen();
  } else {
    await server?.kill('SIGKILL');
    await launch();
  }
}

async function makeChannels(url: string): Promise<string[]> {
  const { keyId, secret } = readKeyFile(join(place.directory, 'api-key.json')) as KeyFile;
  const json = { 'content-type': 'application/json' };
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(201);
    return (await reply.json()) as { token: string; data: { intgGuid: string } };
  };
  const { token } = await post('/api/v2/access/tokens', { keyId }, { 'X-LW-UAKS': secret });
  const ids: string[] = [];
  for (let number = 0; number < channels; number++) {
    const data = { webhookUrl: `${receiver.url}/${number}` };
    const body = { name: `hook ${number}`, type: 'Webhook', enabled: 1, data };
    ids.push((await post('/api/v2/AlertChannels', body, { authorization: token })).data.intgGuid);
  }
  return ids;
}
