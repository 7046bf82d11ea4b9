import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DiskReserve } from '../../control/disk-reserve.ts';
import { ControlStore } from '../../control/store.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { events } from '../../telemetry/datasets/Events.ts';
import { files } from '../../telemetry/datasets/Files.ts';
import { TestDetection } from '../../testing/detection.ts';
import { FailingStore } from '../../testing/failing-store.ts';

let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

const trail = `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'StopLogging' } return { INSERT_ID, EVENT } }`;
const shadow = `{ source { LW_HE_FILES } filter { FILE_PERMISSIONS > 640 } return distinct { MID, PATH } }`;

/** Eight billion combinations. */
const endless = `{ source { LW_HE_FILES a, LW_HE_FILES b, LW_HE_FILES c }
  filter { a.PATH <> b.PATH and b.PATH || c.PATH <> a.PATH } return distinct { a.MID, a.PATH } }`;

const calls = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ eventTime: new Date(place.clock.now()).toISOString(), eventID: `${at}` },
    ...{ eventName: 'StopLogging', eventSource: 'cloudtrail.amazonaws.com' },
  }));
const opened = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ createdTime: new Date(place.clock.now()).toISOString(), mid: 1, filePath: `/etc/${at}` },
    ...{ filedataHash: 'aa', size: 1, mtime: '1', filePermissions: 644 },
  }));

async function evidence(): Promise<number> {
  const question = { range: { start: 0, end: place.clock.now() + 1 }, filters: [] };
  return (await place.telemetry.search(events, place.account, question as never)).totalRows;
}

describe('a killed node', () => {
  test.each(['before', 'after'])(
    'leaves an evaluation that another node completes, whichever transaction was interrupted, %s its commit',
    async (when) => {
      await place.policy('trail', trail);
      await place.policy('shadow', shadow);
      await place.tick();
      let total = 0;
      for (let last = 1; last < 30; last++) {
        const sizes = { calls: 510, files: 5 };
        await place.take(cloudTrailRawEvents, calls(sizes.calls));
        await place.take(
          files,
          opened(sizes.files).map((file) => ({ ...file, filePath: `${file.filePath}-${last}` })),
        );
        total += sizes.calls + sizes.files;
        place.clock.advance(3_600_000);
        const severed = new FailingStore(place.store, last, when === 'after');
        const dying = place.another({ store: severed as never });
        await dying.tick().catch(() => undefined);
        await dying.settled();
        // Let the leases of the killed node expire.
        place.clock.advance(120_000);
        const next = place.another();
        await place.tick(next);
        await place.tick(next);
        const unalerted = (await place.violations()).filter(({ alert_id }) => alert_id === null);
        expect(unalerted).toEqual([]);
        const alerts = await place.alerts();
        expect(alerts.reduce((sum, { violations }) => sum + violations, 0)).toBe(total);
        expect(await evidence()).toBe(total);
        if (!severed.isReached) {
          expect(last).toBeGreaterThan(5);
          return;
        }
      }
      throw new Error('the evaluation never ended');
    },
  );
});

describe('several nodes on one store', () => {
  test('evaluate everything exactly once', async () => {
    for (let at = 0; at < 5; at++) await place.policy(`trail-${at}`, trail);
    for (let at = 0; at < 5; at++) await place.policy(`shadow-${at}`, shadow);
    // Separate control stores need PostgreSQL.
    const isShared = place.store.dialect === 'postgres';
    const open = () => (isShared ? ControlStore.open(place.store.url, place.clock) : place.store);
    const stores = [await open(), await open()];
    try {
      const nodes = stores.map((store) => place.another({ store }));
      for (const node of nodes) await place.tick(node);
      for (let round = 1; round <= 4; round++) {
        await place.take(cloudTrailRawEvents, calls(20));
        await place.take(files, opened(1));
        place.clock.advance(3_600_000);
        await Promise.all(nodes.map((node) => node.tick()));
        await Promise.all(nodes.map((node) => node.settled()));
        await Promise.all(nodes.map((node) => place.tick(node)));
        const alerts = await place.alerts();
        const of = (word: string) => alerts.filter(({ policy_id }) => policy_id.includes(word));
        expect(of('trail').map(({ violations }) => violations)).toEqual(Array(5 * round).fill(20));
        expect(of('shadow').map(({ violations }) => violations)).toEqual(Array(5).fill(1));
      }
      expect((await place.evaluations()).every(({ failures }) => failures === 0)).toBe(true);
    } finally {
      for (const store of stores) if (store !== place.store) await store.close();
    }
  });
});

describe('a failing policy', () => {
  test('is retried with backoff, logged once, and does not block others', async () => {
    const broken = await place.policy('broken', trail);
    const sound = await place.policy('sound', trail);
    await place.store.housekeeping((tx) =>
      tx
        .updateTable('queries')
        .set({ query_text: '{ source { Nowhere } return { X } }', updated_at: 1 })
        .where('id', '=', 'Q_broken')
        .execute(),
    );
    await place.take(cloudTrailRawEvents, calls(1));
    await place.tick();
    expect((await place.alerts()).map(({ policy_id }) => policy_id)).toEqual([sound]);
    const row = async () => (await place.evaluations()).find(({ policy_id }) => policy_id === broken);
    expect(await row()).toMatchObject({ failures: 1, problem: expect.stringContaining('Nowhere') });
    for (let seconds = 0; seconds < 20; seconds += 2) await place.tick();
    expect(await row()).toMatchObject({ failures: 3 });
    expect(place.scheduler.gauges).toMatchObject({ policies: 2, failing: 1, overdue: 0, running: 0 });
    expect(place.logLines.filter((line) => line.includes('policy evaluation failed'))).toHaveLength(1);
    await place.queries.change(place.actor, 'Q_broken', { queryText: trail });
    await place.tick();
    expect(await row()).toMatchObject({ failures: 0, problem: null });
    expect(await place.alerts()).toHaveLength(2);
  });

  test('is logged once while the disk of the control store is full, and recovers afterwards', async () => {
    await place.policy('trail', trail);
    await place.take(cloudTrailRawEvents, calls(1));
    await place.tick();
    await place.take(cloudTrailRawEvents, calls(1));
    let isFree = false;
    place.store.keepReserve({ hold: () => isFree } as DiskReserve);
    for (let attempt = 0; attempt < 4; attempt++) await place.tick();
    expect(place.logLines.filter((line) => line.includes('evaluation scheduling failed'))).toHaveLength(1);
    isFree = true;
    await place.tick();
    await place.tick();
    expect(await place.evaluations()).toMatchObject([
      { sequence: await place.telemetry.lastBatch(place.account, 'CloudTrailRawEvents') },
    ]);
  });

  test('ends at its timeout', async () => {
    await place.policy('slow', endless);
    await place.take(files, opened(2_000));
    const hasty = place.another({ timeout: 0.2 });
    await place.tick(hasty);
    expect(await place.evaluations()).toMatchObject([
      { failures: 1, problem: 'The evaluation took more than 0.2 seconds.', leased_until: 0 },
    ]);
  });

  test('is abandoned when the service stops, and starts over afterwards', async () => {
    await place.policy('slow', endless);
    await place.take(files, opened(2_000));
    const stopped = place.another();
    await stopped.tick();
    while (place.telemetry.searches.running === 0) await new Promise((resume) => setImmediate(resume));
    await stopped.stop();
    expect(await place.evaluations()).toMatchObject([{ failures: 0, problem: null, leased_until: 0 }]);
    await place.queries.change(place.actor, 'Q_slow', { queryText: shadow });
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 2_000 }]);
  });
});

describe('a thousand idle policies', () => {
  test('write nothing, and query the control store at most once a second', async () => {
    const queryId = 'Q_many';
    await place.queries.create(place.actor, { queryId, queryText: trail });
    const [first] = [await place.policy('first', trail)];
    const row = await place.store.read
      .selectFrom('policies')
      .selectAll()
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    await place.store.housekeeping(async (tx) => {
      for (let from = 0; from < 1_000; from += 100) {
        const rows = Array.from({ length: 100 }, (_, at) => ({ ...row, id: `acme-many-${from + at}` }));
        await tx.insertInto('policies').values(rows).execute();
      }
    });
    await place.take(files, opened(1));
    await place.tick();
    expect(place.scheduler.gauges.policies).toBe(1_001);
    const isEvaluated = async () =>
      (await place.evaluations()).every(({ finished_at }) => finished_at !== null);
    while (!(await isEvaluated())) await place.tick();
    const before = await place.evaluations();
    for (let second = 0; second < 20; second++) await place.tick();
    expect(await place.evaluations()).toEqual(before);
  });
});

describe('many endless policies of one account', () => {
  test('do not delay policies of another account', async () => {
    const runner = {
      async *run(_: unknown, { account }: { account: string }, signal: AbortSignal) {
        if (account !== 'MODEST')
          await new Promise((_, reject) => {
            if (signal.aborted) reject(signal.reason);
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        yield* [] as Uint8Array[];
      },
    };
    await place.newAccount('MODEST');
    for (let at = 0; at < 6; at++) await place.policy(`greedy-${at}`, at % 2 ? trail : shadow);
    await place.take(files, opened(1));
    await place.take(cloudTrailRawEvents, calls(1));
    place.clock.advance(1_000);
    await place.policy('modest', shadow, {}, 'MODEST');
    const scheduler = place.another({ runner: runner as never });
    await scheduler.tick();
    const patient = { timeout: 60_000 };
    const evaluated = async () => (await place.evaluations()).filter((row) => row.finished_at !== null);
    await expect
      .poll(async () => {
        await scheduler.poll();
        return (await evaluated()).map(({ owner_id }) => owner_id);
      }, patient)
      .toEqual(['MODEST']);
    expect(scheduler.gauges.running).toBeGreaterThan(0);
    await scheduler.stop();
  });
});
