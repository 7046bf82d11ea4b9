import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampleFinding } from '../alerts/alerts.sample.ts';
import { Alerts } from '../alerts/alerts.ts';
import { Mail } from '../outbound/mail/mail.ts';
import { addDelivery } from '../testing/deliveries.ts';
import type { Reaction, Reply } from '../testing/receiver.ts';
import { SenderSite } from '../testing/sender-site.ts';
import { SmtpReceiver } from '../testing/smtp-receiver.ts';
import { Deliveries } from './deliveries.ts';
import { channelsDue } from './queue.ts';

const [minute, day] = [60_000, 86_400_000];

let site: SenderSite;
beforeEach(async () => {
  site = await SenderSite.start();
});
afterEach(() => site.stop());

const entries = async () =>
  (await site.store.read.selectFrom('alert_entries').selectAll().orderBy('id').execute()).map(
    ({ message }) => message,
  );
const stateOf = async (id: string) => (await site.integrations.get(site.set, id)).state;

describe('a message', () => {
  test('is sent once and marked, and its alert and channel show it', async () => {
    const channel = await site.newChannel();
    const id = await site.add(channel, 7);
    const sender = site.newSender();
    await Promise.all([sender.drain(), sender.drain()]);
    await site.drainAt(sender, day);
    expect(site.arrivals()).toEqual([id]);
    expect(await site.row(id)).toMatchObject({ state: 'delivered', attempts: 1, problem: null });
    expect(await entries()).toEqual(["The alert was sent to Webhook 'hook'."]);
    const sent = site.clock.now() - day;
    expect(await stateOf(channel)).toEqual({
      ...{ ok: true, lastUpdatedTime: sent, lastSuccessfulTime: sent, details: {} },
    });
  });

  test('is retried after 1, 4 and 15 seconds with the same id until it arrives', async () => {
    const channel = await site.newChannel();
    const id = await site.add(channel);
    site.receiver.expect({ status: 500, body: 'busy at /hook?key=canary-key' }, 'reset', { status: 503 });
    const sender = site.newSender();
    await sender.drain();
    const first = await site.row(id);
    expect(first).toMatchObject({ state: 'waiting', problem: 'The webhook answered 500: busy at ***' });
    const steps = [800, 400, 3_000, 1_500, 13_000, 4_000];
    const seen = [site.arrivals().length];
    for (const step of steps) {
      await site.drainAt(sender, step);
      seen.push(site.arrivals().length);
    }
    expect(seen).toEqual([1, 1, 2, 2, 3, 3, 4]);
    expect(new Set(site.arrivals())).toEqual(new Set([id]));
    expect(await site.row(id)).toMatchObject({ state: 'delivered', attempts: 4, problem: null });
    expect(await entries()).toEqual([
      "The alert could not be sent to Webhook 'hook' and is tried again until 2026-03-02T12:00:00.000Z: The webhook answered 500: busy at ***",
      "The alert was sent to Webhook 'hook'.",
    ]);
  });

  test('waits as long as Retry-After demands', async () => {
    await site.add(await site.newChannel());
    site.receiver.expect({ status: 429, headers: { 'retry-after': '120' } });
    const sender = site.newSender();
    await sender.drain();
    await site.drainAt(sender, 119_000);
    expect(site.arrivals()).toHaveLength(1);
    await site.drainAt(sender, 1_000);
    expect(site.arrivals()).toHaveLength(2);
  });

  test('becomes a dead letter when it is rejected permanently, and the channel shows the reason', async () => {
    const channel = await site.newChannel();
    const id = await site.add(channel);
    site.receiver.expect({ status: 404, body: 'no such hook' });
    await site.newSender().drain();
    const problem = 'The webhook answered 404: no such hook';
    expect(await site.row(id)).toMatchObject({ state: 'dead', attempts: 1, problem });
    expect(await entries()).toEqual([`The alert was not sent to Webhook 'hook': ${problem}`]);
    expect(await stateOf(channel)).toEqual({
      ...{ ok: false, lastUpdatedTime: site.clock.now(), lastSuccessfulTime: 0 },
      details: {
        errorTitle: 'The last message did not arrive.',
        errorSubtitle: 'It is not tried again.',
        errorMessage: problem,
        message: problem,
        statusCode: '404',
      },
    });
  });

  test('to a fixed channel is sent within a minute, whatever its backoff', async () => {
    const channel = await site.newChannel();
    const id = await site.add(channel);
    site.receiver.expect({ status: 429, headers: { 'retry-after': '3600' } });
    const sender = site.newSender();
    await sender.drain();
    await site.drainAt(sender, minute);
    await sender.repair();
    await sender.drain();
    expect(site.arrivals()).toEqual([id]);
    await site.integrations.change(site.actor, site.set, channel, { name: 'right' });
    await sender.repair();
    await sender.drain();
    expect(site.arrivals()).toEqual([id, id]);
    expect(await site.row(id)).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  test('to a channel that fails again after a change keeps its backoff', async () => {
    const channel = await site.newChannel();
    const id = await site.add(channel);
    site.receiver.react = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    const sender = site.newSender();
    await sender.drain();
    site.clock.advance(1);
    await site.integrations.change(site.actor, site.set, channel, { name: 'still wrong' });
    for (let minutes = 0; minutes < 5; minutes++) {
      await sender.repair();
      await site.drainAt(sender, minute);
    }
    expect(site.arrivals()).toEqual([id, id]);
    site.clock.advance(-day);
    await sender.repair();
    await sender.repair();
    expect(site.arrivals()).toEqual([id, id]);
  });

  test('becomes a dead letter after a day of failures', async () => {
    const id = await site.add(await site.newChannel());
    site.receiver.react = () => ({ status: 500 });
    const sender = site.newSender();
    for (let hours = 0; hours < 30; hours++) {
      await sender.drain();
      await site.drainAt(sender, 60 * minute);
    }
    expect(await site.row(id)).toMatchObject({ state: 'dead', problem: 'The webhook answered 500.' });
    const received = site.arrivals().length;
    expect(received).toBeGreaterThan(15);
    expect((await entries()).at(-1)).toBe(
      "The alert was not sent to Webhook 'hook': The webhook answered 500.",
    );
  });

  test.each(['disabled', 'deleted'])(
    'to a channel that is %s becomes a dead letter with a reason',
    async (fate) => {
      const channel = await site.newChannel();
      const id = await site.add(channel);
      if (fate === 'deleted') await site.integrations.delete(site.actor, site.set, channel);
      else await site.integrations.change(site.actor, site.set, channel, { enabled: 0 });
      await site.newSender().drain();
      expect(site.arrivals()).toEqual([]);
      expect(await site.row(id)).toMatchObject({ state: 'dead', problem: `The channel is ${fate}.` });
      expect((await entries())[0]).toContain(`The channel is ${fate}.`);
    },
  );

  test('to a channel without its secret becomes a dead letter with a reason', async () => {
    const data = { apiIntgKey: '' };
    const body = { name: 'pager', type: 'PagerDutyApi', enabled: 1, data } as const;
    const id = await site.add((await site.integrations.create(site.actor, site.set, body)).intgGuid);
    await site.newSender().drain();
    expect(await site.row(id)).toMatchObject({
      state: 'dead',
      problem: 'The channel lacks a secret: set it.',
    });
  });

  test('to a channel with undecryptable secrets is retried and finally becomes a dead letter', async () => {
    const channel = await site.newChannel();
    const id = await site.add(channel);
    await site.store.housekeeping((tx) =>
      tx.updateTable('integrations').set({ secrets: 'broken' }).execute(),
    );
    const sender = site.newSender();
    await sender.drain();
    const problem = 'Webhook failed: see the log of the service.';
    expect(await site.row(id)).toMatchObject({ state: 'waiting', attempts: 1, problem });
    await site.drainAt(sender, day);
    expect(await site.row(id)).toMatchObject({ state: 'dead', problem });
  });

  test('that some recipients did not get is reported in the timeline', async () => {
    const smtp = await SmtpReceiver.start();
    smtp.behaviour = { replies: { 'RCPT TO:<b@': '452 4.2.2 mailbox full' } };
    const data = { channelProps: { recipients: ['a@example.com', 'b@example.com'] } };
    const body = { name: 'mail', type: 'EmailUser', enabled: 1, data } as const;
    await site.add((await site.integrations.create(site.actor, site.set, body)).intgGuid);
    const server = new URL(`smtp://127.0.0.1:${smtp.port}`);
    await site.newSender(new Mail({ server, from: 'vedette@example.com', clock: site.clock })).drain();
    await smtp.close();
    expect(await entries()).toEqual([
      "The alert was sent to EmailUser 'mail'. The mail server refused these recipients: b@example.com.",
    ]);
  });

  test('resent after its alert was closed is followed by the closing message', async () => {
    const alerts = new Alerts(site);
    await site.store.housekeeping((tx) => alerts.raise(tx, sampleFinding('OWNER', site.clock.now())));
    const id = await site.add(await site.newChannel());
    site.receiver.expect({ status: 404 });
    const sender = site.newSender();
    await sender.drain();
    const task = { actor: site.actor, userId: 'USER', alertId: 1 };
    await alerts.close(task, { reason: 1, comment: '' }, async () => ({ result: undefined }));
    await sender.drain();
    expect(site.arrivals()).toEqual([id]);
    await new Deliveries(site.store, site.clock).resend(site.actor, 'all dead');
    await sender.drain();
    await sender.drain();
    const occasions = site.receiver.received.map(({ body }) => JSON.parse(body).occasion);
    expect(occasions).toEqual(['opened', 'opened', 'closed']);
  });

  test('about closing goes to Jira only if the channel is bidirectional', async () => {
    const alerts = new Alerts(site);
    await site.store.housekeeping((tx) => alerts.raise(tx, sampleFinding('OWNER', site.clock.now())));
    const account = { issueType: 'Bug', projectId: 'OPS', username: 'ops', apiToken: 'secret' };
    const jira = { jiraType: 'JIRA_CLOUD', jiraUrl: 'jira.example.com', ...account };
    const made: string[] = [];
    for (const bidirectionalConfig of ['Unidirectional', 'Bidirectional']) {
      const data = { ...jira, bidirectionalConfig };
      const body = { name: bidirectionalConfig, type: 'Jira', enabled: 1, data } as const;
      made.push((await site.integrations.create(site.actor, site.set, body)).intgGuid);
    }
    for (const channel of made) await site.add(channel);
    const task = { actor: site.actor, userId: 'USER', alertId: 1 };
    await alerts.close(task, { reason: 1, comment: '' }, async () => ({ result: undefined }));
    const closing = (await site.rows()).filter(({ occasion }) => occasion === 'closed');
    expect(closing.map(({ channel_id }) => channel_id)).toEqual([made[1]]);
  });

  test('waits for earlier messages about the same alert, whatever their retries', async () => {
    const channel = await site.newChannel();
    const closed = await site.add(channel, 1, 'closed');
    const opened = await site.add(channel, 1);
    const other = await site.add(channel, 2);
    site.receiver.react = ({ headers }) => ({
      status: headers['vedette-delivery-id'] === opened ? 500 : 200,
    });
    const sender = site.newSender();
    await sender.drain();
    await site.drainAt(sender, minute);
    expect(site.arrivals().sort()).toEqual([opened, opened, other].sort());
    site.receiver.react = () => ({});
    await site.drainAt(sender, minute);
    expect(site.arrivals().slice(-2)).toEqual([opened, closed]);
  });
});

describe('several nodes', () => {
  test('send each message once', async () => {
    const channels = await Promise.all(['a', 'b', 'c'].map((name) => site.newChannel(name)));
    for (let alert = 0; alert < 30; alert++) await site.add(channels[alert % 3] as string, alert);
    await Promise.all([site.newSender(), site.newSender(), site.newSender()].map((sender) => sender.drain()));
    expect(site.arrivals()).toHaveLength(30);
    expect(new Set(site.arrivals()).size).toBe(30);
  });

  test('take over messages of a dead node, and leave those of a slow one', async () => {
    const id = await site.add(await site.newChannel());
    site.receiver.expect('hang', {});
    const slow = site.newSender();
    await slow.poll();
    await expect.poll(() => site.arrivals()).toEqual([id]);
    site.clock.advance(7_000);
    await slow.renewLeases();
    const other = site.newSender();
    await site.drainAt(other, 7_000);
    expect(site.arrivals()).toEqual([id]);
    await site.drainAt(other, 2_000);
    expect(site.arrivals()).toEqual([id, id]);
    expect(await site.row(id)).toMatchObject({ state: 'delivered', attempts: 2 });
  });
});

describe('an attempt that outlives its lease', () => {
  /** Another node has leased the message meanwhile and recorded its outcome. */
  const race = async (reaction: Reply | 'hang', meanwhile: 'waiting' | 'dead') => {
    const id = await site.add(await site.newChannel());
    site.receiver.expect('hang');
    site.receiver.patience = 300;
    const slow = site.newSender();
    await slow.poll();
    await expect.poll(() => site.arrivals()).toEqual([id]);
    const changes = { attempts: 2, state: meanwhile, due_at: site.clock.now() + minute, problem: null };
    await site.store.housekeeping((tx) => tx.updateTable('deliveries').set(changes).execute());
    if (reaction !== 'hang') site.receiver.answer(reaction);
    await slow.stop();
    return site.row(id);
  };

  test('and fails changes nothing', async () => {
    expect(await race('hang', 'waiting')).toMatchObject({ state: 'waiting', attempts: 2, problem: null });
  });

  test('and succeeds counts as delivered', async () => {
    expect(await race({}, 'dead')).toMatchObject({ state: 'delivered', problem: null });
  });
});

describe('after the clock was set back', () => {
  test('no message waits until the old time', async () => {
    const id = await site.add(await site.newChannel());
    site.receiver.expect({ status: 500 });
    const sender = site.newSender();
    await sender.drain();
    site.clock.advance(-30 * day);
    await sender.repair();
    await sender.drain();
    expect(await site.row(id)).toMatchObject({ state: 'delivered', created_at: site.clock.now() });
  });
});

describe('a slow channel', () => {
  test('does not delay others, and has few concurrent messages', async () => {
    const [slow, quick] = [await site.newChannel('slow'), await site.newChannel('quick')];
    for (let alert = 0; alert < 20; alert++) await site.add(slow, alert);
    const last = await site.add(quick, 99);
    site.receiver.react = ({ url }): Reaction => (url.includes('/slow') ? 'hang' : {});
    const sender = site.newSender();
    await sender.poll();
    await expect.poll(async () => (await site.row(last))?.state).toBe('delivered');
    await expect.poll(() => site.receiver.received.filter(({ url }) => url.includes('/slow')).length).toBe(4);
  });
});

describe('an account with many slow channels', () => {
  const add = (ownerId: string, channelId: string, alertId: number) =>
    addDelivery(site.store, site.clock.now(), { ownerId, channelId, alertId });
  const hanging = () => site.receiver.received.filter(({ url }) => url.includes('/slow')).length;

  test('takes at most half of the slots, and messages of other accounts are sent immediately', async () => {
    const slow = await Promise.all(Array.from({ length: 17 }, (_, at) => site.newChannel(`slow${at}`)));
    for (const [at, channel] of slow.entries())
      for (let alert = 0; alert < 4; alert++) await add('GREEDY', channel, at * 4 + alert);
    site.receiver.react = ({ url }): Reaction => (url.includes('/slow') ? 'hang' : {});
    const sender = site.newSender();
    await sender.poll();
    await expect.poll(hanging).toBe(32);
    site.clock.advance(1_000);
    const modest = await add('MODEST', await site.newChannel('quick'), 1_000);
    await sender.poll();
    await expect.poll(async () => (await site.row(modest))?.state).toBe('delivered');
    expect(hanging()).toBe(32);
  });

  test('does not crowd out other accounts, however many messages are due', async () => {
    for (let at = 0; at < 120; at++) await add('GREEDY', `channel${at}`, at);
    site.clock.advance(1_000);
    await add('MODEST', 'quick', 1_000);
    const due = await channelsDue(site.store.read, site.clock.now());
    expect(due.slice(0, 2)).toEqual([
      { owner_id: 'GREEDY', channel_id: 'channel0' },
      { owner_id: 'MODEST', channel_id: 'quick' },
    ]);
    expect(due).toHaveLength(100);
  });

  test('blocks a shared channel for another account for at most one round', async () => {
    const channel = await site.newChannel('slow');
    for (let alert = 0; alert < 20; alert++) await add('GREEDY', channel, alert);
    site.receiver.react = (): Reaction => 'hang';
    const sender = site.newSender();
    await sender.poll();
    await expect.poll(hanging).toBe(4);
    const modest = await add('MODEST', channel, 1_000);
    site.receiver.react = (): Reaction => ({});
    site.receiver.answer({});
    await sender.drain();
    expect(site.arrivals().slice(4, 8)).toContain(modest);
  });
});
