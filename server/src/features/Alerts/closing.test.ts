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

describe('a comment', () => {
  test('is returned as entry, added to the timeline and does not change the status', async () => {
    const id = await raise();
    // The audit log is ordered by time only, so the entries need different timestamps.
    service.clock.advance(1);
    const created = await request('POST', `/${id}/comment`, { comment: '**look**', format: 'markdown' });
    expect([created.status, created.body.data]).toEqual([
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
    expect((await show(id, 'Timeline')).at(-1)).toEqual(created.body.data);
    expect(await show(id, 'Details')).toMatchObject({
      status: 'Open',
      lastUserUpdatedTime: iso(service.clock.now()),
      lastUserUpdateTime: iso(service.clock.now()),
    });
    const audit = await service.request('GET', '/api/v2/AuditLogs', { token: alerts.token });
    expect(audit.body.data[0]).toMatchObject({
      eventName: 'Alert Commented',
      eventDescription: `Alert Commented by admin@local: ${id} 'Bucket is public'`,
    });
  });

  test.each([
    [{}, 'comment'],
    [{ comment: '' }, 'comment'],
    [{ comment: 'x', format: 'html' }, 'format'],
  ])('%j is rejected, naming %s', async (body, expectedName) => {
    const id = await raise();
    const rejected = await request('POST', `/${id}/comment`, body);
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(expectedName)]);
  });

  test('may have no format or an empty one, and is allowed on a closed alert', async () => {
    const id = await raise();
    expect((await request('POST', `/${id}/close`, { reason: 2 })).status).toBe(204);
    expect((await request('POST', `/${id}/comment`, { comment: 'x', format: '' })).status).toBe(201);
    expect((await request('POST', `/${id}/comment`, { comment: 'y', format: null })).status).toBe(201);
    expect((await show(id, 'Details')).status).toBe('Closed');
    expect((await request('POST', '/123456789101112/comment', { comment: 'x' })).status).toBe(404);
  });
});

describe('closing', () => {
  const byStatus = async (value: string) => {
    const filters = [{ field: 'status', expression: 'eq', value }];
    const { body } = await request('POST', '/search', { filters, returns: ['alertId'] });
    return body.data.map(({ alertId }: { alertId: number }) => alertId);
  };

  test.each([0, 1, 2, 3, 4, 5])(
    'with reason %i returns 204, and the alert is searchable by its status',
    async (reason) => {
      const id = await raise();
      const closed = await request('POST', `/${id}/close`, { reason, comment: 'because' });
      expect([closed.status, closed.text]).toEqual([204, '']);
      expect(await byStatus('Closed')).toContain(id);
      expect(await byStatus('Open')).not.toContain(id);
      expect((await show(id, 'Timeline')).at(-1)).toMatchObject({
        entryType: 'Closed',
        message: { value: expect.stringMatching(/^Closed: .*because$/) },
      });
      const again = await request('POST', `/${id}/close`, { reason, comment: 'because' });
      expect([again.status, again.body.message]).toEqual([
        409,
        expect.stringMatching(/^The action on this alert is not allowed/),
      ]);
    },
  );

  test.each([
    [{}, 'reason'],
    [{ reason: 6 }, 'reason must be 0 (Other) to 5 (Expected behavior), not 6.'],
    [{ reason: -1 }, 'reason'],
    [{ reason: 1.5 }, 'reason'],
    [{ reason: 'x' }, 'reason'],
    [{ reason: 0 }, 'comment'],
    [{ reason: 0, comment: '  ' }, 'comment'],
    [{ reason: 1, exception: 'perhaps' }, 'exception'],
    [{ reason: 3, exception: 'propose' }, 'exception'],
  ])('with %j is rejected, naming %s, and leaves the alert open', async (body, expectedName) => {
    const id = await raise();
    const rejected = await request('POST', `/${id}/close`, body);
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(expectedName)]);
    expect((await show(id, 'Details')).status).toBe('Open');
  });

  test('of an unknown alert is 404', async () => {
    expect((await request('POST', '/123456789101112/close', { reason: 1 })).status).toBe(404);
  });
});

describe('closing with an exception', () => {
  const policyId = 'lacework-global-73';
  const violations = ['a', 'b'].map((name) => sampleViolation(name));
  const constraints = [
    { fieldKey: 'accountIds', fieldValues: ['123456789012'] },
    { fieldKey: 'arns', fieldValues: ['arn:aws:s3:::a', 'arn:aws:s3:::b'] },
    { fieldKey: 'regionNames', fieldValues: ['eu-west-1'] },
    { fieldKey: 'resourceNames', fieldValues: ['a', 'b'] },
  ];
  const exceptions = async () =>
    (await service.request('GET', `/api/v2/Exceptions?policyId=${policyId}`, { token: alerts.token })).body
      .data;

  test('proposes the narrowest constraints and counts the alerts that they would have suppressed', async () => {
    await raise({ policyId, listed: violations.slice(1) });
    service.clock.advance(hour);
    await raise({ policyId, listed: [...violations, sampleViolation('c')] });
    service.clock.advance(hour);
    await raise({ policyId, listed: violations, total: 3 });
    service.clock.advance(hour);
    const id = await raise({ policyId, listed: violations });
    const closed = await request('POST', `/${id}/close`, { reason: 1, exception: 'propose' });
    expect([closed.status, closed.body]).toEqual([200, { data: { constraints, wouldHide: 2 } }]);
    expect(await exceptions()).toEqual([]);
    expect((await show(id, 'Details')).status).toBe('Closed');
  });

  test('creates the exception in the same transaction', async () => {
    service.clock.advance(hour);
    const id = await raise({ policyId, listed: violations });
    const closed = await request('POST', `/${id}/close`, { reason: 5, exception: 'create', comment: 'ours' });
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
      `Closed: Expected behavior. Exception ${exceptionId} created. ours`,
    );
    const audit = await service.request('GET', '/api/v2/AuditLogs', { token: alerts.token });
    expect(audit.body.data[0].eventDescription).toContain(exceptionId);
  });

  test('is rejected if the policy does not support exceptions, and leaves the alert open', async () => {
    const id = await raise({ policyId: 'local-gone' });
    const rejected = await request('POST', `/${id}/close`, { reason: 4, exception: 'create' });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      expect.stringContaining('local-gone no longer exists'),
    ]);
    expect((await show(id, 'Details')).status).toBe('Open');
    const proposed = await request('POST', `/${id}/close`, { reason: 4, exception: 'propose' });
    expect(proposed.body).toEqual({ data: { constraints: [], wouldHide: 0 } });
  });
});
