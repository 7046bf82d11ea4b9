import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, sampleViolation } from '../../alerts/alerts.sample.ts';
import { TestAlerts } from '../../testing/alerts.ts';
import type { TestService } from '../../testing/service.ts';

let alerts: TestAlerts;
let service: TestService;
beforeAll(async () => {
  alerts = await TestAlerts.start();
  service = alerts.service;
});
afterAll(() => alerts.stop());

const iso = (instant: number) => new Date(instant).toISOString();
const request = (...args: Parameters<TestAlerts['request']>) => alerts.request(...args);
const raise = (...args: Parameters<TestAlerts['raise']>) => alerts.raise(...args);
const show = (...args: Parameters<TestAlerts['show']>) => alerts.show(...args);

describe('an alert', () => {
  test('has all members that clients decode in list, search and details', async () => {
    const id = await raise({ policyId: 'lacework-global-34' });
    const record = {
      alertId: id,
      alertName: 'Bucket is public',
      alertType: 'NewViolations',
      severity: 'High',
      status: 'Open',
      alertInfo: {
        ...{ subject: 'logs is public', description: 'Anyone can read it.' },
        remediation: '1. Block public access.',
      },
      alertSpec: { alertProfile: 'LW_CFG_AWS_DEFAULT_PROFILE', name: 'CFG_AWS_Violation' },
      startTime: iso(service.clock.now()),
      endTime: iso(service.clock.now()),
      policyId: 'lacework-global-34',
      derivedFields: { category: 'Policy', sub_category: 'Compliance', source: 'AWS' },
      reachability: 'UnknownReachability',
    };
    const paging = { rows: 1, totalRows: 1, urls: { nextPage: null } };
    expect((await request('GET', '')).body).toEqual({ paging, data: [record] });
    expect((await request('POST', '/search', {})).body).toEqual({ paging, data: [record] });
    expect((await request('POST', '/search')).body).toEqual({ paging, data: [record] });
    expect(await show(id, 'Details')).toEqual({
      ...record,
      entityMap: {
        Resource: [
          {
            KEY: { name: 's3:bucket', value: 'arn:aws:s3:::logs' },
            PROPS: { region: 'eu-west-1' },
          },
        ],
      },
      violationCount: 1,
      listedViolationCount: 1,
    });
  });

  test('answers the triage questions from stored data', async () => {
    const violation = { policyId: 'lacework-global-31', listed: [sampleViolation('investigated')] };
    const first = await raise(violation);
    const responses = async (id: number) =>
      (await show(id, 'Investigation')).map(({ answer: response }: { answer: string }) => response);
    expect(await responses(first)).toEqual(['No', 'No', 'No', 'No']);
    await request('POST', `/${first}/close`, { reason: 5, exception: 'create' });
    await raise({ listed: violation.listed });
    const second = await raise({ ...violation, total: 5 });
    expect(await show(second, 'Investigation')).toEqual([
      { question: 'Are any of its violations still open?', answer: 'No' },
      { question: 'Has this policy raised another alert in the 30 days before?', answer: 'Yes' },
      { question: expect.stringContaining('same entities'), answer: 'Yes' },
      { question: expect.stringContaining('closed as false positive'), answer: 'Yes' },
    ]);
  });

  test('returns its evidence with objects as strings and exact numbers', async () => {
    const id = await raise();
    const created = await service.request('POST', '/api/v2/AgentAccessTokens', {
      token: alerts.token,
      body: { tokenAlias: 'evidence', tokenEnabled: 1 },
    });
    const windowStart = Math.floor(service.clock.now() / hour) * hour;
    const source =
      '{"awsRegion":"eu-west-1","sourceIPAddress":"192.0.2.1","mfa":true,"userIdentity":{"type":"Root"},"event":{"eventName":"StopLogging"},"mid":9223372036854775807}';
    const event = (of: number) =>
      `{"id":${of},"startTime":"${iso(windowStart)}","endTime":"${iso(windowStart + hour)}","eventType":"x","srcType":"AwsResource","srcEvent":${source},"eventCount":1}`;
    const reply = await fetch(`${service.url}/ingest/v1/Events`, {
      method: 'POST',
      headers: { Authorization: created.body.data.accessToken, 'Content-Type': 'application/json' },
      body: `[${event(id)},${event(id + 1_000)}]`,
    });
    expect(reply.status).toBe(200);
    expect(await show(id, 'Events')).toEqual([
      {
        awsRegion: 'eu-west-1',
        sourceIpAddress: '192.0.2.1',
        mfa: 'true',
        userIdentity: '{"type":"Root"}',
        event: { eventName: 'StopLogging' },
        mid: '9223372036854775807',
        additionalEventInfo: '{}',
      },
    ]);
  });

  test('is related to alerts with the same entities and of the same policy, most similar first', async () => {
    const both = ['shared-1', 'shared-2'].map((name) => sampleViolation(name));
    const samePolicy = await raise({ policyId: 'related', listed: [sampleViolation('elsewhere')] });
    service.clock.advance(hour);
    const twoEntitiesShared = await raise({ listed: both });
    const oneEntityShared = await raise({ listed: both.slice(1) });
    const id = await raise({ policyId: 'related', listed: both });
    const related = await show(id, 'RelatedAlerts');
    expect(related.map(({ eventId, rank }: { eventId: string; rank: number }) => [eventId, rank])).toEqual([
      [String(twoEntitiesShared), 20],
      [String(oneEntityShared), 10],
      [String(samePolicy), 5],
    ]);
    expect(related[0]).toEqual({
      eventId: String(twoEntitiesShared),
      eventName: 'Bucket is public',
      eventType: 'NewViolations',
      severity: 'High',
      rank: 20,
      eventInfo: { subject: 'logs is public', description: 'Anyone can read it.' },
      startTime: iso(service.clock.now()),
      endTime: expect.any(String),
    });
  });

  test('lists its deliveries, with the member names of clients', async () => {
    const id = await raise();
    const [channel] = (await service.request('GET', '/api/v2/AlertChannels', { token: alerts.token })).body
      .data;
    const now = service.clock.now();
    const delivery = {
      ...{
        owner_id: alerts.ownerId,
        alert_id: id,
        channel_id: channel.intgGuid,
        message: '{}',
        created_at: now,
      },
      ...{ due_at: now, updated_at: now, window_start: 0 },
    };
    await service.store.housekeeping((tx) =>
      tx
        .insertInto('deliveries')
        .values([
          {
            ...{ ...delivery, id: 'd1', occasion: 'opened', state: 'delivered', attempts: 1 },
            ...{ problem: null, external: '{"id":"K-1","link":"https://example.com/K-1"}' },
          },
          {
            ...{ ...delivery, id: 'd2', channel_id: 'gone', occasion: 'closed', state: 'dead', attempts: 9 },
            ...{ problem: 'status 500', external: null },
          },
        ])
        .execute(),
    );
    expect(await show(id, 'Integrations')).toEqual([
      {
        alertIntegrationId: 'd1',
        alertId: id,
        integrationType: 'EMAILUSER',
        intgGuid: channel.intgGuid,
        lastSyncTime: iso(now),
        status: 'Success',
        alertIntegrationStatus: '1 attempt',
        isBidirectional: false,
        integrationContext: { id: 'K-1', link: 'https://example.com/K-1' },
        alertChannel: {
          INTG_GUID: channel.intgGuid,
          NAME: channel.name,
          TYPE: 'EmailUser',
          TYPE_NAME: 'EmailUser',
          ENV_GUID: alerts.ownerId,
          CREATED_OR_UPDATED_TIME: channel.createdOrUpdatedTime,
          CREATED_OR_UPDATED_BY: channel.createdOrUpdatedBy,
          ENABLED: 1,
          IS_ORG: 0,
          STATE: {
            ok: expect.any(Boolean),
            lastUpdatedTime: expect.any(Number),
            lastSuccessfulTime: expect.any(Number),
            details: expect.any(Object),
          },
          DATA: {},
        },
      },
      {
        alertIntegrationId: 'd2',
        alertId: id,
        integrationType: '',
        intgGuid: 'gone',
        lastSyncTime: iso(now),
        status: 'Failed',
        alertIntegrationStatus: '9 attempts: status 500',
        isBidirectional: false,
        integrationContext: { id: '', link: '' },
      },
    ]);
  });

  test('has empty arrays if there is nothing to return, and is 404 if the alert does not exist', async () => {
    const id = await raise({ listed: [sampleViolation('lonely')] });
    for (const scope of ['Events', 'RelatedAlerts', 'Integrations', 'ObservationTimeline']) {
      expect([scope, await show(id, scope)]).toEqual([scope, []]);
    }
    await service.accounts.create('foreign');
    for (const [path, headers] of [
      ['/123456789101112?scope=Details', {}],
      ['/9223372036854775808?scope=Details', {}],
      ['/sample?scope=Timeline', {}],
      [`/${id}?scope=Details`, { 'Account-Name': 'foreign' }],
    ] as const) {
      const missing = await request('GET', path, undefined, headers);
      expect([path, missing.status, missing.body.message]).toEqual([
        path,
        404,
        expect.stringMatching(/^Not found: alert '.+'\.$/),
      ]);
    }
    for (const query of ['', '?scope=details', '?scope=All']) {
      const rejected = await request('GET', `/${id}${query}`);
      expect([query, rejected.status, rejected.body.message]).toEqual([
        query,
        400,
        expect.stringContaining('scope'),
      ]);
      if (query) expect(rejected.body.message).toContain('Details, Investigation, Events, RelatedAlerts');
    }
  });
});
