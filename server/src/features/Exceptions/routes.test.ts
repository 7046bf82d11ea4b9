import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });
const policy = 'lacework-global-34';
const of = (policyId: string, id = '') => `Exceptions${id && `/${id}`}?policyId=${policyId}`;
const accounts = { fieldKey: 'accountIds', fieldValues: ['123456789012', '*'] };
const create = async (rest: object = {}, policyId = policy) => {
  const created = await request('POST', of(policyId), {
    description: 'why',
    constraints: [accounts],
    ...rest,
  });
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  return created.body.data;
};
const now = () => new Date(service.clock.now()).toISOString();

describe('an exception', () => {
  test('is returned as it was sent, with tags in the format of the client', async () => {
    const constraints = [
      accounts,
      {
        fieldKey: 'resourceTags',
        fieldValues: [{ key: 'env', value: 'dev' }, { key: 'team', value: ['a', 'b'] }, '*'],
      },
    ];
    const created = await create({ constraints });
    expect(created).toEqual({
      exceptionId: expect.stringMatching(/^LOCAL_[A-Z0-9]{47}$/),
      policyId: policy,
      description: 'why',
      constraints,
      active: true,
      lastUpdateTime: now(),
      lastUpdateUser: 'admin@local',
    });
    expect((await request('GET', of(policy, created.exceptionId))).body).toEqual({ data: created });
    expect((await request('GET', of(policy))).body.data).toContainEqual(created);
    expect((await request('DELETE', of(policy, created.exceptionId))).status).toBe(204);
    expect((await request('GET', of(policy, created.exceptionId))).status).toBe(404);
    const again = await request('POST', of(policy), created);
    expect([again.status, again.body.data]).toEqual([
      201,
      { ...created, exceptionId: again.body.data.exceptionId },
    ]);
  });

  test('is rejected for an invalid key, naming the key, the policy and the valid keys', async () => {
    const rejected = await request('POST', of(policy), {
      constraints: [accounts, { fieldKey: 'hosts', fieldValues: ['a'] }],
    });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      'fieldKey: hosts is not applicable to policy lacework-global-34. ' +
        'Valid fieldKey are [accountIds, arns, resourceNames, resourceTags]',
    ]);
    const constraints = [{ fieldKey: 'invalid', fieldValues: ['*'] }];
    const { body } = await request('POST', of('lacework-global-39'), { constraints });
    expect(body.message).toBe(
      'fieldKey: invalid is not applicable to policy lacework-global-39. Valid fieldKey are [accountIds, arns, resourceNames, resourceTags]',
    );
  });

  test('keeps a key that its policy no longer supports, also after updates, but accepts no new one', async () => {
    const region = { fieldKey: 'regionNames', fieldValues: ['us-east-1'] };
    const rejected = await request('POST', of(policy), { constraints: [region] });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      expect.stringMatching(/^fieldKey: regionNames is not applicable to policy lacework-global-34\./),
    ]);
    // In the format of an earlier release.
    const { exceptionId } = await create();
    await service.store.housekeeping((tx) =>
      tx
        .updateTable('policy_exceptions')
        .set({ constraints: JSON.stringify([region]) })
        .where('id', '=', exceptionId)
        .execute(),
    );
    const path = of(policy, exceptionId);
    expect((await request('GET', path)).body.data.constraints).toEqual([region]);
    const wider = [{ ...region, fieldValues: ['us-east-1', 'eu-*'] }, accounts];
    const changed = await request('PATCH', path, { description: 'wider', constraints: wider });
    expect([changed.status, changed.body.data.constraints]).toEqual([200, wider]);
    const other = await request('PATCH', path, {
      constraints: [{ fieldKey: 'projectIds', fieldValues: ['p'] }],
    });
    expect([other.status, other.body.message]).toEqual([
      400,
      expect.stringContaining('fieldKey: projectIds'),
    ]);
    expect((await request('PATCH', path, { constraints: [accounts] })).status).toBe(200);
    expect((await request('PATCH', path, { constraints: [region] })).status).toBe(400);
    expect((await request('DELETE', path)).status).toBe(204);
  });

  test.each([
    [undefined, 'constraints is required'],
    [[], 'constraints must have at least one of [accountIds, arns'],
    [[{ fieldKey: 'accountIds' }], 'constraints[0].fieldValues is required'],
    [[{ fieldKey: 'accountIds', fieldValues: [] }], 'constraints[0].fieldValues'],
    [[{ fieldKey: 'accountIds', fieldValues: [7] }], 'constraints[0].fieldValues[0]'],
    [
      [{ fieldKey: 'accountIds', fieldValues: ['1', { key: 'a', value: 'b' }] }],
      'constraints[0].fieldValues[1] must be a string for accountIds',
    ],
    [
      [{ fieldKey: 'resourceTags', fieldValues: ['a'] }],
      'constraints[0].fieldValues[0] must be an object with key and value, or * for resourceTags',
    ],
  ])('is rejected with the constraints %j', async (constraints, message) => {
    const rejected = await request('POST', of(policy), { description: 'd', constraints });
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('requires its own policy in every request', async () => {
    const { exceptionId } = await create();
    for (const [method, path] of [
      ['GET', 'Exceptions'],
      ['POST', 'Exceptions'],
      ['GET', `Exceptions/${exceptionId}`],
      ['PATCH', `Exceptions/${exceptionId}`],
      ['DELETE', `Exceptions/${exceptionId}`],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { constraints: [accounts] };
      const without = await request(method, path, body);
      expect([without.status, without.body.message]).toEqual([
        400,
        expect.stringContaining('policyId is required'),
      ]);
      const unknown = await request(method, `${path}?policyId=local-none`, body);
      expect(unknown.status).toBe(404);
      if (path.includes('/'))
        expect((await request(method, `${path}?policyId=lacework-global-46`, body)).status).toBe(404);
    }
    expect((await request('GET', of('lacework-global-46'))).body.data).toEqual([]);
  });

  test('is updated member by member, also concurrently', async () => {
    const created = await create();
    const path = of(policy, created.exceptionId);
    const constraints = [{ fieldKey: 'arns', fieldValues: ['arn:aws:iam::123456789012:root'] }];
    const expiresAt = '2099-01-01T00:00:00.000Z';
    await Promise.all(
      [{ description: 'because' }, { constraints }, { expiresAt }].map((body) =>
        request('PATCH', path, body),
      ),
    );
    const changed = (await request('GET', path)).body.data;
    expect(changed).toEqual({ ...created, description: 'because', constraints, expiresAt });
    const same = await request('PATCH', path, { description: null, constraints: null, exceptionId: 'x' });
    expect([same.status, same.body.data]).toEqual([200, changed]);
    const rejected = await request('PATCH', path, {
      constraints: [{ fieldKey: 'hosts', fieldValues: ['a'] }],
    });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      expect.stringContaining('fieldKey: hosts'),
    ]);
  });

  test('no longer applies after expiry; the expiry can be changed and removed', async () => {
    const later = (milliseconds: number) => new Date(service.clock.now() + milliseconds).toISOString();
    const created = await create({ expiresAt: later(60_000) });
    const path = of(policy, created.exceptionId);
    expect(created).toMatchObject({ expiresAt: later(60_000), active: true });
    service.clock.advance(59_999);
    expect((await request('GET', path)).body.data.active).toBe(true);
    service.clock.advance(1);
    const expired = (await request('GET', path)).body.data;
    expect(expired.active).toBe(false);
    const described = (await request('PATCH', path, { ...expired, description: 'was needed once' })).body
      .data;
    expect(described).toEqual({
      ...{ ...expired, description: 'was needed once' },
      lastUpdateTime: described.lastUpdateTime,
    });
    expect((await request('PATCH', path, { expiresAt: later(1) })).body.data.active).toBe(true);
    const permanent = (await request('PATCH', path, { expiresAt: null })).body.data;
    expect(permanent.active).toBe(true);
    expect(permanent).not.toHaveProperty('expiresAt');
    for (const [expiresAt, message] of [
      [later(0), 'expiresAt is in the past'],
      ['tomorrow', 'is not a timestamp'],
    ]) {
      const rejected = await request('PATCH', path, { expiresAt });
      expect([rejected.status, rejected.body.message]).toEqual([
        400,
        expect.stringContaining(message as string),
      ]);
    }
  });

  test('is searchable within its policy', async () => {
    const { exceptionId } = await create({ description: 'needle' });
    const { body } = await request('POST', `Exceptions/search?policyId=${policy}`, {
      filters: [
        { field: 'description', expression: 'eq', value: 'needle' },
        { field: 'constraints[0].fieldKey', expression: 'eq', value: 'accountIds' },
      ],
      returns: ['exceptionId'],
    });
    expect(body.data).toEqual([{ exceptionId }]);
  });

  test('is deleted with its policy, and the policy id may contain $account', async () => {
    const { body } = await request('POST', 'Policies', {
      ...{ policyId: 'excepted', queryId: 'LW_Global_AWS_CTA_AccessKeyDeleted', title: 'T', description: '' },
      ...{ remediation: '', severity: 'low', enabled: true, alertEnabled: false },
    });
    const { exceptionId, policyId } = await create({}, '%24account-excepted');
    expect(policyId).toBe(body.data.policyId);
    expect((await request('GET', of('$account-excepted', exceptionId))).body.data.policyId).toBe(
      'local-excepted',
    );
    expect((await request('DELETE', `Policies/${policyId}`)).status).toBe(204);
    expect((await request('GET', of(policyId))).status).toBe(404);
    const remaining = await service.store.read
      .selectFrom('policy_exceptions')
      .select('id')
      .where('policy_id', '=', policyId)
      .execute();
    expect(remaining).toEqual([]);
  });

  test('is in the audit log with the changed members', async () => {
    const { exceptionId } = await create();
    await request('PATCH', of(policy, exceptionId), { description: 'other' });
    await request('DELETE', of(policy, exceptionId));
    const { data } = (await request('GET', 'AuditLogs')).body;
    const entries = data
      .map(({ eventDescription }: { eventDescription: string }) => eventDescription)
      .filter((entry: string) => entry.includes(exceptionId));
    expect(entries.map((entry: string) => entry.split(' by ')[0]).sort()).toEqual([
      'Policy Exception Created',
      'Policy Exception Deleted',
      'Policy Exception Updated',
    ]);
    expect(entries).toContain(
      `Policy Exception Updated by admin@local: ${exceptionId} to lacework-global-34: description`,
    );
  });
});
