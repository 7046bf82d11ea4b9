import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import { dnss } from '../datasets/DNSs.ts';
import { machines } from '../datasets/Machines.ts';
import { recordSeparator } from '../record-texts.ts';
import type { KeptBatch, Successor, TelemetryStore } from '../store.ts';
import { openDuckStore } from './duck-store.ts';

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
    directory,
    limits: { memory: '256MB', threads: 2 },
    clock,
    isCommitted: async (id) => committed.has(id),
  });
}

async function reopen(): Promise<void> {
  await store.close();
  await open();
}

const record = (rest = '') =>
  `{"createdTime":"${new Date(clock.now()).toISOString()}","mid":1,"fqdn":"a","hostIpAddr":"b","ttl":1,"dnsServerIp":"c"${rest}}`;
const send = (
  records: readonly string[],
  rest: { account?: string; key?: string; further?: string[] } = {},
) =>
  store.store({
    ...{ account: rest.account ?? 'A', dataset: dnss, records, further: rest.further ?? [] },
    idempotencyKey: rest.key,
  });

interface Told extends Omit<KeptBatch, 'text'> {
  readonly docs: readonly string[];
}

async function told(accounts: readonly string[] = ['A', 'B']) {
  const holdings = await store.holdings(new Set(accounts));
  const batches: Told[] = [];
  for await (const { text, ...batch } of holdings.read())
    batches.push({ ...batch, docs: Buffer.from(text).toString('utf8').split(recordSeparator) });
  expect([batches.length, batches.reduce((sum, { records }) => sum + records, 0)]).toEqual([
    holdings.batches,
    holdings.records,
  ]);
  return { batches, further: holdings.further };
}

/** Everything that there is, in a successor that is ready. */
async function copied(id: string): Promise<Successor> {
  const [holdings, successor] = [await store.holdings(new Set(['A', 'B'])), await store.successor(id)];
  for (const member of holdings.further) successor.addFurther(member);
  for await (const batch of holdings.read()) await successor.add(batch);
  await successor.ready();
  return successor;
}

describe('what is held', () => {
  test('is every batch up to the moment, once, whole and in order, although more arrives', async () => {
    const sent: string[][] = [];
    for (let number = 0; number < 40; number++) {
      const docs = Array.from({ length: (number % 3) + 1 }, (_, n) => record(`,"x":"${number}.${n}"`));
      sent.push(docs);
      await send(docs, { account: number % 2 ? 'A' : 'B', key: `k${number}` });
      if (number % 15 === 14) clock.advance(24 * hour);
    }
    const holdings = await store.holdings(new Set(['A', 'B']));
    const found: string[][] = [];
    for await (const { text } of holdings.read()) {
      found.push(Buffer.from(text).toString('utf8').split(recordSeparator));
      await send([record(',"x":"late"')]);
    }
    expect(found).toEqual(sent);
    const { batches } = await told(['B']);
    expect(batches.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array.from({ length: 20 }, (_, index) => `k${2 * index}`),
    );
  });

  test('is read in portions, also where one batch is larger than they are', async () => {
    const large = record(`,"x":"${'é'.repeat(9_000_000)}"`);
    const sent = [[record()], [large], [large], [record(',"x":1')]];
    for (const docs of sent) await send(docs);
    const { batches } = await told();
    expect(batches.map(({ docs }) => docs.map((doc) => doc.length))).toEqual(
      sent.map((docs) => docs.map((doc) => doc.length)),
    );
    expect(batches.map(({ docs }) => docs)).toEqual(sent);
  });
});

describe('a successor', () => {
  test('holds the same batches, byte for byte, whatever the records say', async () => {
    const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t');
    const value = fc.oneof(
      fc.constantFrom('1.10', '9223372036854775807', '-9223372036854775808', '1e400', '-0', '0.10E+05'),
      fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text.replaceAll('\0', ''))),
      fc.constantFrom('"\\u00e9\\/\\ud83d\\ude00"', '"é"', '[ 1,\n 2 ]', '{"a" : {"b":null}}'),
    );
    const doc = fc.tuple(space, value).map(([blank, text]) => record(`,${blank}"x":${blank}${text}${blank}`));
    const batch = fc.record({
      docs: fc.array(doc, { minLength: 1, maxLength: 5 }),
      account: fc.constantFrom('A', 'B'),
      key: fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined }),
      pause: fc.constantFrom(0, 1, 2, 3, 30 * hour),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 15 }), async (batches) => {
        for (const { docs, account, key, pause } of batches) {
          await send(docs, { account, ...(key !== undefined && { key }), further: ['x', `of ${account}`] });
          clock.advance(pause);
        }
        const before = await told();
        const id = `id${committed.size}`;
        await copied(id);
        committed.add(id);
        await reopen();
        const after = await told();
        expect(after.batches).toEqual(before.batches);
        expect(new Set(after.further)).toEqual(new Set(before.further));
        expect(store.epoch).toBe(id);
      }),
      { numRuns: 5 },
    );
  }, 60_000);

  test('goes on with keys, names of members and numbers of batches', async () => {
    const further = store.furtherMembers('A', dnss.path);
    expect(further).toEqual(new Set());
    await send([record(',"x":1'), record()], { key: 'k', further: ['x'] });
    await send([record()], { account: 'B' });
    await copied('one');
    committed.add('one');
    await reopen();
    expect(await send([record()], { key: 'k' })).toEqual({ records: 2, isRepeat: true });
    expect(await send([record()], { key: 'k', account: 'B' })).toEqual({ records: 1, isRepeat: false });
    expect(store.furtherMembers('A', dnss.path)).toEqual(new Set(['x']));
    expect(store.furtherMembers('B', dnss.path)).toEqual(new Set());
    expect(store.lastSequence()).toBe(3);
  });

  test('refuses records that are none of their dataset', async () => {
    const batch = (text: string): KeptBatch => ({
      ...{ seq: 1, account: 'A', dataset: machines.path, received: clock.now() },
      ...{ idempotencyKey: undefined, records: 1, text: Buffer.from(text) },
    });
    for (const [index, text] of ['{', '{}', '7', record()].entries()) {
      const successor = await store.successor(`wrong${index}`);
      await successor.add(batch(text));
      await expect(successor.ready()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await successor.discard();
    }
    expect(readdirSync(directory).filter((name) => name.startsWith('restoring'))).toEqual([]);
  });
});

describe('when the store is opened, a successor', () => {
  const days = (place = directory) => join(place, 'days');
  const left = () => readdirSync(directory).filter((name) => /^(restoring|replaced)-/.test(name));
  /** The successor holds one record, what it is to replace another. */
  async function prepare(id: string): Promise<void> {
    await send([record(',"x":"new"')]);
    await copied(id);
    await send([record(',"x":"old"')]);
  }
  const found = async () =>
    (await told()).batches.flatMap(({ docs }) => docs.map((doc) => JSON.parse(doc).x));

  test('that was not committed is removed', async () => {
    await prepare('one');
    await reopen();
    expect([await found(), store.epoch]).toEqual([['new', 'old'], '']);
    await expect.poll(left).toEqual([]);
  });

  test('that was being filled is removed', async () => {
    await send([record(',"x":"old"')]);
    const first = async () => {
      for await (const batch of (await store.holdings(new Set('A'))).read()) return batch;
      return undefined;
    };
    const successor = await store.successor('half');
    await successor.add((await first()) as KeptBatch);
    await reopen();
    expect(await found()).toEqual(['old']);
    await expect.poll(left).toEqual([]);
    await successor.discard();
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
      'after one part was removed',
      () => {
        renameSync(days(), join(directory, 'replaced-one'));
        renameSync(days(join(directory, 'restoring-one')), days());
        rmSync(join(directory, 'restoring-one'), { recursive: true });
      },
    ],
  ])('that was committed takes its place after a kill %s', async (_, move) => {
    await prepare('one');
    committed.add('one');
    await store.close();
    move();
    await open();
    expect([await found(), store.epoch]).toEqual([['new'], 'one']);
    await expect.poll(left).toEqual([]);
    await send([record(',"x":"later"')]);
    await reopen();
    expect(await found()).toEqual(['new', 'later']);
  });

  test('takes the place of nothing at all', async () => {
    await prepare('one');
    committed.add('one');
    await store.close();
    rmSync(days(), { recursive: true });
    await open();
    expect(await found()).toEqual(['new']);
    expect(existsSync(days())).toBe(true);
  });
});
