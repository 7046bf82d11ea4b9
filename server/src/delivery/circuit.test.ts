import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SenderSite } from '../testing/sender-site.ts';
import type { Sender } from './sender.ts';

const [minute, day] = [60_000, 86_400_000];

let site: SenderSite;
beforeEach(async () => {
  site = await SenderSite.start();
});
afterEach(() => site.stop());

describe('the circuit of a channel', () => {
  const fail = async (sender: Sender, times: number) => {
    const channel = await site.newChannel();
    site.receiver.expect(...Array.from({ length: times }, () => ({ status: 500 })));
    for (let alert = 1; alert <= times; alert++) {
      await site.add(channel, alert);
      await sender.drain();
    }
    return channel;
  };

  test('stays closed after four consecutive failures', async () => {
    const sender = site.newSender();
    const channel = await fail(sender, 4);
    await site.add(channel, 9);
    await sender.drain();
    expect(site.arrivals()).toHaveLength(5);
  });

  test('opens with the fifth failure; then one probe message is sent, and the others follow if it arrives', async () => {
    const sender = site.newSender();
    const channel = await fail(sender, 5);
    for (const alert of [6, 7, 8]) await site.add(channel, alert);
    await site.drainAt(sender, 4_900);
    expect(site.arrivals()).toHaveLength(5);
    site.receiver.expect({ status: 500 });
    await site.drainAt(sender, 200);
    expect(site.arrivals()).toHaveLength(6);
    await site.drainAt(sender, 9_700);
    expect(site.arrivals()).toHaveLength(6);
    await site.drainAt(sender, 400);
    expect(site.arrivals().length).toBeGreaterThan(10);
    await site.drainAt(sender, minute);
    expect(new Set((await site.rows()).map(({ state }) => state))).toEqual(new Set(['delivered']));
  });

  test('is not kept open longer by concurrent failures', async () => {
    const sender = site.newSender();
    const channel = await fail(sender, 4);
    site.receiver.expect(...Array.from({ length: 4 }, () => ({ status: 500 })));
    for (const alert of [6, 7, 8, 9]) await site.add(channel, alert);
    await sender.drain();
    expect(site.arrivals()).toHaveLength(8);
    await site.drainAt(sender, 5_000);
    expect(site.arrivals().length).toBeGreaterThan(8);
  });

  test('messages expire even if it stays open for a day', async () => {
    const sender = site.newSender();
    const channel = await fail(sender, 5);
    await site.store.housekeeping((tx) =>
      tx
        .updateTable('channel_circuits')
        .set({ open_until: site.clock.now() + 2 * day })
        .execute(),
    );
    const id = await site.add(channel, 6);
    await sender.expire();
    expect((await site.row(id))?.state).toBe('waiting');
    site.clock.advance(day);
    await sender.expire();
    expect(await site.row(id)).toMatchObject({
      state: 'dead',
      problem: expect.stringContaining('failed until the message expired'),
    });
    expect(site.arrivals()).toHaveLength(5);
  });

  test('closes within a minute after the channel was changed', async () => {
    const sender = site.newSender();
    const channel = await fail(sender, 9);
    await site.drainAt(sender, minute);
    await site.store.housekeeping((tx) =>
      tx
        .updateTable('channel_circuits')
        .set({ failures: 9, opened_at: site.clock.now(), open_until: site.clock.now() + 15 * minute })
        .execute(),
    );
    const id = await site.add(channel, 10);
    await sender.repair();
    await sender.drain();
    expect(site.arrivals()).not.toContain(id);
    site.clock.advance(1);
    await site.integrations.change(site.actor, site.set, channel, { name: 'right' });
    await sender.repair();
    await sender.drain();
    expect(site.arrivals()).toContain(id);
  });

  test('is not open longer after the clock was set back', async () => {
    const channel = await site.newChannel();
    const circuit = {
      channel_id: channel,
      failures: 9,
      opened_at: 0,
      open_until: site.clock.now() + 30 * day,
    };
    const others = { ...circuit, channel_id: 'GONE' };
    await site.store.housekeeping((tx) =>
      tx.insertInto('channel_circuits').values([circuit, others]).execute(),
    );
    const id = await site.add(channel);
    const sender = site.newSender();
    await sender.drain();
    expect(site.arrivals()).toEqual([]);
    await sender.repair();
    const left = await site.store.read.selectFrom('channel_circuits').select('channel_id').execute();
    expect(left).toEqual([{ channel_id: channel }]);
    await sender.drain();
    expect(site.arrivals()).toEqual([id]);
  });
});
