import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonArray } from '../../search/page.ts';
import { cloudActivities } from '../../telemetry/datasets/CloudActivities.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { TestDetection } from '../../testing/detection.ts';
import { FailingStore } from '../../testing/failing-store.ts';
import type { CloudActivities } from './cloud-activities.ts';

const minute = 60_000;
const hour = 60 * minute;
let place: TestDetection;
let activities: CloudActivities;
beforeEach(async () => {
  place = await TestDetection.start();
  activities = place.activities();
});
afterEach(() => place.stop());

const call = (given: object = {}, at = place.clock.now()) => ({
  eventTime: new Date(at).toISOString(),
  eventID: 'event',
  eventName: 'CreateAccessKey',
  eventSource: 'iam.amazonaws.com',
  awsRegion: 'us-east-1',
  recipientAccountId: '123456789012',
  sourceIPAddress: '203.0.113.7',
  requestParameters: { userName: 'mallory', tags: [{ key: 'x' }] },
  userIdentity: {
    type: 'AssumedRole',
    principalId: 'AROAOPS:eve',
    arn: 'arn:aws:sts::123456789012:assumed-role/ops/eve',
    accountId: '123456789012',
    sessionContext: { attributes: { mfaAuthenticated: 'true' }, sessionIssuer: { userName: 'ops' } },
  },
  ...given,
});

async function stored() {
  const question = { range: { start: 0, end: place.clock.now() + hour }, filters: [] };
  const page = await place.telemetry.search(cloudActivities, place.account, question as never);
  return JSON.parse(jsonArray(page)) as Record<string, unknown>[];
}

const keysOf = (records: readonly Record<string, unknown>[]) =>
  records.map(({ startTime, entityMap }) => {
    const { API, CT_User } = entityMap as {
      API: { KEY: { api: string } }[];
      CT_User: { KEY: { username: string } }[];
    };
    return `${String(startTime).slice(11, 16)} ${API[0]?.KEY.api} ${CT_User[0]?.KEY.username}`;
  });

describe('cloud activities', () => {
  test('are aggregated once by concurrent nodes', async () => {
    await activities.tick();
    await place.take(cloudTrailRawEvents, [call()]);
    place.clock.advance(hour + 5 * minute);
    let [go, isThere] = [() => {}, () => {}];
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      isThere = resolve;
    });
    const lastBatch = async (account: string, path: string) => {
      isThere();
      await gate;
      return place.telemetry.lastBatch(account, path);
    };
    const telemetry = { lastBatch, intake: place.telemetry.intake };
    const late = place.activities({ telemetry }).tick();
    await reached;
    await activities.tick();
    await place.take(cloudTrailRawEvents, [call({ eventName: 'ListUsers' })]);
    go();
    await late;
    await activities.tick();
    place.clock.advance(hour);
    await activities.tick();
    expect(keysOf(await stored()).sort()).toEqual([
      '12:00 CreateAccessKey ops/eve',
      '13:00 ListUsers ops/eve',
    ]);
  });

  test('make one record per hour, call and caller after the hour, with all members', async () => {
    const policyId = await place.policy(
      'keys',
      `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'CreateAccessKey' } return { INSERT_ID, EVENT } }`,
    );
    await place.tick();
    await activities.tick();
    await place.take(cloudTrailRawEvents, [
      call(),
      call({ sourceIPAddress: '203.0.113.8', awsRegion: 'eu-west-1' }),
      call({ eventName: 'ListUsers', requestParameters: null }),
      call({ userIdentity: { type: 'Root', accountId: '123456789012', principalId: '123456789012' } }),
    ]);
    await place.tick();
    await activities.tick();
    place.clock.advance(hour);
    await activities.tick();
    expect(await stored()).toEqual([]);
    place.clock.advance(5 * minute);
    await activities.tick();
    const records = await stored();
    expect(keysOf(records).sort()).toEqual([
      '12:00 CreateAccessKey ops/eve',
      '12:00 CreateAccessKey root',
      '12:00 ListUsers ops/eve',
    ]);
    expect(records[keysOf(records).indexOf('12:00 CreateAccessKey ops/eve')]).toEqual({
      ...{ startTime: '2026-03-01T12:00:00.000Z', endTime: '2026-03-01T13:00:00.000Z' },
      ...{ eventId: expect.any(Number), eventType: 'IAMAccessKeyChanged', eventModel: 'CloudTrailCep' },
      eventActor: 'Aws',
      entityMap: {
        API: [
          {
            KEY: { api: 'CreateAccessKey', service: 'iam.amazonaws.com' },
            PROPS: { source_ip_address_list: ['203.0.113.7', '203.0.113.8'], user_list: ['ops/eve'] },
          },
        ],
        CT_User: [
          {
            KEY: { account: '123456789012', mfa: 1, principalId: 'AROAOPS:eve', username: 'ops/eve' },
            PROPS: { api_list: ['CreateAccessKey'], region_list: ['eu-west-1', 'us-east-1'] },
          },
        ],
        Region: [
          { KEY: { region: 'eu-west-1' }, PROPS: { account_list: ['123456789012'] } },
          { KEY: { region: 'us-east-1' }, PROPS: { account_list: ['123456789012'] } },
        ],
        Resource: [{ KEY: { name: 'userName', value: 'mallory' } }],
        RulesTriggered: [
          {
            KEY: { triggered_rule_id: policyId },
            PROPS: {
              ...{ rule_id: policyId, rule_title: 'Title of keys', rule_severity: 2 },
              rule_description: 'What keys looks for.',
            },
          },
        ],
        SourceIpAddress: [
          { KEY: { ip_addr: '203.0.113.7' }, PROPS: { api_list: ['CreateAccessKey'] } },
          { KEY: { ip_addr: '203.0.113.8' }, PROPS: { api_list: ['CreateAccessKey'] } },
        ],
      },
    });
    expect(records.find(({ eventType }) => eventType === 'UsageOfRootAccount')).toBeDefined();
    for (let more = 0; more < 3; more++) {
      place.clock.advance(hour);
      await activities.tick();
    }
    expect(await stored()).toHaveLength(3);
  });

  test('wait for the end of the hour, and late events make a second record', async () => {
    await activities.tick();
    place.clock.advance(50 * minute);
    await place.take(cloudTrailRawEvents, [
      call({ eventName: 'A' }),
      call({ eventName: 'B' }, place.clock.now() + 12 * minute),
    ]);
    place.clock.advance(15 * minute);
    await activities.tick();
    expect(keysOf(await stored())).toEqual(['12:00 A ops/eve']);
    await place.take(cloudTrailRawEvents, [
      call({ eventName: 'A' }, place.clock.now() - 20 * minute),
      call({ eventName: 'A' }, place.clock.now() - 48 * hour),
      call({ eventName: 'B' }),
    ]);
    place.clock.advance(hour);
    await activities.tick();
    expect(keysOf(await stored()).sort()).toEqual([
      '12:00 A ops/eve',
      '12:00 A ops/eve',
      '13:00 A ops/eve',
      '13:00 B ops/eve',
    ]);
    expect(new Set((await stored()).map(({ eventId }) => eventId)).size).toBe(4);
  });

  test.each(['before', 'after'])(
    'are stored once, whichever transaction a kill interrupts, %s its commit',
    async (when) => {
      await activities.tick();
      let expected = 0;
      for (let last = 1; last < 10; last++) {
        await place.take(
          cloudTrailRawEvents,
          Array.from({ length: 1_100 }, (_, at) => call({ eventName: `Call${at}` })),
        );
        expected += 1_100;
        place.clock.advance(hour + 6 * minute);
        const severed = new FailingStore(place.store, last, when === 'after');
        await place
          .activities({ store: severed })
          .tick()
          .catch(() => undefined);
        // More data arrives, and the lease of the killed node expires.
        await place.take(cloudTrailRawEvents, [call({ eventName: `More${last}` })]);
        expected += 1;
        place.clock.advance(hour);
        await place.activities().tick();
        place.clock.advance(hour);
        await place.activities().tick();
        expect(await count()).toBe(expected);
        if (!severed.isReached) return;
      }
      throw new Error('the summary never ended');
    },
  );

  test('are stored once if the kill comes between two batches, or if they exceed the memory limit', async () => {
    await activities.tick();
    await place.take(
      cloudTrailRawEvents,
      Array.from({ length: 3_000 }, (_, at) => call({ eventName: `Call${at % 1_500}` })),
    );
    place.clock.advance(hour + 6 * minute);
    for (let batches = 0; batches < 6; batches += 2) {
      let taken = 0;
      const dying = {
        lastBatch: (...given: [string, string]) => place.telemetry.lastBatch(...given),
        intake: {
          ingest: (batch: never) => {
            if (++taken > batches) throw new Error('killed');
            return place.telemetry.intake.ingest(batch);
          },
        },
      };
      await place.activities({ telemetry: dying as never, maxActivities: 400 }).tick();
      if (taken <= batches) throw new Error('there are fewer batches than that');
      place.clock.advance(hour);
    }
    await place.activities({ maxActivities: 400 }).tick();
    expect(await count()).toBe(1_500);
  });
});

async function count(): Promise<number> {
  const question = { range: { start: 0, end: place.clock.now() + hour }, filters: [] };
  return (await place.telemetry.search(cloudActivities, place.account, question as never)).totalRows;
}

test('a failing account does not delay others', async () => {
  await place.newAccount('MODEST');
  const queried: string[] = [];
  const runner = {
    async *run(_: unknown, { account }: { account: string }) {
      queried.push(account);
      if (account === place.account) throw new Error('too expensive');
      yield* [] as Uint8Array[];
    },
  };
  const activities = place.activities({ runner: runner as never });
  await activities.tick();
  const eventTime = new Date(place.clock.now()).toISOString();
  for (const account of [place.account, 'MODEST']) {
    const body = JSON.stringify({ eventTime, eventID: '1', eventName: 'a', eventSource: 'b.amazonaws.com' });
    const batch = { account, dataset: cloudTrailRawEvents, body, idempotencyKey: undefined };
    await place.telemetry.intake.ingest({ ...batch, form: 'lines' });
  }
  place.clock.advance(2 * 3_600_000);
  await activities.tick();
  expect(new Set(queried)).toEqual(new Set([place.account, 'MODEST']));
  const rows = await place.store.read.selectFrom('activity_summaries').selectAll().execute();
  const pending = Object.fromEntries(rows.map(({ owner_id, run }) => [owner_id, run !== null]));
  expect(pending).toEqual({ [place.account]: true, MODEST: false });
  expect(place.logLines.filter((line) => line.includes('too expensive'))).toHaveLength(1);
});
