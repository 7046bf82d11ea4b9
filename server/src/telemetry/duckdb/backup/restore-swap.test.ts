import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { ManualClock } from '../../../testing/clock.ts';
import { commandLines } from '../../datasets/CommandLines.ts';
import { dnss } from '../../datasets/DNSs.ts';
import { machines } from '../../datasets/Machines.ts';
import { recordSeparator } from '../../record-strings.ts';
import type { BackupEntry, ReplacementStore, TelemetryStore } from '../../store.ts';
import { openDuckStore } from '../duck-store.ts';

const hour = 3_600_000;
let directory: string;
let clock: ManualClock;
let store: TelemetryStore;
let committed: Set<string>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-telemetry-'));
  clock = new ManualClock();
  committed = new Set();
  await open();
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

async function open(): Promise<void> {
  store = await openDuckStore({
    ...{ directory, diskCap: undefined, clock, log: createLog('silent') },
    limits: { memory: '256MB', threads: 2 },
    isCommitted: async (id) => committed.has(id),
  });
}

async function reopen(): Promise<void> {
  await store.close();
  await open();
}

const now = () => new Date(clock.now()).toISOString();
const record = (rest = '') =>
  `{"createdTime":"${now()}","mid":1,"fqdn":"a","hostIpAddr":"b","ttl":1,"dnsServerIp":"c"${rest}}`;
const send = (
  records: readonly string[],
  rest: { account?: string; key?: string; undeclared?: string[] } = {},
) =>
  store.store({
    ...{
      account: rest.account ?? 'A',
      dataset: dnss,
      records,
      isWellTyped: false,
      undeclaredMembers: rest.undeclared ?? [],
    },
    idempotencyKey: rest.key,
  });

const accounts = new Set(['A', 'B']);

async function readAll(owners: ReadonlySet<string> = accounts): Promise<BackupEntry[]> {
  const source = await store.holdings(owners);
  const all: BackupEntry[] = [];
  for await (const entry of source.read()) all.push(entry);
  const counts = all.flatMap((entry) => ('records' in entry ? [entry.records.records] : []));
  expect(source).toMatchObject({
    batches: all.filter((entry) => 'batch' in entry).length,
    records: counts.reduce((sum, count) => sum + count, 0),
  });
  return all;
}

const docsOf = (all: readonly BackupEntry[]) =>
  all.flatMap((entry) =>
    'text' in entry ? [Buffer.from(entry.text).toString('utf8').split(recordSeparator)] : [],
  );
const keysOf = (all: readonly BackupEntry[]) =>
  all.flatMap((entry) => ('batch' in entry ? [entry.batch.key] : []));
/** As comparable strings; undeclared members come in any order. */
const comparable = (all: readonly BackupEntry[]) =>
  all
    .map((entry) => ('text' in entry ? { ...entry, text: Buffer.from(entry.text).toString('utf8') } : entry))
    .map((entry, index) => JSON.stringify('further' in entry ? entry : [index, entry]))
    .toSorted();

/** Copies everything into a completed replacement. */
async function copyAll(id: string): Promise<ReplacementStore> {
  const replacement = await store.replacement(id);
  for (const entry of await readAll()) await replacement.add(entry);
  await replacement.ready();
  return replacement;
}

describe('stored data for a backup', () => {
  test('contains every batch up to the snapshot exactly once and in order, despite concurrent writes', async () => {
    const sent: string[][] = [];
    for (let number = 0; number < 40; number++) {
      const docs = Array.from({ length: (number % 3) + 1 }, (_, n) => record(`,"x":"${number}.${n}"`));
      sent.push(docs);
      await send(docs, { account: number % 2 ? 'A' : 'B', key: `k${number}` });
      if (number % 15 === 14) clock.advance(24 * hour);
    }
    const entries: BackupEntry[] = [];
    for await (const entry of (await store.holdings(accounts)).read()) {
      entries.push(entry);
      await send([record(',"x":"late"')], { undeclared: ['x'] });
    }
    expect(docsOf(entries)).toEqual(sent);
    expect(entries).toHaveLength(80);
    expect(keysOf(await readAll(new Set(['B'])))).toEqual(
      Array.from({ length: 20 }, (_, index) => `k${2 * index}`),
    );
  });

  test('is the same after a day is compacted', async () => {
    for (const account of ['B', 'A', 'B'])
      await send([record(`,"of":"${account}"`), record()], { account, key: account, undeclared: ['of'] });
    clock.advance(24 * hour);
    await send([record()]);
    const before = comparable(await readAll());
    await store.compact();
    expect(comparable(await readAll())).toEqual(before);
  });

  test('is read in chunks, even if one batch is larger than a chunk', async () => {
    const large = record(`,"x":"${'é'.repeat(9_000_000)}"`);
    const sent = [[record()], [large], [large], [record(',"x":1')]];
    for (const docs of sent) await send(docs);
    const read = docsOf(await readAll());
    const lengths = (batches: readonly string[][]) => batches.map((docs) => docs.map(({ length }) => length));
    expect(lengths(read)).toEqual(lengths(sent));
    expect(read.every((docs, index) => docs.join() === sent[index]?.join())).toBe(true);
  });

  test('includes derived records and the keys of dropped days', async () => {
    const line = (command: string) =>
      `{"createdTime":"${now()}","cmdlineHash":"${command}","cmdline":"${command}"}`;
    const derived = [{ dataset: commandLines, records: [line('a'), line('b')], since: 0 }];
    const batch = {
      account: 'A',
      dataset: dnss,
      records: [record()],
      isWellTyped: false,
      undeclaredMembers: [],
      derived,
    };
    await store.store({ ...batch, idempotencyKey: 'one' });
    await store.store({ ...batch, idempotencyKey: 'two' });
    const countsOf = (all: readonly BackupEntry[]) =>
      all.flatMap((entry) =>
        'records' in entry
          ? [`${entry.records.records} of ${entry.records.dataset} in ${entry.records.seq}`]
          : [],
      );
    const before = await readAll();
    expect(new Set(countsOf(before))).toEqual(
      new Set(['1 of Activities/DNSs in 1', '1 of Activities/DNSs in 2', '2 of Entities/CommandLines in 1']),
    );
    await copyAll('first');
    committed.add('first');
    await reopen();
    expect(comparable(await readAll())).toEqual(comparable(before));

    clock.advance(3 * 24 * hour);
    await send([record()]);
    await store.deleteBefore(clock.now() - hour);
    const rest = await readAll();
    expect(countsOf(rest)).toEqual(['1 of Activities/DNSs in 3']);
    expect(keysOf(rest)).toEqual(['one', 'two', undefined]);
    await copyAll('second');
    committed.add('second');
    await reopen();
    expect(comparable(await readAll())).toEqual(comparable(rest));
    expect(await store.store({ ...batch, idempotencyKey: 'two' })).toEqual({ records: 1, isRepeat: true });
  });
});

describe('a replacement store', () => {
  test('holds the same batches, byte for byte, for arbitrary records', async () => {
    const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t');
    const value = fc.oneof(
      fc.constantFrom('1.10', '9223372036854775807', '-9223372036854775808', '1e400', '-0', '0.10E+05'),
      fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value.replaceAll('\0', ''))),
      fc.constantFrom('"\\u00e9\\/\\ud83d\\ude00"', '"é"', '[ 1,\n 2 ]', '{"a" : {"b":null}}'),
    );
    const doc = fc.tuple(space, value).map(([blank, json]) => record(`,${blank}"x":${blank}${json}${blank}`));
    const batch = fc.record({
      docs: fc.array(doc, { minLength: 1, maxLength: 5 }),
      account: fc.constantFrom('A', 'B'),
      key: fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined }),
      pause: fc.constantFrom(0, 1, 2, 3, 30 * hour),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 15 }), async (batches) => {
        for (const { docs, account, key, pause } of batches) {
          await send(docs, {
            account,
            ...(key !== undefined && { key }),
            undeclared: ['x', `of ${account}`],
          });
          clock.advance(pause);
        }
        const before = comparable(await readAll());
        const id = `id${committed.size}`;
        await copyAll(id);
        committed.add(id);
        await reopen();
        expect(comparable(await readAll())).toEqual(before);
        expect(store.epoch).toBe(id);
      }),
      { numRuns: 5 },
    );
  });

  test('continues idempotency keys, undeclared members and sequence numbers', async () => {
    await send([record(',"x":1'), record()], { key: 'k', undeclared: ['x'] });
    await send([record()], { account: 'B' });
    await copyAll('one');
    committed.add('one');
    await reopen();
    expect(await send([record()], { key: 'k' })).toEqual({ records: 2, isRepeat: true });
    expect(await send([record()], { key: 'k', account: 'B' })).toEqual({ records: 1, isRepeat: false });
    expect(store.undeclaredMembers('A', dnss.path)).toEqual(new Set(['x']));
    expect(store.undeclaredMembers('B', dnss.path)).toEqual(new Set());
    expect(store.lastSequence()).toBe(3);
  });

  test('refuses records that do not match their dataset', async () => {
    for (const [index, json] of ['{', '{}', '7', record()].entries()) {
      const replacement = await store.replacement(`wrong${index}`);
      await replacement.add({
        records: { day: '2026-03-01', account: 'A', dataset: machines.path, seq: 1, records: 1 },
        text: Buffer.from(json),
      });
      await expect(replacement.ready()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await replacement.discard();
    }
    expect(readdirSync(directory).filter((name) => name.startsWith('restoring'))).toEqual([]);
  });
});

describe('when the store is opened, a replacement store', () => {
  const days = (parent = directory) => join(parent, 'days');
  const leftovers = () => readdirSync(directory).filter((name) => /^(restoring|replaced)-/.test(name));
  /** The replacement holds one record, the current store another. */
  async function prepare(id: string): Promise<void> {
    await send([record(',"x":"new"')]);
    await copyAll(id);
    await send([record(',"x":"old"')]);
  }
  const storedValues = async () =>
    docsOf(await readAll()).flatMap((docs) => docs.map((doc) => JSON.parse(doc).x));

  test('that was not committed is removed', async () => {
    await prepare('one');
    await reopen();
    expect([await storedValues(), store.epoch]).toEqual([['new', 'old'], '']);
    await expect.poll(leftovers).toEqual([]);
  });

  test('that was being filled is removed', async () => {
    await send([record(',"x":"old"')]);
    const replacement = await store.replacement('half');
    for (const entry of await readAll()) await replacement.add(entry);
    await reopen();
    expect(await storedValues()).toEqual(['old']);
    await expect.poll(leftovers).toEqual([]);
    await replacement.discard();
  });

  test.each<[string, () => void]>([
    ['before anything was moved', () => {}],
    ['between the two moves', () => renameSync(days(), join(directory, 'replaced-one'))],
    [
      'after the moves',
      () => {
        renameSync(days(), join(directory, 'replaced-one'));
        renameSync(days(join(directory, 'restoring-one')), days());
      },
    ],
    [
      'after one leftover was removed',
      () => {
        renameSync(days(), join(directory, 'replaced-one'));
        renameSync(days(join(directory, 'restoring-one')), days());
        rmSync(join(directory, 'restoring-one'), { recursive: true });
      },
    ],
  ])('that was committed is put in place after a crash %s', async (_, move) => {
    await prepare('one');
    committed.add('one');
    await store.close();
    move();
    await open();
    expect([await storedValues(), store.epoch]).toEqual([['new'], 'one']);
    await expect.poll(leftovers).toEqual([]);
    await send([record(',"x":"later"')]);
    await reopen();
    expect(await storedValues()).toEqual(['new', 'later']);
  });

  test('is put in place if there is nothing to replace', async () => {
    await prepare('one');
    committed.add('one');
    await store.close();
    rmSync(days(), { recursive: true });
    await open();
    expect(await storedValues()).toEqual(['new']);
    expect(existsSync(days())).toBe(true);
  });
});
