import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dataset } from '../../search/dataset.ts';
import { readFilters } from '../../search/filter.ts';
import { ManualClock } from '../../testing/clock.ts';
import { createTestPlace, type TestPlace, testOnPostgres } from '../../testing/database.ts';
import { ControlStore } from '../store.ts';
import { Scanner } from './scanner.ts';

let place: TestPlace;
let store: ControlStore;
let scanner: Scanner;
beforeEach(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, new ManualClock());
  scanner = new Scanner(store, { seconds: 60, graceSeconds: 0 });
});
afterEach(async () => {
  await scanner.close();
  await store.close();
  await place.remove();
});

const fields = { columns: { name: { type: 'string' } } } as const;
const rlike = (...values: string[]) =>
  readFilters(
    values.map((value) => ({ field: 'name', expression: 'rlike', value })),
    fields,
  );

describe('regular expressions', () => {
  test('that compile fast are checked without a thread', async () => {
    await scanner.checkPatterns('a', rlike('.*error.*'));
    await expect(scanner.checkPatterns('a', rlike('a', '(b'))).rejects.toMatchObject({
      code: 'INVALID_FILTER',
      message: 'filters[1].value is not a valid RE2 regular expression: missing closing ): (b.',
    });
    expect(scanner.pool.threads).toBe(0);
  });

  test('that may compile slowly are checked in a thread', async () => {
    await scanner.checkPatterns('a', rlike('(?i)[Ā-￿]{2}'));
    await expect(scanner.checkPatterns('a', rlike('a', '(?i)b{1001}'))).rejects.toMatchObject({
      code: 'INVALID_FILTER',
      message: expect.stringContaining('filters[1].value is not a valid RE2 regular expression'),
    });
    expect(scanner.pool.threads).toBe(1);
  });
});

describe('given records', () => {
  const records = ['{"name":"one","big":12345678901234567890}', '{"name":"two"}'];

  test('that match are returned unchanged', async () => {
    const search = { filters: rlike('(?i)ONE'), returns: undefined };
    expect(String(await scanner.search('a', records, search))).toBe(`{"data":[${records[0]}]}`);
  });

  test('are returned with the requested members', async () => {
    const search = { filters: [], returns: ['name'] };
    expect(String(await scanner.search('a', records, search))).toBe(
      '{"data":[{"name":"one"},{"name":"two"}]}',
    );
  });
});

/** A query that runs until it is interrupted, on one record. */
const slow: Dataset = {
  name: 'Slow',
  description: 'For this test.',
  table: 'slow',
  columns: { name: { type: 'string', column: 'name', description: 'Any.', optional: true } },
  key: 'id',
};

testOnPostgres('an abandoned statement ends in the store, too', async () => {
  await sql`create view slow as select 'a' as owner_id, 1 as id, pg_sleep(600)::text as name`.execute(
    store.read,
  );
  const statements = async () => {
    const { rows } = await sql<{ name: string }>`select application_name as name from pg_stat_activity
      where state = 'active' and query like '%"slow"%' and pid <> pg_backend_pid()
        and datname = current_database()`.execute(store.read);
    return rows.map(({ name }) => name);
  };
  const left = new AbortController();
  const search = { filters: [], returns: undefined };
  const scan = scanner.scan({ dataset: slow, ownerId: 'a', search, maxRows: 10 }, left.signal);
  await expect.poll(statements).toEqual([expect.stringMatching(/^vedette [0-9a-f-]{36}$/)]);
  left.abort(new Error('left'));
  await expect(scan).rejects.toThrow('left');
  await expect.poll(statements).toEqual([]);
  await expect.poll(() => [scanner.pool.threads, scanner.pool.running]).toEqual([0, 0]);
});
