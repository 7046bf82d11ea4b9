import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace, testDialect } from '../testing/database.ts';
import { ControlStore } from './store.ts';

let place: TestPlace;
let store: ControlStore;
const clock = new ManualClock();
const actor = { userName: 'ops@example.com', ownerId: 'owner', accountName: 'local', act: 'Thing Created' };

beforeAll(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
});
afterAll(async () => {
  await store.close();
  await place.remove();
});

const organizations = () => store.read.selectFrom('organizations').select('name').orderBy('name').execute();
const add = (name: string) => ({ id: name, name, created_at: clock.now() });

describe('a transaction', () => {
  test('commits the change, its audit entry and its messages together', async () => {
    const result = await store.transaction(actor, async (tx, act) => {
      await tx.insertInto('organizations').values(add('kept')).execute();
      await act.publish('thing.created', 'owner', { id: 7 });
      act.describe('thing 7');
      return 'done';
    });
    expect(result).toBe('done');
    expect(await organizations()).toEqual([{ name: 'kept' }]);
    const [entry] = await store.read.selectFrom('audit_log').selectAll().execute();
    expect(entry).toMatchObject({
      owner_id: 'owner',
      account_name: 'LOCAL',
      user_name: 'ops@example.com',
      event_name: 'Thing Created',
      event_description: 'Thing Created by ops@example.com: thing 7',
      created_at: clock.now(),
    });
    const [message] = await store.read.selectFrom('outbox').selectAll().execute();
    expect(message).toMatchObject({ topic: 'thing.created', payload: '{"id":7}', due_at: clock.now() });
  });

  test('is rolled back completely on failure: change, audit entry and message', async () => {
    const failing = store.transaction(actor, async (tx, act) => {
      await tx.insertInto('organizations').values(add('lost')).execute();
      await act.publish('thing.created', 'owner', {});
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await organizations()).toEqual([{ name: 'kept' }]);
    expect(await store.read.selectFrom('audit_log').select('id').execute()).toHaveLength(1);
    expect(await store.read.selectFrom('outbox').select('id').execute()).toHaveLength(1);
  });

  test('is not visible to readers before its commit', async () => {
    await store.transaction(actor, async (tx) => {
      await tx.insertInto('organizations').values(add('pending')).execute();
      expect(await organizations()).toEqual([{ name: 'kept' }]);
    });
    expect(await organizations()).toHaveLength(2);
  });

  test('waits for the previous one, so that transactions do not interleave', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `parallel ${index}`);
    await Promise.all(
      names.map((name) =>
        store
          .transaction(actor, async (tx) => {
            await tx.insertInto('organizations').values(add(name)).execute();
            await new Promise((resume) => setImmediate(resume));
            if (name.endsWith('3')) throw new Error('rolled back');
          })
          .catch(() => {}),
      ),
    );
    const kept = (await organizations()).filter(({ name }) => name.startsWith('parallel'));
    expect(kept).toHaveLength(18);
  });
});

describe('the stamp', () => {
  test('changes with every commit of any process, or is undefined', async () => {
    const other = await ControlStore.open(place.controlUrl, clock);
    const before = store.stamp();
    expect(store.stamp()).toBe(before);
    await other.housekeeping((tx) => tx.insertInto('organizations').values(add('by another')).execute());
    const after = store.stamp();
    if (testDialect === 'sqlite') expect(after).not.toBe(before);
    else expect(after).toBeUndefined();
    await store.housekeeping((tx) => tx.insertInto('organizations').values(add('by this one')).execute());
    if (testDialect === 'sqlite') expect(store.stamp()).not.toBe(after);
    await other.close();
  });
});

describe('opening', () => {
  test('a new store from several processes concurrently migrates it once', async () => {
    const fresh = await createTestPlace();
    const program = `const { ControlStore } = await import(process.argv[1]);
      const store = await ControlStore.open(process.argv[2], { now: Date.now });
      console.log((await store.read.selectFrom('organizations').selectAll().execute()).length);
      await store.close();`;
    const open = () =>
      promisify(execFile)(process.execPath, [
        ...['--input-type=module', '-e', program],
        ...[new URL('./store.js', import.meta.url).href, fresh.controlUrl],
      ]);
    const opened = await Promise.all(Array.from({ length: 4 }, open));
    expect(opened.map(({ stdout }) => stdout)).toEqual(['0\n', '0\n', '0\n', '0\n']);
    await fresh.remove();
  });

  test('a store collates text by bytes, whatever the default of the database', async () => {
    await store.housekeeping((tx) => tx.deleteFrom('organizations').execute());
    for (const name of ['b', 'B', 'a', 'ä', '_', '\u{1f600}', '\ue000']) {
      await store.housekeeping((tx) => tx.insertInto('organizations').values(add(name)).execute());
    }
    expect((await organizations()).map(({ name }) => name).join('')).toBe('B_abä\ue000\u{1f600}');
  });
});
