import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { QueryRunner } from '../../querying/runner.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { dnss } from '../../telemetry/datasets/DNSs.ts';
import { events } from '../../telemetry/datasets/Events.ts';
import { files } from '../../telemetry/datasets/Files.ts';
import { TestDetection } from '../../testing/detection.ts';

const hour = 3_600_000;
const day = 24 * hour;
let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

const trail = `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'StopLogging' } return { INSERT_ID, EVENT } }`;
const lookups = `{ source { LW_HA_DNS_REQUESTS } filter { HOSTNAME = 'bad.example' } return { MID, RECORD_CREATED_TIME } }`;
const shadow = `{ source { LW_HE_FILES } filter { FILE_PERMISSIONS > 640 } return distinct { MID, PATH } }`;

const iso = (instant: number) => new Date(instant).toISOString();
const calls = (count = 1, at = place.clock.now()) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ eventTime: iso(at), eventID: `${index}`, eventName: 'StopLogging' },
    ...{ eventSource: 'cloudtrail.amazonaws.com', sourceIPAddress: `192.0.2.${index}` },
  }));
const lookup = (at: number) => ({
  ...{ createdTime: iso(at), mid: 1, fqdn: 'bad.example', hostIpAddr: '10.0.0.1', ttl: 1 },
  dnsServerIp: '10.0.0.2',
});
const opened = (path: string) => ({
  ...{ createdTime: iso(place.clock.now()), mid: 1, filePath: path, filedataHash: 'aa', size: 1 },
  ...{ mtime: '1', filePermissions: 644 },
});

describe('the evaluation position of a policy', () => {
  test('survives a restore of the same records', async () => {
    await place.policy('trail', trail);
    await place.tick();
    await place.take(cloudTrailRawEvents, calls());
    await place.tick();
    const [{ sequence } = { sequence: 0 }] = await place.evaluations();
    const { telemetry, store } = place;
    const replacement = await telemetry.replacement();
    await telemetry.withoutRemovals(async () => {
      const holdings = await telemetry.holdings(new Set([place.account]));
      for await (const kept of holdings?.read() ?? []) await replacement.add(kept);
    });
    await replacement.ready();
    let isDone = false;
    const restoring = telemetry
      .swapIn(replacement, (mark) => store.housekeeping(mark))
      .finally(() => {
        isDone = true;
      });
    while (!isDone) {
      await place.scheduler.tick();
      await new Promise((resume) => setImmediate(resume));
    }
    await restoring;
    expect(await place.evaluations()).toMatchObject([{ sequence }]);
    place.clock.advance(4 * day);
    await place.take(cloudTrailRawEvents, calls());
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 1 }, { violations: 1 }]);
  });

  test('is read from the store after a restore, not from memory', async () => {
    await place.policy('trail', trail);
    await place.tick();
    for (let batch = 0; batch < 3; batch++) {
      await place.take(cloudTrailRawEvents, calls());
      await place.tick();
    }
    // Simulates the restore of an earlier backup whose telemetry is ahead of its evaluations.
    await place.store.housekeeping((tx) => tx.updateTable('evaluations').set({ sequence: 1 }).execute());
    await place.store.housekeeping((tx) => tx.deleteFrom('violations').execute());
    for (const { row } of place.scheduler.entries) Object.assign(row, { sequence: 9 });
    await place.tick();
    await place.tick();
    expect(await place.violations()).toHaveLength(2);
  });

  test.each([
    ['a state', shadow],
    ['another stream', trail],
  ])('of %s does not apply to a stream that the new query reads', async (_, before) => {
    const old = place.clock.now() - 2 * day;
    await place.take(files, [opened('/etc/shadow')]);
    await place.policy('changing', before);
    await place.tick();
    for (let at = 0; at < 3; at++) await place.take(dnss, [lookup(old + at)]);
    place.clock.advance(10_001);
    await place.queries.change(place.actor, 'Q_changing', { queryText: lookups });
    await place.tick();
    const counts = async () => JSON.parse((await place.evaluations())[0]?.counts ?? '{}').violations;
    expect(await counts()).toBe(0);
    await place.take(dnss, [lookup(old + 3)]);
    await place.tick();
    expect(await counts()).toBe(1);
  });
});

describe('earlier violations', () => {
  const again = `{ source { LW_HA_DNS_REQUESTS } filter { HOSTNAME = 'bad.example' } return { MID, HOSTNAME } }`;

  test('alert again after three days, even without new data in between', async () => {
    await place.policy('lookups', again);
    await place.tick();
    for (const [wait, alerts] of [
      [0, 1],
      [2, 1],
      [2, 1],
      [4, 2],
    ] as const) {
      place.clock.advance(wait * day);
      await place.take(dnss, [lookup(place.clock.now())]);
      await place.tick();
      expect([wait, (await place.alerts()).length]).toEqual([wait, alerts]);
    }
  });
});

describe('an alert that violations join repeatedly', () => {
  test('keeps no more evidence than its limit', async () => {
    await place.policy('trail', trail, { limit: 5 });
    await place.tick();
    for (let batch = 0; batch < 4; batch++) {
      await place.take(cloudTrailRawEvents, calls(3));
      await place.tick();
    }
    expect(await place.alerts()).toMatchObject([{ violations: 12, listed: 5 }]);
    const question = { range: { start: 0, end: place.clock.now() + 1 }, filters: [], returns: undefined };
    expect((await place.telemetry.search(events, place.account, question)).totalRows).toBe(5);
  });
});

describe('the schedule', () => {
  test('works with so many policies that the sum of their timestamps exceeds a safe integer', async () => {
    await place.policy('trail', trail);
    const query = await place.store.read.selectFrom('queries').selectAll().executeTakeFirstOrThrow();
    await place.store.housekeeping(async (tx) => {
      for (let from = 0; from < 6_000; from += 500) {
        const rows = Array.from({ length: 500 }, (_, at) => ({ ...query, id: `Q_${from + at}` }));
        await tx.insertInto('queries').values(rows).execute();
      }
    });
    await place.tick();
    await place.take(cloudTrailRawEvents, calls());
    await place.tick();
    expect(await place.alerts()).toHaveLength(1);
    await place.queries.change(place.actor, 'Q_trail', { queryText: lookups });
    const [{ basis } = { basis: '' }] = await place.evaluations();
    await place.tick();
    expect((await place.evaluations())[0]?.basis).not.toBe(basis);
  });

  test('follows the frequency set last', async () => {
    await place.take(files, [opened('/etc/shadow')]);
    const policyId = await place.policy('shadow', shadow, { evalFrequency: 'Daily' });
    await place.tick();
    await place.policies.change(place.actor, place.scope, policyId, { evalFrequency: 'Hourly' });
    await place.tick();
    const [row] = await place.evaluations();
    expect((row?.due_at ?? Infinity) - place.clock.now()).toBeLessThanOrEqual(hour);
  });

  test('continues after the clock is set back', async () => {
    await place.take(files, [opened('/etc/shadow')]);
    await place.policy('trail', trail);
    await place.policy('shadow', shadow);
    await place.tick();
    await place.take(cloudTrailRawEvents, calls());
    await place.tick();
    place.clock.advance(-3 * hour);
    for (let batch = 0; batch < 2; batch++) {
      await place.take(cloudTrailRawEvents, calls());
      await place.take(files, [opened(`/etc/gshadow-${batch}`)]);
      await place.tick();
      place.clock.advance(hour);
      await place.tick();
    }
    const alerted = (await place.violations()).filter(({ alert_id }) => alert_id !== null);
    expect(alerted.filter(({ name }) => name.startsWith('StopLogging'))).toHaveLength(3);
    expect(alerted.filter(({ name }) => name.startsWith('/etc/gshadow'))).toHaveLength(2);
  });

  test('evaluates state policies while streams receive data continuously', async () => {
    const { telemetry, clock } = place;
    for (let at = 0; at < 10; at++) await place.policy(`trail-${at}`, trail);
    await place.policy('shadow', shadow);
    await place.take(files, [opened('/etc/shadow')]);
    const runs: (string | undefined)[] = [];
    class Busy extends QueryRunner {
      override run(...[read, run, signal]: Parameters<QueryRunner['run']>) {
        const [root] = read.query.blocks[0]?.sources ?? [];
        runs.push(root?.kind === 'table' ? root.datasource.name : undefined);
        // Advance the clock, otherwise nothing becomes due again.
        place.clock.advance(1_000);
        const answer = super.run(read, run, signal);
        async function* answered() {
          if (runs.length < 60) await place.take(cloudTrailRawEvents, calls());
          await busy.poll();
          yield* answer;
        }
        return Object.assign(answered(), { failed: answer.failed });
      }
    }
    const busy = place.another({ runner: new Busy({ telemetry, clock }) });
    await place.take(cloudTrailRawEvents, calls());
    await place.tick(busy);
    expect(runs.length).toBeGreaterThanOrEqual(60);
    expect(runs.indexOf('LW_HE_FILES')).toBeLessThan(20);
  });
});
