import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Occasion } from '../alerts/alert-message.ts';
import { sampleFinding } from '../alerts/alerts.sample.ts';
import { Alerts } from '../alerts/alerts.ts';
import { Routing } from '../alerts/routing.ts';
import { ControlStore } from '../control/store.ts';
import { IntegrationCatalogue, loadIntegrationTypes } from '../integrations/catalogue.ts';
import { Integrations } from '../integrations/integrations.ts';
import { GuardedOutbound } from '../outbound/guarded-outbound.ts';
import { Mail } from '../outbound/mail/mail.ts';
import { Keyring } from '../platform/keyring.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { addDelivery } from '../testing/deliveries.ts';
import { meansWith } from '../testing/means.ts';
import { type Reaction, Receiver, type Reply } from '../testing/receiver.ts';
import { SmtpReceiver } from '../testing/smtp-receiver.ts';
import { followsClosing } from './channels.ts';
import { Deliveries } from './deliveries.ts';
import { Sender } from './sender.ts';

const [minute, day] = [60_000, 86_400_000];
const scope = { ownerId: 'OWNER', name: 'local', isOrganization: false };
const set = { scope, family: 'AlertChannels', url: 'http://localhost' } as const;
const actor = { userName: 'ops@example.com', ownerId: 'OWNER', accountName: 'local', act: 'Changed' };

let receiver: Receiver;
let catalogue: IntegrationCatalogue;
let place: TestPlace;
let store: ControlStore;
let clock: ManualClock;
let integrations: Integrations;
let router: Routing;
const keyring = new Keyring([Keyring.newMaterial()]);

beforeAll(async () => {
  receiver = await Receiver.start();
  catalogue = new IntegrationCatalogue(await loadIntegrationTypes(new URL('./channels/', import.meta.url)));
});
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.forget();
  receiver.react = () => ({});
  clock = new ManualClock();
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
  integrations = new Integrations({ store, keyring, clock, catalogue });
  router = new Routing({ clock, address: () => 'http://localhost', follows: followsClosing });
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

const newSender = (mail?: Mail) => {
  const outbound = new GuardedOutbound({ allowsPrivate: true });
  return new Sender({
    ...{ store, keyring, catalogue, clock, outbound, router, log: createLog('silent') },
    means: meansWith(outbound, clock, mail),
  });
};
async function newChannel(name = 'hook'): Promise<string> {
  const data = { webhookUrl: `${receiver.url}/${name}?key=canary-key` };
  const made = await integrations.create(actor, set, { name, type: 'Webhook', enabled: 1, data });
  return made.intgGuid;
}
const add = (channelId: string, alertId = 1, occasion: Occasion = 'opened') =>
  addDelivery(store, clock.now(), { ownerId: 'OWNER', channelId, alertId, occasion });
const rows = () => store.read.selectFrom('deliveries').selectAll().orderBy('id').execute();
const row = async (id: string) => (await rows()).find((one) => one.id === id);
const entries = async () =>
  (await store.read.selectFrom('alert_entries').selectAll().orderBy('id').execute()).map(
    ({ message }) => message,
  );
const stateOf = async (id: string) => (await integrations.get(set, id)).state;
const arrivals = () => receiver.received.map(({ headers }) => headers['vedette-delivery-id']);
const drainAt = async (sender: Sender, milliseconds: number) => {
  clock.advance(milliseconds);
  await sender.drain();
};

describe('a message', () => {
  test('is sent once and marked, and its alert and channel say so', async () => {
    const channel = await newChannel();
    const id = await add(channel, 7);
    const sender = newSender();
    await Promise.all([sender.drain(), sender.drain()]);
    await drainAt(sender, day);
    expect(arrivals()).toEqual([id]);
    expect(await row(id)).toMatchObject({ state: 'delivered', attempts: 1, problem: null });
    expect(await entries()).toEqual(["The alert was sent to Webhook 'hook'."]);
    const sent = clock.now() - day;
    expect(await stateOf(channel)).toEqual({
      ...{ ok: true, lastUpdatedTime: sent, lastSuccessfulTime: sent, details: {} },
    });
  });

  test('that fails comes again after 1, 4 and 15 seconds with the same id, until it arrives', async () => {
    const channel = await newChannel();
    const id = await add(channel);
    receiver.expect({ status: 500, body: 'busy at /hook?key=canary-key' }, 'reset', { status: 503 });
    const sender = newSender();
    await sender.drain();
    const first = await row(id);
    expect(first).toMatchObject({ state: 'waiting', problem: 'The webhook answered 500: busy at ***' });
    const steps = [800, 400, 3_000, 1_500, 13_000, 4_000];
    const seen = [arrivals().length];
    for (const step of steps) {
      await drainAt(sender, step);
      seen.push(arrivals().length);
    }
    expect(seen).toEqual([1, 1, 2, 2, 3, 3, 4]);
    expect(new Set(arrivals())).toEqual(new Set([id]));
    expect(await row(id)).toMatchObject({ state: 'delivered', attempts: 4, problem: null });
    expect(await entries()).toEqual([
      "The alert could not be sent to Webhook 'hook' and is tried again until 2026-03-02T12:00:00.000Z: The webhook answered 500: busy at ***",
      "The alert was sent to Webhook 'hook'.",
    ]);
  });

  test('waits as long as the other side asks for', async () => {
    await add(await newChannel());
    receiver.expect({ status: 429, headers: { 'retry-after': '120' } });
    const sender = newSender();
    await sender.drain();
    await drainAt(sender, 119_000);
    expect(arrivals()).toHaveLength(1);
    await drainAt(sender, 1_000);
    expect(arrivals()).toHaveLength(2);
  });

  test('that the other side refuses for good is dead at once, and the channel says why', async () => {
    const channel = await newChannel();
    const id = await add(channel);
    receiver.expect({ status: 404, body: 'no such hook' });
    await newSender().drain();
    const problem = 'The webhook answered 404: no such hook';
    expect(await row(id)).toMatchObject({ state: 'dead', attempts: 1, problem });
    expect(await entries()).toEqual([`The alert was not sent to Webhook 'hook': ${problem}`]);
    expect(await stateOf(channel)).toEqual({
      ...{ ok: false, lastUpdatedTime: clock.now(), lastSuccessfulTime: 0 },
      details: {
        errorTitle: 'The last message did not arrive.',
        errorSubtitle: 'It is not tried again.',
        errorMessage: problem,
        message: problem,
        statusCode: '404',
      },
    });
  });

  test('is dead after a day of failures', async () => {
    const id = await add(await newChannel());
    receiver.react = () => ({ status: 500 });
    const sender = newSender();
    for (let hours = 0; hours < 30; hours++) {
      await sender.drain();
      await drainAt(sender, 60 * minute);
    }
    expect(await row(id)).toMatchObject({ state: 'dead', problem: 'The webhook answered 500.' });
    const received = arrivals().length;
    expect(received).toBeGreaterThan(15);
    expect((await entries()).at(-1)).toBe(
      "The alert was not sent to Webhook 'hook': The webhook answered 500.",
    );
  });

  test.each(['disabled', 'deleted'])('to a channel that is %s is dead and says so', async (fate) => {
    const channel = await newChannel();
    const id = await add(channel);
    if (fate === 'deleted') await integrations.delete(actor, set, channel);
    else await integrations.change(actor, set, channel, { enabled: 0 });
    await newSender().drain();
    expect(arrivals()).toEqual([]);
    expect(await row(id)).toMatchObject({ state: 'dead', problem: `The channel is ${fate}.` });
    expect((await entries())[0]).toContain(`The channel is ${fate}.`);
  });

  test('to a channel without its secret is dead and says so', async () => {
    const data = { apiIntgKey: '' };
    const body = { name: 'pager', type: 'PagerDutyApi', enabled: 1, data } as const;
    const id = await add((await integrations.create(actor, set, body)).intgGuid);
    await newSender().drain();
    expect(await row(id)).toMatchObject({ state: 'dead', problem: 'The channel lacks a secret: set it.' });
  });

  test('to a channel whose secrets can not be opened is tried again and dead in the end', async () => {
    const channel = await newChannel();
    const id = await add(channel);
    await store.housekeeping((tx) => tx.updateTable('integrations').set({ secrets: 'broken' }).execute());
    const sender = newSender();
    await sender.drain();
    const problem = 'Webhook failed: the log of the service says why.';
    expect(await row(id)).toMatchObject({ state: 'waiting', attempts: 1, problem });
    await drainAt(sender, day);
    expect(await row(id)).toMatchObject({ state: 'dead', problem });
  });

  test('that some did not get is told on the timeline', async () => {
    const smtp = await SmtpReceiver.start();
    smtp.behaviour = { replies: { 'RCPT TO:<b@': '452 4.2.2 mailbox full' } };
    const data = { channelProps: { recipients: ['a@example.com', 'b@example.com'] } };
    const body = { name: 'mail', type: 'EmailUser', enabled: 1, data } as const;
    await add((await integrations.create(actor, set, body)).intgGuid);
    const server = new URL(`smtp://127.0.0.1:${smtp.port}`);
    await newSender(new Mail({ server, from: 'vedette@example.com', clock })).drain();
    await smtp.close();
    expect(await entries()).toEqual([
      "The alert was sent to EmailUser 'mail'. The mail server refused these recipients: b@example.com.",
    ]);
  });

  test('that comes after all, when its alert is closed already, is followed by that', async () => {
    const alerts = new Alerts({ store, clock, router });
    await store.housekeeping((tx) => alerts.raise(tx, sampleFinding('OWNER', clock.now())));
    const id = await add(await newChannel());
    receiver.expect({ status: 404 });
    const sender = newSender();
    await sender.drain();
    const task = { actor, userId: 'USER', alertId: 1 };
    await alerts.close(task, { reason: 1, comment: '' }, async () => ({ result: undefined }));
    await sender.drain();
    expect(arrivals()).toEqual([id]);
    await new Deliveries(store, clock).resend(actor, 'all dead');
    await sender.drain();
    await sender.drain();
    const occasions = receiver.received.map(({ body }) => JSON.parse(body).occasion);
    expect(occasions).toEqual(['opened', 'opened', 'closed']);
  });

  test('that a later one is about comes first, however often it fails', async () => {
    const channel = await newChannel();
    const closed = await add(channel, 1, 'closed');
    const opened = await add(channel, 1);
    const other = await add(channel, 2);
    receiver.react = ({ headers }) => ({ status: headers['vedette-delivery-id'] === opened ? 500 : 200 });
    const sender = newSender();
    await sender.drain();
    await drainAt(sender, minute);
    expect(arrivals().sort()).toEqual([opened, opened, other].sort());
    receiver.react = () => ({});
    await drainAt(sender, minute);
    expect(arrivals().slice(-2)).toEqual([opened, closed]);
  });
});

describe('several nodes', () => {
  test('send each message once', async () => {
    const channels = await Promise.all(['a', 'b', 'c'].map(newChannel));
    for (let alert = 0; alert < 30; alert++) await add(channels[alert % 3] as string, alert);
    await Promise.all([newSender(), newSender(), newSender()].map((sender) => sender.drain()));
    expect(arrivals()).toHaveLength(30);
    expect(new Set(arrivals()).size).toBe(30);
  });

  test('take over what a dead one had, and leave what a slow one is at', async () => {
    const id = await add(await newChannel());
    receiver.expect('hang', {});
    const slow = newSender();
    await slow.look();
    await expect.poll(arrivals).toEqual([id]);
    clock.advance(7_000);
    await slow.keep();
    const other = newSender();
    await drainAt(other, 7_000);
    expect(arrivals()).toEqual([id]);
    await drainAt(other, 2_000);
    expect(arrivals()).toEqual([id, id]);
    expect(await row(id)).toMatchObject({ state: 'delivered', attempts: 2 });
  });
});

describe('an attempt that took too long', () => {
  /** Another node has leased the message meanwhile, and says what became of it. */
  const race = async (reaction: Reply | 'hang', meanwhile: 'waiting' | 'dead') => {
    const id = await add(await newChannel());
    receiver.expect('hang');
    receiver.patience = 300;
    const slow = newSender();
    await slow.look();
    await expect.poll(arrivals).toEqual([id]);
    const changes = { attempts: 2, state: meanwhile, due_at: clock.now() + minute, problem: null };
    await store.housekeeping((tx) => tx.updateTable('deliveries').set(changes).execute());
    if (reaction !== 'hang') receiver.answer(reaction);
    await slow.stop();
    return row(id);
  };

  test('and failed changes nothing', async () => {
    expect(await race('hang', 'waiting')).toMatchObject({ state: 'waiting', attempts: 2, problem: null });
  });

  test('and arrived has arrived', async () => {
    expect(await race({}, 'dead')).toMatchObject({ state: 'delivered', problem: null });
  });
});

describe('a clock that is set back', () => {
  test('lets no message wait until it is there again', async () => {
    const id = await add(await newChannel());
    receiver.expect({ status: 500 });
    const sender = newSender();
    await sender.drain();
    clock.advance(-30 * day);
    await sender.tidy();
    await sender.drain();
    expect(await row(id)).toMatchObject({ state: 'delivered', created_at: clock.now() });
  });

  test('lets no circuit stay open until then', async () => {
    const channel = await newChannel();
    const circuit = { channel_id: channel, failures: 9, opened_at: 0, open_until: clock.now() + 30 * day };
    const others = { ...circuit, channel_id: 'GONE' };
    await store.housekeeping((tx) => tx.insertInto('channel_circuits').values([circuit, others]).execute());
    const id = await add(channel);
    const sender = newSender();
    await sender.drain();
    expect(arrivals()).toEqual([]);
    await sender.tidy();
    const left = await store.read.selectFrom('channel_circuits').select('channel_id').execute();
    expect(left).toEqual([{ channel_id: channel }]);
    await sender.drain();
    expect(arrivals()).toEqual([id]);
  });
});

describe('a slow channel', () => {
  test('does not hold up others, and gets a few messages at once only', async () => {
    const [slow, quick] = [await newChannel('slow'), await newChannel('quick')];
    for (let alert = 0; alert < 20; alert++) await add(slow, alert);
    const last = await add(quick, 99);
    receiver.react = ({ url }): Reaction => (url.includes('/slow') ? 'hang' : {});
    const sender = newSender();
    await sender.look();
    await expect.poll(async () => (await row(last))?.state).toBe('delivered');
    await expect.poll(() => receiver.received.filter(({ url }) => url.includes('/slow')).length).toBe(4);
  });
});

describe('the circuit of a channel', () => {
  const fail = async (sender: Sender, times: number) => {
    const channel = await newChannel();
    receiver.expect(...Array.from({ length: times }, () => ({ status: 500 })));
    for (let alert = 1; alert <= times; alert++) {
      await add(channel, alert);
      await sender.drain();
    }
    return channel;
  };

  test('stays closed after four failures in a row', async () => {
    const sender = newSender();
    const channel = await fail(sender, 4);
    await add(channel, 9);
    await sender.drain();
    expect(arrivals()).toHaveLength(5);
  });

  test('opens with the fifth; then one message tries, and the others follow when it arrives', async () => {
    const sender = newSender();
    const channel = await fail(sender, 5);
    for (const alert of [6, 7, 8]) await add(channel, alert);
    await drainAt(sender, 4_900);
    expect(arrivals()).toHaveLength(5);
    receiver.expect({ status: 500 });
    await drainAt(sender, 200);
    expect(arrivals()).toHaveLength(6);
    await drainAt(sender, 9_700);
    expect(arrivals()).toHaveLength(6);
    await drainAt(sender, 400);
    expect(arrivals().length).toBeGreaterThan(10);
    await drainAt(sender, minute);
    expect(new Set((await rows()).map(({ state }) => state))).toEqual(new Set(['delivered']));
  });

  test('is open no longer when several messages fail together', async () => {
    const sender = newSender();
    const channel = await fail(sender, 4);
    receiver.expect(...Array.from({ length: 4 }, () => ({ status: 500 })));
    for (const alert of [6, 7, 8, 9]) await add(channel, alert);
    await sender.drain();
    expect(arrivals()).toHaveLength(8);
    await drainAt(sender, 5_000);
    expect(arrivals().length).toBeGreaterThan(8);
  });

  test('that stays open for a day lets no message wait for ever', async () => {
    const sender = newSender();
    const channel = await fail(sender, 5);
    await store.housekeeping((tx) =>
      tx
        .updateTable('channel_circuits')
        .set({ open_until: clock.now() + 2 * day })
        .execute(),
    );
    const id = await add(channel, 6);
    await sender.bury();
    expect((await row(id))?.state).toBe('waiting');
    clock.advance(day);
    await sender.bury();
    expect(await row(id)).toMatchObject({
      state: 'dead',
      problem: expect.stringContaining('failed all the time'),
    });
    expect(arrivals()).toHaveLength(5);
  });
});
