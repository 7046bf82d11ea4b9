import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { maxInlineLength } from '../../querying/language.ts';
import { jsonArray } from '../../search/page.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { events } from '../../telemetry/datasets/Events.ts';
import { recordLimits } from '../../telemetry/record-bounds.ts';
import { TestDetection } from '../../testing/detection.ts';

let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

const query = `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'StopLogging' }
  return { INSERT_ID, INSERT_TIME, EVENT_TIME, EVENT } }`;
const profile = { alertProfile: 'LW_CloudTrail_Alerts.CloudTrailDefaultAlert_AwsResource' };

let number = 0;
const call = (given: object = {}, at = place.clock.now()) => ({
  eventTime: new Date(at).toISOString(),
  eventID: `event-${++number}`,
  eventName: 'StopLogging',
  eventSource: 'cloudtrail.amazonaws.com',
  awsRegion: 'eu-central-1',
  recipientAccountId: '123456789012',
  sourceIPAddress: '203.0.113.7',
  userIdentity: {
    type: 'IAMUser',
    arn: 'arn:aws:iam::123456789012:user/eve',
    accountId: '123456789012',
    principalId: 'AIDAEVE',
    userName: 'eve',
  },
  ...given,
});

describe('a policy on an activity stream', () => {
  test('alerts within a second of new data, with text, entities and evidence', async () => {
    const policyId = await place.policy('trail', query, profile);
    await place.tick();
    const name = 'arn:aws:cloudtrail:eu-central-1:123456789012:trail/main';
    const requestParameters = { name, isMultiRegionTrail: false };
    await place.take(cloudTrailRawEvents, [
      call({ requestParameters }),
      call({ eventName: 'DescribeTrails' }),
    ]);
    await place.tick();
    const [alert, ...others] = await place.alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      ...{ id: 1, policy_id: policyId, alert_name: 'Title of trail', severity: 'High', status: 'Open' },
      ...{
        alert_type: 'CloudTrailDefaultAlert',
        violations: 1,
        window_start: Date.parse('2026-03-01T12:00Z'),
      },
    });
    expect(JSON.parse(alert?.alert_info ?? '')).toEqual({
      subject:
        'Title of trail: eve stopped trail main in account 123456789012 (eu-central-1) from 203.0.113.7',
      description: 'What trail looks for.\n\nWhat to do:\nMend it.',
      remediation: 'Mend it.',
    });
    expect(JSON.parse(alert?.derived_fields ?? '')).toEqual({
      ...{ category: 'Policy', sub_category: 'Cloud Activity', source: 'AWS' },
    });
    expect(JSON.parse(alert?.entity_map ?? '')).toEqual({
      CT_User: [
        {
          KEY: { account: '123456789012', mfa: 0, principalId: 'AIDAEVE', username: 'eve' },
          PROPS: { api_list: ['StopLogging'], region_list: ['eu-central-1'] },
        },
      ],
      API: [
        {
          KEY: { api: 'StopLogging', service: 'cloudtrail.amazonaws.com' },
          PROPS: { source_ip_address_list: ['203.0.113.7'], user_list: ['eve'] },
        },
      ],
      Region: [{ KEY: { region: 'eu-central-1' }, PROPS: { account_list: ['123456789012'] } }],
      SourceIpAddress: [{ KEY: { ip_addr: '203.0.113.7' }, PROPS: { api_list: ['StopLogging'] } }],
      Resource: [{ KEY: { name: 'name', value: name }, PROPS: {} }],
    });
    const happened = place.clock.now() - 2_000;
    expect(alert).toMatchObject({ first_event_at: happened, last_event_at: happened });
    const page = await place.telemetry.search(events, place.account, {
      range: { start: alert?.window_start ?? 0, end: (alert?.window_start ?? 0) + 3_600_000 },
      filters: [{ field: 'id', expression: 'eq', value: 1 }],
    } as never);
    expect(page.totalRows).toBe(1);
    expect(JSON.parse(jsonArray(page))[0]).toMatchObject({
      ...{ id: 1, startTime: '2026-03-01T12:00:00.000Z', endTime: '2026-03-01T13:00:00.000Z', eventCount: 1 },
      ...{ eventType: 'CloudTrailDefaultAlert', srcType: 'AwsResource' },
      srcEvent: {
        ...{ awsRegion: 'eu-central-1', eventName: 'StopLogging', username: 'eve', is_assumed_role: false },
        ...{ sourceIPAddress: '203.0.113.7', userIdentityType: 'IAMUser', event: { eventID: 'event-1' } },
        requestParameters,
      },
    });
    expect(await place.store.read.selectFrom('evidence').selectAll().execute()).toEqual([]);
  });

  test('keeps the evidence of events with the maximum depth and size of a record', async () => {
    await place.policy('trail', query, profile);
    await place.tick();
    const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
    const { depth, values } = recordLimits;
    await place.take(cloudTrailRawEvents, [
      call(),
      call({ requestParameters: nested(depth - 2) }),
      call({ requestParameters: { list: Array.from({ length: values - 50 }, () => 1) } }),
    ]);
    await place.tick();
    const [alert] = await place.alerts();
    const start = alert?.window_start ?? 0;
    const page = await place.telemetry.search(events, place.account, {
      ...{ range: { start, end: start + 3_600_000 }, filters: [] },
    } as never);
    expect(page.totalRows).toBe(3);
  });

  test('is evaluated after a long query was parsed off the event loop', async () => {
    const padded = query.replace(
      'StopLogging',
      `StopLogging' or EVENT_NAME = '${'x'.repeat(maxInlineLength)}`,
    );
    await place.policy('trail', padded, profile);
    await place.tick();
    await place.tick();
    await place.take(cloudTrailRawEvents, [call()]);
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ id: 1, violations: 1 }]);
    expect(await place.evaluations()).toMatchObject([{ failures: 0 }]);
  });

  test('alerts on each event once: later ones join the alert of the hour, another hour gets its own', async () => {
    await place.policy('trail', query, profile);
    await place.tick();
    await place.take(cloudTrailRawEvents, [call()]);
    await place.tick();
    for (let second = 0; second < 5; second++) await place.tick();
    expect(await place.alerts()).toMatchObject([{ id: 1, violations: 1 }]);
    await place.take(cloudTrailRawEvents, [call(), call()]);
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ id: 1, violations: 3 }]);
    place.clock.advance(3_600_000);
    await place.take(cloudTrailRawEvents, [call()]);
    await place.tick();
    expect(await place.alerts()).toMatchObject([
      { id: 1, violations: 3 },
      { id: 2, violations: 1 },
    ]);
    expect((await place.violations()).map(({ alert_id }) => alert_id).sort()).toEqual([1, 1, 1, 2]);
  });

  test('misses no late events, and none that arrived during downtime', async () => {
    await place.policy('trail', query, profile);
    await place.tick();
    await place.take(cloudTrailRawEvents, [call({}, place.clock.now() - 40 * 86_400_000)]);
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 1 }]);
    await place.scheduler.stop();
    await place.take(cloudTrailRawEvents, [call({}, place.clock.now() - 3 * 86_400_000)]);
    place.scheduler = place.another();
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 2 }]);
  });

  test('looks back one hour when it is new', async () => {
    await place.take(cloudTrailRawEvents, [
      call({}, place.clock.now() - 30 * 60_000),
      call({}, place.clock.now() - 90 * 60_000),
    ]);
    place.clock.advance(10_001);
    await place.policy('trail', query, profile);
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 1 }]);
    expect(await place.evaluations()).toMatchObject([{ sequence: 1, failures: 0 }]);
  });

  test('skips data that arrived before its query changed or while it was disabled', async () => {
    const policyId = await place.policy('trail', query, profile);
    await place.tick();
    await place.take(cloudTrailRawEvents, [call({ eventName: 'DeleteTrail' })]);
    await place.tick();
    await place.queries.change(place.actor, 'Q_trail', {
      queryText: query.replace('StopLogging', 'DeleteTrail'),
    });
    await place.tick();
    expect(await place.alerts()).toEqual([]);
    await place.take(cloudTrailRawEvents, [call({ eventName: 'DeleteTrail' })]);
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 1 }]);
    await place.policies.change(place.actor, place.scope, policyId, { enabled: false });
    await place.tick();
    expect(await place.evaluations()).toEqual([]);
    await place.take(cloudTrailRawEvents, [call({ eventName: 'DeleteTrail' })]);
    place.clock.advance(2 * 3_600_000);
    await place.policies.change(place.actor, place.scope, policyId, { enabled: true });
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 1 }]);
  });

  test('records violations while alerting is off, and does not alert on them later', async () => {
    const policyId = await place.policy('trail', query, { ...profile, alertEnabled: false });
    await place.tick();
    await place.take(cloudTrailRawEvents, [call()]);
    await place.tick();
    expect(await place.violations()).toMatchObject([{ alert_id: null }]);
    await place.policies.change(place.actor, place.scope, policyId, { alertEnabled: true });
    await place.tick();
    expect(await place.alerts()).toEqual([]);
    await place.take(cloudTrailRawEvents, [call()]);
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 1 }]);
  });

  test('raises one alert for ten thousand violations, which lists and stores its limit of them', async () => {
    await place.policy('trail', query, { ...profile, limit: 25 });
    await place.tick();
    await place.take(
      cloudTrailRawEvents,
      Array.from({ length: 10_000 }, (_, at) => call({ sourceIPAddress: `203.0.113.${at % 250}` })),
    );
    await place.tick();
    const [alert, ...others] = await place.alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ violations: 10_000, listed: 25 });
    expect(JSON.parse(alert?.entity_map ?? '').SourceIpAddress).toHaveLength(25);
    expect((await place.violations()).every(({ alert_id }) => alert_id === 1)).toBe(true);
    expect(await place.timeline()).toHaveLength(2);
    const { totalRows } = await place.telemetry.search(events, place.account, {
      range: { start: 0, end: place.clock.now() },
      filters: [],
    } as never);
    expect(totalRows).toBe(25);
  });

  test('forgets events after three days, and deleted policies with all their violations', async () => {
    const policyId = await place.policy('trail', query, profile);
    await place.tick();
    await place.take(cloudTrailRawEvents, [call()]);
    await place.tick();
    place.clock.advance(4 * 86_400_000);
    await place.take(cloudTrailRawEvents, [call({ eventName: 'Other' })]);
    await place.tick();
    expect(await place.violations()).toEqual([]);
    await place.policies.delete(place.actor, place.scope, policyId);
    expect(await place.evaluations()).toEqual([]);
    await place.tick();
    expect(place.scheduler.entries).toEqual([]);
  });

  test('leaves the engine to a backlog of its account for five seconds, and to those of others not at all', async () => {
    await place.policy('trail', query, profile);
    await place.tick();
    let backlogged = '';
    const telemetry = new Proxy(place.telemetry, {
      get(target, name) {
        if (name === 'waitingBatches') return async (account: string) => (account === backlogged ? 8 : 0);
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const scheduler = place.another({ telemetry });
    await place.tick(scheduler);
    for (const [account, ticks] of [
      ['OTHER', 1],
      [place.account, 3],
    ] as const) {
      backlogged = account;
      const before = (await place.violations()).length;
      await place.take(cloudTrailRawEvents, [call()]);
      const counts: number[] = [];
      // Each takes two seconds.
      for (let tick = 0; tick <= ticks; tick++) {
        await place.tick(scheduler);
        counts.push((await place.violations()).length - before);
      }
      expect([account, counts.indexOf(1)]).toEqual([account, ticks === 1 ? 0 : ticks]);
    }
    await scheduler.stop();
  });
});
