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
const waiting = () => store.read.selectFrom('outbox').selectAll().execute();

describe('the outbox', () => {
  test('handles every message and deletes it', async () => {
    for (let number = 0; number < 45; number++) await publish(number);
    const seen: number[] = [];
    await outboxOf(async (number) => void seen.push(number)).drain();
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, number) => number));
    expect(await waiting()).toEqual([]);
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
    expect(await waiting()).toEqual([]);
  });

  test('passes the messages of a dead node to another', async () => {
    await publish(1);
    const dead = outboxOf(() => new Promise<void>(() => {}));
    void dead.drain();
    const seen: number[] = [];
    const alive = outboxOf(async (number) => void seen.push(number));
    while ((await waiting())[0]?.attempts !== 1) await new Promise((resume) => setImmediate(resume));
    await alive.drain();
    expect(seen).toEqual([]);
    clock.advance(60_000);
    await alive.drain();
    expect(seen).toEqual([1]);
  });

  test('extends the lease of a message that takes longer', async () => {
    await publish(1);
    let end = () => {};
    const busy = outboxOf(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await busy.poll();
    const seen: number[] = [];
    const other = outboxOf(async (number) => void seen.push(number));
    for (let minute = 0; minute < 3; minute++) {
      clock.advance(50_000);
      await busy.renewLeases();
      await other.drain();
    }
    expect(seen).toEqual([]);
    end();
    await busy.stop();
    expect(await waiting()).toEqual([]);
  });

  test('assigns a message to one of several nodes', async () => {
    for (let number = 0; number < 30; number++) await publish(number);
    const seen: number[] = [];
    await Promise.all([1, 2, 3].map(() => outboxOf(async (number) => void seen.push(number)).drain()));
    expect(new Set(seen).size).toBe(30);
    expect(seen).toHaveLength(30);
  });

  test('keeps a message without a handler', async () => {
    await publish(1);
    await new Outbox(store, clock, createLog('silent'), {}).drain();
    expect(await waiting()).toHaveLength(1);
  });

  test('serves accounts round-robin, independently of each other', async () => {
    // More than the outbox considers at a time.
    await store.housekeeping(async (tx) => {
      for (let number = 0; number < 1_200; number++) {
        const message = { id: `message-${`${number}`.padStart(4, '0')}`, topic: 'topic', attempts: 0 };
        clock.advance(1);
        const at = clock.now();
        const payload = JSON.stringify({ owner: 'greedy', number });
        await tx
          .insertInto('outbox')
          .values({ ...message, owner_id: 'greedy', payload, created_at: at, due_at: at })
          .execute();
      }
    });
    await publish({ owner: 'modest', number: 0 }, 'modest');
    const seen: string[] = [];
    let end = () => {};
    const slow = new Promise<void>((resolve) => {
      end = resolve;
    });
    const outbox = new Outbox(store, clock, createLog('silent'), {
      topic: async ({ owner, number }: { owner: string; number: number }) => {
        if (owner === 'greedy' && number === 0) await slow;
        seen.push(`${owner} ${number}`);
      },
    });
    await outbox.poll();
    await expect.poll(() => seen).toEqual(['modest 0']);
    end();
    await outbox.stop();
    expect(seen[1]).toBe('greedy 0');
  });
});
