import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { Outbox } from './outbox.ts';

let place: TestPlace;
let store: ControlStore;
let clock: ManualClock;
const actor = { userName: 'ops@example.com', ownerId: 'owner', accountName: 'local', act: 'Thing Created' };

beforeEach(async () => {
  clock = new ManualClock();
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

const publish = (payload: unknown, owner = 'owner') =>
  store.transaction(actor, (_, act) => act.publish('topic', owner, payload));
const outboxOf = (handler: (payload: number) => Promise<void>) =>
  new Outbox(store, clock, createLog('silent'), { topic: handler });
const queuedMessages = () => store.read.selectFrom('outbox').selectAll().execute();

describe('the outbox', () => {
  test('handles every message and deletes it', async () => {
    for (let number = 0; number < 45; number++) await publish(number);
    const handled: number[] = [];
    await outboxOf(async (number) => void handled.push(number)).drain();
    expect(handled.sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, number) => number));
    expect(await queuedMessages()).toEqual([]);
  });

  test('retries a failed message after its backoff, and not before', async () => {
    await publish(1);
    let calls = 0;
    const outbox = outboxOf(async () => {
      calls++;
      if (calls === 1) throw new Error('not now');
    });
    await outbox.drain();
    await outbox.drain();
    expect(calls).toBe(1);
    clock.advance(2_000);
    await outbox.drain();
    expect(calls).toBe(2);
    expect(await queuedMessages()).toEqual([]);
  });

  test('passes the messages of a crashed node to another', async () => {
    await publish(1);
    const crashed = outboxOf(() => new Promise<void>(() => {}));
    void crashed.drain();
    const handled: number[] = [];
    const other = outboxOf(async (number) => void handled.push(number));
    while ((await queuedMessages())[0]?.attempts !== 1) await new Promise((resume) => setImmediate(resume));
    await other.drain();
    expect(handled).toEqual([]);
    clock.advance(60_000);
    await other.drain();
    expect(handled).toEqual([1]);
  });

  test('extends the lease of a message that takes longer', async () => {
    await publish(1);
    let complete = () => {};
    const slow = outboxOf(
      () =>
        new Promise<void>((resolve) => {
          complete = resolve;
        }),
    );
    await slow.poll();
    const handled: number[] = [];
    const other = outboxOf(async (number) => void handled.push(number));
    for (let minute = 0; minute < 3; minute++) {
      clock.advance(50_000);
      await slow.renewLeases();
      await other.drain();
    }
    expect(handled).toEqual([]);
    complete();
    await slow.stop();
    expect(await queuedMessages()).toEqual([]);
  });

  test('assigns a message to one of several nodes', async () => {
    for (let number = 0; number < 30; number++) await publish(number);
    const handled: number[] = [];
    await Promise.all([1, 2, 3].map(() => outboxOf(async (number) => void handled.push(number)).drain()));
    expect(new Set(handled).size).toBe(30);
    expect(handled).toHaveLength(30);
  });

  test('keeps a message without a handler', async () => {
    await publish(1);
    await new Outbox(store, clock, createLog('silent'), {}).drain();
    expect(await queuedMessages()).toHaveLength(1);
  });

  test('serves accounts round-robin, independently of each other', async () => {
    // More than the outbox considers at a time.
    await store.housekeeping(async (tx) => {
      for (let number = 0; number < 1_200; number++) {
        const message = { id: `message-${`${number}`.padStart(4, '0')}`, topic: 'topic', attempts: 0 };
        clock.advance(1);
        const at = clock.now();
        const payload = JSON.stringify({ owner: 'busy', number });
        await tx
          .insertInto('outbox')
          .values({ ...message, owner_id: 'busy', payload, created_at: at, due_at: at })
          .execute();
      }
    });
    await publish({ owner: 'idle', number: 0 }, 'idle');
    const handled: string[] = [];
    let complete = () => {};
    const blocked = new Promise<void>((resolve) => {
      complete = resolve;
    });
    const outbox = new Outbox(store, clock, createLog('silent'), {
      topic: async ({ owner, number }: { owner: string; number: number }) => {
        if (owner === 'busy' && number === 0) await blocked;
        handled.push(`${owner} ${number}`);
      },
    });
    await outbox.poll();
    await expect.poll(() => handled).toEqual(['idle 0']);
    complete();
    await outbox.stop();
    expect(handled[1]).toBe('busy 0');
  });
});
