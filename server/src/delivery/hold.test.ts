import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SenderSite } from '../testing/sender-site.ts';
import { Deliveries } from './deliveries.ts';
import { hold, lift } from './hold.ts';

const day = 86_400_000;
let site: SenderSite;
let deliveries: Deliveries;
beforeEach(async () => {
  site = await SenderSite.start();
  deliveries = new Deliveries(site.store, site.clock);
});
afterEach(() => site.stop());

const held = () => site.store.housekeeping((tx) => hold(tx, site.clock.now()));

describe('held deliveries', () => {
  test('are not sent by any node, and do not expire', async () => {
    const channel = await site.newChannel();
    const before = await site.add(channel, 1);
    await held();
    const after = await site.add(channel, 2);
    const nodes = [site.newSender(), site.newSender()];
    for (const node of nodes) {
      await site.drainAt(node, 2 * day);
      await node.expire();
      await node.repair();
      await site.drainAt(node, 1);
    }
    expect(site.arrivals()).toEqual([]);
    expect(await deliveries.counts()).toMatchObject({ held: 2, waiting: 0, delivered: 0, dead: 0 });
    const waiting = await deliveries.list(['waiting']);
    expect(waiting.map(({ id, state }) => [id, state]).sort()).toEqual(
      [before, after].map((id) => [id, 'held']).sort(),
    );
  });

  test('are sent after release, with a new lifetime', async () => {
    const id = await site.add(await site.newChannel());
    await held();
    const since = site.clock.now();
    expect(await deliveries.heldSince()).toBe(since);
    const sender = site.newSender();
    await site.drainAt(sender, 3 * day);
    expect(await deliveries.release(site.actor)).toBe(1);
    site.receiver.react = () => ({ status: 503 });
    await sender.drain();
    expect(await site.row(id)).toMatchObject({ state: 'waiting', attempts: 1 });
    site.receiver.react = () => ({});
    await site.drainAt(sender, 10_000);
    expect(await site.row(id)).toMatchObject({ state: 'delivered' });
    expect(await deliveries.heldSince()).toBeUndefined();
    expect(await deliveries.release(site.actor)).toBeUndefined();
    const acts = site.store.read.selectFrom('audit_log').select('event_description');
    expect((await acts.execute()).at(-1)?.event_description).toContain('1 messages');
  });

  test('are held and released idempotently', async () => {
    await held();
    await held();
    await site.store.housekeeping(lift);
    expect(await deliveries.heldSince()).toBeUndefined();
  });
});
