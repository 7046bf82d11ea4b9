import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPlace, type TestPlace } from '../../testing/database.ts';
import { StoreUnavailable } from '../store-failure.ts';
import { openPostgres } from './open.ts';

describe('the connection pool', () => {
  let place: TestPlace;
  let db: Kysely<unknown>;
  beforeAll(async () => {
    place = await createTestPlace();
    db = new Kysely({ dialect: openPostgres(place.controlUrl, 1) });
  });
  afterAll(async () => {
    await db.destroy();
    await place.remove();
  });

  const session = async () => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    return rows[0]?.pid;
  };

  test('replaces a connection after a statement timeout, and reports the store as overloaded', async () => {
    const before = await session();
    const slow = db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 1`.execute(tx);
      await sql`select pg_sleep(10)`.execute(tx);
    });
    await expect(slow).rejects.toThrow(StoreUnavailable);
    expect(await session()).not.toBe(before);
  });

  test('keeps a connection after an invalid statement, and passes on its error', async () => {
    const before = await session();
    await expect(sql`select * from nowhere`.execute(db)).rejects.toMatchObject({ code: '42P01' });
    expect(await session()).toBe(before);
  });

  test('queues a thousand requests for a connection and refuses further ones immediately', async () => {
    const waiting: Promise<unknown>[] = [];
    await db.connection().execute(async () => {
      for (let n = 0; n < 1_000; n++) waiting.push(sql`select 1`.execute(db));
      await new Promise((resolve) => setImmediate(resolve));
      await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailable);
    });
    expect(await Promise.all(waiting)).toHaveLength(1_000);
  });
});
