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

let installation: TestPlace;
let control: ControlStore;
let access: StoreAccess;
const clock = new ManualClock();
beforeEach(async () => {
  installation = await createTestPlace();
  control = await ControlStore.open(installation.controlUrl, clock);
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
  await installation.remove();
});

const directory = () => join(installation.directory, 'telemetry');
const record = (fqdn: string) =>
  `{"createdTime":"2026-03-01T12:00:00Z","mid":1,"fqdn":"${fqdn}","hostIpAddr":"b","ttl":1,"dnsServerIp":"c"}`;
const send = (fqdn: string) =>
  access.use((store) =>
    store.store({
      ...{ account: 'A', dataset: dnss, records: [record(fqdn)], isWellTyped: false, undeclaredMembers: [] },
      idempotencyKey: undefined,
    }),
  );
async function storedNames(): Promise<string[]> {
  const names: string[] = [];
  const source = await access.use((store) => store.holdings(new Set('A')));
  for await (const entry of source.read())
    if ('text' in entry) names.push(JSON.parse(Buffer.from(entry.text).toString()).fqdn);
  return names;
}

async function prepare(): Promise<ReplacementStore> {
  const replacement = await access.replacement();
  const of = { day: '2026-03-01', account: 'A', dataset: dnss.path, seq: 7, records: 1 };
  await replacement.add({ batch: { ...of, received: clock.now() } });
  await replacement.add({ records: of, text: Buffer.from(record('new')) });
  await replacement.ready();
  return replacement;
}
const commit = (markRestore: MarkRestore) => control.housekeeping(markRestore);
const lost = new Error('the connection is lost');

describe('a replacement store', () => {
  test('replaces all records when the control store commits', async () => {
    await access.swapIn(await prepare(), commit);
    expect(await storedNames()).toEqual(['new']);
    await send('later');
    expect(await storedNames()).toEqual(['new', 'later']);
  });

  test('is removed if the control store does not commit', async () => {
    const failing = async (markRestore: MarkRestore) =>
      control.housekeeping(async (tx) => {
        await markRestore(tx);
        throw lost;
      });
    await expect(access.swapIn(await prepare(), failing)).rejects.toThrow(lost);
    expect(await storedNames()).toEqual(['old']);
    expect(readdirSync(directory()).filter((name) => name.includes('-'))).toEqual([]);
  });

  test('is put in place if the commit succeeds but its acknowledgement is lost', async () => {
    const committing = async (markRestore: MarkRestore) => {
      await commit(markRestore);
      throw lost;
    };
    await expect(access.swapIn(await prepare(), committing)).rejects.toThrow(lost);
    expect(await storedNames()).toEqual(['new']);
  });

  test('waits for running work and refuses new work until it is in place', async () => {
    const replacement = await prepare();
    let finish = () => {};
    const running = access.use(() => new Promise<void>((resolve) => (finish = resolve)));
    const events: string[] = [];
    const swapping = access.swapIn(replacement, async (markRestore) => {
      events.push('commit');
      await commit(markRestore);
      await expect(send('between')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
    await expect(send('before')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    events.push('work done');
    finish();
    await Promise.all([running, swapping]);
    expect(events).toEqual(['work done', 'commit']);
    expect(await storedNames()).toEqual(['new']);
  });
});
