import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Journal } from './journal.ts';

let directory: string;
let journal: Journal;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-journal-'));
  journal = await Journal.open({ directory, maxBytes: 1_000_000 });
});
afterEach(async () => {
  await journal.close();
  rmSync(directory, { recursive: true });
});

const path = 'Entities/Users';
/** Reports users as the agent does; text that gzip can not shorten makes it large. */
async function report(
  hour: number,
  uids: readonly number[],
  { cursor = undefined as unknown, filling = '' } = {},
) {
  const unreported = journal.memory.unreported(
    hour,
    path,
    uids.map((uid) => ({ uid, filling })),
  );
  const body = unreported.map(({ record }) => JSON.stringify(record)).join('\n');
  const batches = body === '' ? [] : [{ path, body } as const];
  const digests = Buffer.concat(unreported.map(({ digest }) => digest));
  await journal.append({ source: 'users', cursor, hour, batches, digests: new Map([[path, digests]]) });
}

async function reopen(maxBytes = 1_000_000): Promise<void> {
  await journal.close();
  journal = await Journal.open({ directory, maxBytes });
}

async function sendAll(): Promise<number[]> {
  const uids: number[] = [];
  for (let entry = await journal.next(); entry; entry = await journal.next()) {
    for (const { body } of entry.batches) uids.push(...body.split('\n').map((line) => JSON.parse(line).uid));
    await journal.acknowledge(entry.number);
  }
  return uids;
}

const segments = () => readdirSync(directory).filter((file) => file.endsWith('.journal'));
const random = (bytes: number) =>
  Array.from({ length: bytes }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join('');

test('entries are returned in order until they are acknowledged, also after a start', async () => {
  await report(1, [1]);
  await report(1, [2]);
  expect((await journal.next())?.number).toBe(1);
  expect((await journal.next())?.number).toBe(1);
  await journal.acknowledge(1);
  await report(1, [3]);
  await reopen();
  expect((await journal.next())?.number).toBe(2);
  expect(await sendAll()).toEqual([2, 3]);
  await reopen();
  expect(await journal.next()).toBeUndefined();
});

test('after a start nothing is reported twice in an hour, even if it was sent', async () => {
  await report(1, [1, 2], { cursor: { offset: 7 } });
  await sendAll();
  const { id } = journal;
  await reopen();
  expect(journal.id).toBe(id);
  expect(journal.cursor('users')).toEqual({ offset: 7 });
  await report(1, [1, 2, 3]);
  expect(await sendAll()).toEqual([3]);
});

test('what was sent in earlier hours is removed, and the cursors are kept', async () => {
  await report(1, [1], { cursor: 'first' });
  await report(2, [1]);
  await report(3, [1]);
  expect(segments()).toHaveLength(3);
  await sendAll();
  expect(segments()).toHaveLength(1);
  await reopen();
  expect(journal.cursor('users')).toBe('first');
  await report(3, [1, 2]);
  expect(await sendAll()).toEqual([2]);
});

test('an entry that was not written to its end is reported again, and those before it are kept', async () => {
  await report(1, [1]);
  await report(1, [2]);
  await journal.close();
  const file = join(directory, segments()[0] as string);
  const content = readFileSync(file);
  writeFileSync(file, content.subarray(0, content.length - 5));
  await reopen();
  await report(1, [1, 2, 3]);
  expect(await sendAll()).toEqual([1, 2, 3]);
});

test('a damaged entry does not cost the others, and is counted', async () => {
  await report(1, [1]);
  const damaged = statSync(join(directory, segments()[0] as string)).size + 20;
  await report(1, [2]);
  await report(1, [3]);
  await journal.close();
  const file = join(directory, segments()[0] as string);
  const content = readFileSync(file);
  content.writeUInt8(content.readUInt8(damaged) ^ 0xff, damaged);
  writeFileSync(file, content);
  await reopen();
  expect(journal.damagedBytes).toBeGreaterThan(0);
  expect(await sendAll()).toEqual([1, 3]);
});

test('an entry that is damaged while it waits is left out', async () => {
  await report(1, [1]);
  await report(1, [2]);
  const file = join(directory, segments()[0] as string);
  const content = readFileSync(file);
  content.writeUInt8(content.readUInt8(20) ^ 0xff, 20);
  writeFileSync(file, content);
  expect(await sendAll()).toEqual([2]);
  expect(journal.damagedBytes).toBeGreaterThan(0);
});

test('above the limit the oldest entries are lost and counted, and numbers are not used again', async () => {
  await reopen(60_000);
  for (let hour = 1; hour <= 10; hour++) await report(hour, [hour], { filling: random(10_000) });
  const size = segments().reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
  expect(size).toBeLessThanOrEqual(60_000);
  const { lost } = journal;
  expect(lost).toBeGreaterThan(0);
  await reopen(60_000);
  expect(journal.lost).toBe(lost);
  expect(await sendAll()).toEqual(Array.from({ length: 10 - lost }, (_, index) => lost + index + 1));
  await report(11, [11]);
  expect((await journal.next())?.number).toBe(11);
});

test('an unreadable state gets a new id, so that the server does not take new entries for old ones', async () => {
  await report(1, [1]);
  const { id } = journal;
  await journal.close();
  writeFileSync(join(directory, 'state.json'), '');
  appendFileSync(join(directory, 'other.txt'), 'no segment');
  journal = await Journal.open({ directory, maxBytes: 1_000_000 });
  expect(journal.id).not.toBe(id);
  expect(await sendAll()).toEqual([1]);
});
