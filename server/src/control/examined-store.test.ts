import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '../platform/start-error.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { connectForWriting } from './connect.ts';
import { type ExaminationContext, openExamined } from './examined-store.ts';

let place: TestPlace;
const none: ExaminationContext = { telemetry: undefined, mayBeEmpty: false };
const open = (circumstances = none) => openExamined(place.controlUrl, new ManualClock(), circumstances);
beforeEach(async () => {
  place = await createTestPlace();
  await (await open()).close();
});
afterEach(() => place.remove());

async function change(statement: string): Promise<void> {
  const db = await connectForWriting<unknown>(place.controlUrl, 1);
  await sql.raw(statement).execute(db);
  await db.destroy();
}

describe('the control store at start-up', () => {
  test('is opened if it is intact, with or without telemetry', async () => {
    await (await open()).close();
    await (await open({ telemetry: '/somewhere', mayBeEmpty: false })).close();
  });

  test.each([
    ['lacks a table', 'drop table saved_searches', 'table saved_searches is missing'],
    ['lacks a column', 'alter table deliveries drop column problem', 'column deliveries.problem is missing'],
    ['has no recorded migrations', 'delete from kysely_migration', 'already exists'],
    [
      'has an unknown migration',
      "insert into kysely_migration values ('0000-nonsense', 'x')",
      'previously executed migration 0000-nonsense is missing',
    ],
    ['lacks the table of migrations', 'alter table kysely_migration rename to other', 'already exists'],
    ['has a different table of migrations', 'alter table kysely_migration rename column name to x', 'name'],
  ])('is refused with a one-line message if it %s', async (_, statement, reason) => {
    await change(statement);
    const error: Error = await open().then(
      () => expect.unreachable(),
      (problem) => problem,
    );
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toMatch(
      /^The schema of the control store is damaged \([^\n]+\): put the store back from a copy;[^\n]+$/,
    );
    expect(error.message).toContain(reason);
  });
});
