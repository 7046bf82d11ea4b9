import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { dnss } from './datasets/DNSs.ts';
import type { ReplacementStore } from './store.ts';
import { type MarkRestore, StoreAccess } from './store-access.ts';

let place: TestPlace;
let control: ControlStore;
let access: StoreAccess;
const clock = new ManualClock();
beforeEach(async () => {
  place = await createTestPlace();
  control = await ControlStore.open(place.controlUrl, clock);
  const limits = { memory: '256MB', threads: 2 };
  access = await StoreAccess.open({
    ...{ directory: directory(), limits, diskCap: undefined },
    ...{ store: control, clock, log: createLog('silent') },
  });
  await send('old');
});
afterEach(async () => {
  await access.close();
  await control.close();
  await place.remove();
});

const directory = () => join(place.directory, 'telemetry');
const record = (fqdn: string) =>
  `{"createdTime":"2026-03-01T12:00:00Z","mid":1,"fqdn":"${fqdn}","hostIpAddr":"b","ttl":1,"dnsServerIp":"c"}`;
const send = (fqdn: string) =>
  access.use((store) =>
    store.store({
      ...{ account: 'A', dataset: dnss, records: [record(fqdn)], isWellTyped: false, undeclaredMembers: [] },
      idempotencyKey: undefined,
    }),
  );
async function found(): Promise<string[]> {
  const texts: string[] = [];
  const holdings = await access.use((store) => store.holdings(new Set('A')));
  for await (const kept of holdings.read())
    if ('text' in kept) texts.push(JSON.parse(Buffer.from(kept.text).toString()).fqdn);
  return texts;
}

async function prepare(): Promise<ReplacementStore> {
  const replacement = await access.replacement();
  const of = { day: '2026-03-01', account: 'A', dataset: dnss.path, seq: 7, records: 1 };
  await replacement.add({ batch: { ...of, received: clock.now() } });
  await replacement.add({ records: of, text: Buffer.from(record('new')) });
  await replacement.ready();
  return replacement;
}
const commit = (mark: MarkRestore) => control.housekeeping(mark);
const lost = new Error('the connection is lost');

describe('a replacement store', () => {
  test('replaces all records when the control store commits', async () => {
    await access.swapIn(await prepare(), commit);
    expect(await found()).toEqual(['new']);
    await send('later');
    expect(await found()).toEqual(['new', 'later']);
  });

  test('is removed if the control store does not commit', async () => {
    const failing = async (mark: MarkRestore) =>
      control.housekeeping(async (tx) => {
        await mark(tx);
        throw lost;
      });
    await expect(access.swapIn(await prepare(), failing)).rejects.toThrow(lost);
    expect(await found()).toEqual(['old']);
    expect(readdirSync(directory()).filter((name) => name.includes('-'))).toEqual([]);
  });

  test('is put in place if the commit succeeds but its acknowledgement is lost', async () => {
    const committing = async (mark: MarkRestore) => {
      await commit(mark);
      throw lost;
    };
    await expect(access.swapIn(await prepare(), committing)).rejects.toThrow(lost);
    expect(await found()).toEqual(['new']);
  });

  test('waits for running work and refuses new work until it is in place', async () => {
    const replacement = await prepare();
    let finish = () => {};
    const atWork = access.use(() => new Promise<void>((resolve) => (finish = resolve)));
    const happened: string[] = [];
    const swapping = access.swapIn(replacement, async (mark) => {
      happened.push('commit');
      await commit(mark);
      await expect(send('between')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
    await expect(send('before')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    happened.push('work done');
    finish();
    await Promise.all([atWork, swapping]);
    expect(happened).toEqual(['work done', 'commit']);
    expect(await found()).toEqual(['new']);
  });
});
