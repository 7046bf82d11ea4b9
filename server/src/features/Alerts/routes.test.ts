import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, sampleAlerts, sampleFinding, sampleViolation } from '../../alerts/alerts.sample.ts';
import type { Alerts } from '../../alerts/alerts.ts';
import type { Finding } from '../../alerts/finding.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let ownerId: string;
let alerts: Alerts;
let policies = 0;

beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
  ownerId = await ownerOf('local');
  alerts = sampleAlerts(service.store, service.clock);
});
afterAll(() => service.stop());

const ownerOf = async (name: string) =>
  (
    await service.store.read
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).id;
const iso = (moment: number) => new Date(moment).toISOString();
const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.ask(method, `/api/v2/Alerts${path}`, { token, body, headers });
const raise = async (rest: Partial<Finding> = {}, owner = ownerId) => {
  const finding = sampleFinding(owner, service.clock.now(), { policyId: `policy ${++policies}`, ...rest });
  return (await service.store.housekeeping((tx) => alerts.raise(tx, finding))).alertId;
};
const show = async (id: number, scope: string) => {
  const { status, body } = await ask('GET', `/${id}?scope=${scope}`);
  expect([scope, status, body.message]).toEqual([scope, 200, undefined]);
  return body.data;
};

describe('an alert', () => {
  test('is shown by list, search and details with every member as clients decode it', async () => {
    const id = await raise({ policyId: 'lacework-global-34' });
    const record = {
      alertId: id,
      alertName: 'Bucket is public',
      alertType: 'NewViolations',
      severity: 'High',
      status: 'Open',
      alertInfo: { subject: 'logs is public', description: 'Everybody can read it.' },
      alertSpec: { alertProfile: 'LW_CFG_AWS_DEFAULT_PROFILE', name: 'CFG_AWS_Violation' },
      startTime: iso(service.clock.now()),
      endTime: iso((Math.floor(service.clock.now() / hour) + 1) * hour),
      policyId: 'lacework-global-34',
      derivedFields: { category: 'Policy', sub_category: 'Compliance', source: 'AWS' },
      reachability: 'UnknownReachability',
    };
    const paging = { rows: 1, totalRows: 1, urls: { nextPage: null } };
    expect((await ask('GET', '')).body).toEqual({ paging, data: [record] });
    expect((await ask('POST', '/search', {})).body).toEqual({ paging, data: [record] });
    expect((await ask('POST', '/search')).body).toEqual({ paging, data: [record] });
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
    });
  });

  test('answers what one asks first from what is stored', async () => {
    const finding = { policyId: 'lacework-global-31', listed: [sampleViolation('investigated')] };
    const first = await raise(finding);
    const answers = async (id: number) =>
      (await show(id, 'Investigation')).map(({ answer }: { answer: string }) => answer);
    expect(await answers(first)).toEqual(['No', 'No', 'No', 'No', 'Yes', 'No', 'No', 'No']);
    await ask('POST', `/${first}/close`, { reason: 5, exception: 'create' });
    await raise({ listed: finding.listed });
    const second = await raise({ ...finding, total: 5 });
    expect(await show(second, 'Investigation')).toEqual([
      { question: 'Has this policy raised another alert in the 30 days before?', answer: 'Yes' },
      { question: expect.stringContaining('same entities'), answer: 'Yes' },
      { question: expect.stringContaining('closed as false positive'), answer: 'Yes' },
      { question: 'Does an exception to this policy hold now?', answer: 'Yes' },
      { question: 'Is the policy still enabled?', answer: 'Yes' },
      { question: 'Are violations that it tells of still there?', answer: 'No' },
      { question: 'Are there more violations than it lists?', answer: 'Yes' },
      { question: 'Does an alert rule send it somewhere?', answer: 'No' },
    ]);
  });

  test('shows its evidence with objects as texts and exact numbers', async () => {
    const id = await raise();
    const made = await service.ask('POST', '/api/v2/AgentAccessTokens', {
      token,
      body: { tokenAlias: 'evidence', tokenEnabled: 1 },
    });
    const windowStart = Math.floor(service.clock.now() / hour) * hour;
    const source =
      '{"awsRegion":"eu-west-1","sourceIPAddress":"192.0.2.1","mfa":true,"userIdentity":{"type":"Root"},"mid":9223372036854775807}';
    const event = (of: number) =>
      `{"id":${of},"startTime":"${iso(windowStart)}","endTime":"${iso(windowStart + hour)}","eventType":"x","srcType":"AwsResource","srcEvent":${source},"eventCount":1}`;
    const reply = await fetch(`${service.url}/ingest/v1/Events`, {
      method: 'POST',
      headers: { Authorization: made.body.data.accessToken, 'Content-Type': 'application/json' },
      body: `[${event(id)},${event(id + 1_000)}]`,
    });
    expect(reply.status).toBe(200);
    expect(await show(id, 'Events')).toEqual([
      {
        awsRegion: 'eu-west-1',
        sourceIpAddress: '192.0.2.1',
        mfa: 'true',
        userIdentity: '{"type":"Root"}',
        mid: '9223372036854775807',
        additionalEventInfo: '{}',
      },
    ]);
  });

  test('is related to alerts about the same things and of the same policy, the closest first', async () => {
    const both = ['shared-1', 'shared-2'].map((name) => sampleViolation(name));
    const samePolicy = await raise({ policyId: 'related', listed: [sampleViolation('elsewhere')] });
    service.clock.advance(hour);
    const twoShared = await raise({ listed: both });
    const oneShared = await raise({ listed: both.slice(1) });
    const id = await raise({ policyId: 'related', listed: both });
    const related = await show(id, 'RelatedAlerts');
    expect(related.map(({ eventId, rank }: { eventId: string; rank: number }) => [eventId, rank])).toEqual([
      [String(twoShared), 20],
      [String(oneShared), 10],
      [String(samePolicy), 5],
    ]);
    expect(related[0]).toEqual({
      eventId: String(twoShared),
      eventName: 'Bucket is public',
      eventType: 'NewViolations',
      severity: 'High',
      rank: 20,
      eventInfo: { subject: 'logs is public', description: 'Everybody can read it.' },
      startTime: iso(service.clock.now()),
      endTime: expect.any(String),
    });
  });

  test('shows where it went, in the names that clients know', async () => {
    const id = await raise();
    const [channel] = (await service.ask('GET', '/api/v2/AlertChannels', { token })).body.data;
    const now = service.clock.now();
    const delivery = {
      ...{ owner_id: ownerId, alert_id: id, channel_id: channel.intgGuid, message: '{}', created_at: now },
      ...{ due_at: now, updated_at: now },
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
          ENV_GUID: ownerId,
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

  test('has empty lists where there is nothing, and is missing where there is no alert', async () => {
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
      const missing = await ask('GET', path, undefined, headers);
      expect([path, missing.status, missing.body.message]).toEqual([path, 404, 'Not found']);
    }
    for (const query of ['', '?scope=details', '?scope=All']) {
      const refused = await ask('GET', `/${id}${query}`);
      expect([query, refused.status, refused.body.message]).toEqual([
        query,
        400,
        expect.stringContaining('scope'),
      ]);
      if (query) expect(refused.body.message).toContain('Details, Investigation, Events, RelatedAlerts');
    }
  });
});

describe('a comment', () => {
  test('is answered with its entry, goes on the timeline and changes no status', async () => {
    const id = await raise();
    const made = await ask('POST', `/${id}/comment`, { comment: '**look**', format: 'markdown' });
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.any(Number),
        alertId: id,
        entryType: 'Comment',
        entryAuthorType: 'UserUpdate',
        message: { value: '**look**', format: 'markdown' },
        externalTime: '0',
        createdTime: iso(service.clock.now()),
        user: { userGuid: expect.any(String), username: 'admin@local' },
        updateContext: {},
      },
    ]);
    expect((await show(id, 'Timeline')).at(-1)).toEqual(made.body.data);
    expect(await show(id, 'Details')).toMatchObject({
      status: 'Open',
      lastUserUpdatedTime: iso(service.clock.now()),
      lastUserUpdateTime: iso(service.clock.now()),
    });
    const audit = await service.ask('GET', '/api/v2/AuditLogs', { token });
    expect(audit.body.data[0]).toMatchObject({
      eventName: 'Alert Commented',
      eventDescription: `Alert Commented by admin@local: ${id} 'Bucket is public'`,
    });
  });

  test.each([
    [{}, 'comment'],
    [{ comment: '' }, 'comment'],
    [{ comment: 'x', format: 'html' }, 'format'],
  ])('%j is refused, naming %s', async (body, named) => {
    const id = await raise();
    const refused = await ask('POST', `/${id}/comment`, body);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(named)]);
  });

  test('may be without format, with an empty one, and on a closed alert', async () => {
    const id = await raise();
    expect((await ask('POST', `/${id}/close`, { reason: 2 })).status).toBe(204);
    expect((await ask('POST', `/${id}/comment`, { comment: 'x', format: '' })).status).toBe(201);
    expect((await ask('POST', `/${id}/comment`, { comment: 'y', format: null })).status).toBe(201);
    expect((await show(id, 'Details')).status).toBe('Closed');
    expect((await ask('POST', '/123456789101112/comment', { comment: 'x' })).status).toBe(404);
  });
});

describe('closing', () => {
  const byStatus = async (value: string) => {
    const filters = [{ field: 'status', expression: 'eq', value }];
    const { body } = await ask('POST', '/search', { filters, returns: ['alertId'] });
    return body.data.map(({ alertId }: { alertId: number }) => alertId);
  };

  test.each([0, 1, 2, 3, 4, 5])('with reason %i answers 204 and is found by its status', async (reason) => {
    const id = await raise();
    const closed = await ask('POST', `/${id}/close`, { reason, comment: 'because' });
    expect([closed.status, closed.text]).toEqual([204, '']);
    expect(await byStatus('Closed')).toContain(id);
    expect(await byStatus('Open')).not.toContain(id);
    expect((await show(id, 'Timeline')).at(-1)).toMatchObject({
      entryType: 'Closed',
      message: { value: expect.stringMatching(/^Closed: .*because$/) },
    });
    const again = await ask('POST', `/${id}/close`, { reason, comment: 'because' });
    expect([again.status, again.body.message]).toEqual([
      409,
      expect.stringMatching(/^The action on this alert is not allowed/),
    ]);
  });

  test.each([
    [{}, 'reason'],
    [{ reason: 6 }, 'reason'],
    [{ reason: -1 }, 'reason'],
    [{ reason: 1.5 }, 'reason'],
    [{ reason: 'x' }, 'reason'],
    [{ reason: 0 }, 'comment'],
    [{ reason: 0, comment: '  ' }, 'comment'],
    [{ reason: 1, exception: 'perhaps' }, 'exception'],
    [{ reason: 3, exception: 'propose' }, 'exception'],
  ])('with %j is refused, naming %s, and leaves it open', async (body, named) => {
    const id = await raise();
    const refused = await ask('POST', `/${id}/close`, body);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(named)]);
    expect((await show(id, 'Details')).status).toBe('Open');
  });

  test('of what is missing is 404', async () => {
    expect((await ask('POST', '/123456789101112/close', { reason: 1 })).status).toBe(404);
  });
});

describe('closing with an exception', () => {
  const policyId = 'lacework-global-73';
  const listed = ['a', 'b'].map((name) => sampleViolation(name));
  const constraints = [
    { fieldKey: 'accountIds', fieldValues: ['123456789012'] },
    { fieldKey: 'arns', fieldValues: ['arn:aws:s3:::a', 'arn:aws:s3:::b'] },
    { fieldKey: 'regionNames', fieldValues: ['eu-west-1'] },
    { fieldKey: 'resourceNames', fieldValues: ['a', 'b'] },
  ];
  const exceptions = async () =>
    (await service.ask('GET', `/api/v2/Exceptions?policyId=${policyId}`, { token })).body.data;

  test('proposes the narrowest constraints and counts what they would have hidden', async () => {
    await raise({ policyId, listed: listed.slice(1) });
    service.clock.advance(hour);
    await raise({ policyId, listed: [...listed, sampleViolation('c')] });
    service.clock.advance(hour);
    await raise({ policyId, listed, total: 3 });
    service.clock.advance(hour);
    const id = await raise({ policyId, listed });
    const closed = await ask('POST', `/${id}/close`, { reason: 1, exception: 'propose' });
    expect([closed.status, closed.body]).toEqual([200, { data: { constraints, wouldHide: 2 } }]);
    expect(await exceptions()).toEqual([]);
    expect((await show(id, 'Details')).status).toBe('Closed');
  });

  test('makes the exception together with the closing', async () => {
    service.clock.advance(hour);
    const id = await raise({ policyId, listed });
    const closed = await ask('POST', `/${id}/close`, { reason: 5, exception: 'create', comment: 'ours' });
    expect(closed.body.data).toEqual({
      constraints,
      wouldHide: 3,
      exception: {
        exceptionId: expect.stringMatching(/^LOCAL_/),
        policyId,
        description: `From alert ${id}, which was closed.`,
        constraints,
        active: true,
        lastUpdateTime: iso(service.clock.now()),
        lastUpdateUser: 'admin@local',
      },
    });
    const { exceptionId } = closed.body.data.exception;
    expect(await exceptions()).toEqual([closed.body.data.exception]);
    expect((await show(id, 'Timeline')).at(-1).message.value).toBe(
      `Closed: Expected behavior. Exception ${exceptionId} made. ours`,
    );
    const audit = await service.ask('GET', '/api/v2/AuditLogs', { token });
    expect(audit.body.data[0].eventDescription).toContain(exceptionId);
  });

  test('is refused where the policy offers nothing, and leaves the alert open', async () => {
    const id = await raise({ policyId: 'local-gone' });
    const refused = await ask('POST', `/${id}/close`, { reason: 4, exception: 'create' });
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('local-gone is gone'),
    ]);
    expect((await show(id, 'Details')).status).toBe('Open');
    const proposed = await ask('POST', `/${id}/close`, { reason: 4, exception: 'propose' });
    expect(proposed.body).toEqual({ data: { constraints: [], wouldHide: 0 } });
  });
});
