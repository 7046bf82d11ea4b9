import type { NewEntry } from '@vedette/agent/journal/journal';
import { expect, test } from 'vitest';
import { MemoryJournal } from './memory-journal.ts';

const entry = (body: string, cursor?: unknown): NewEntry => ({
  ...{ source: 'users', cursor, hour: 1, digests: new Map() },
  batches: [{ path: 'Entities/Users', body }],
});
const bodyOf = async (journal: MemoryJournal) => (await journal.next())?.batches[0]?.body;

test('entries come in order until they are acknowledged, compressed or not', async () => {
  const journal = new MemoryJournal({ plain: 100, total: 10_000 });
  const bodies = ['a', 'b'.repeat(99), 'c'.repeat(500), 'd'];
  for (const body of bodies) await journal.append(entry(body));
  expect(journal.owedBatches).toBe(4);
  for (const [index, body] of bodies.entries()) {
    expect(await bodyOf(journal)).toBe(body);
    expect((await journal.next())?.number).toBe(index + 1);
    await journal.acknowledge(index + 1);
  }
  expect([await journal.next(), journal.isEmpty, journal.owedBatches]).toEqual([undefined, true, 0]);
});

test('the oldest entries are lost if there are too many, and still owed', async () => {
  const journal = new MemoryJournal({ plain: 1_000, total: 1_000 });
  for (const body of ['a', 'b', 'c']) await journal.append(entry(body.repeat(400)));
  // The third is compressed.
  expect([journal.lost, await bodyOf(journal)]).toEqual([0, 'a'.repeat(400)]);
  await journal.append(entry('d'.repeat(400)));
  const incompressible = Array.from({ length: 400 }, (_, index) => index ** 7).join('');
  await journal.append(entry(incompressible));
  expect(journal.lost).toBeGreaterThan(0);
  expect(journal.owedBatches).toBe(5);
});

test('a cursor is kept, without an entry that would be sent', async () => {
  const journal = new MemoryJournal();
  await journal.append({ ...entry('', 7), batches: [] });
  expect([journal.cursor('users'), journal.isEmpty]).toEqual([7, true]);
});

test('it is emptied when the server has stored everything', async () => {
  const journal = new MemoryJournal();
  for (const body of ['a', 'b']) await journal.append(entry(body));
  const order: string[] = [];
  const emptied = journal.emptied(new AbortController().signal).then(() => order.push('emptied'));
  await journal.acknowledge(1);
  order.push('first stored');
  await journal.acknowledge(2);
  await emptied;
  expect(order).toEqual(['first stored', 'emptied']);
});

test('an abandoned one is not waited for', async () => {
  const journal = new MemoryJournal();
  await journal.append(entry('a'));
  const abandoned = new AbortController();
  const emptied = journal.emptied(abandoned.signal);
  abandoned.abort();
  await emptied;
  expect(journal.owedBatches).toBe(1);
});
