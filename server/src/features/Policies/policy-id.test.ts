import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });
const minimalPolicy = {
  ...{ queryId: 'LW_Global_AWS_CTA_AccessKeyDeleted', title: 'Keys', description: '', remediation: '' },
  ...{ severity: 'high', enabled: true, alertEnabled: true },
};
const create = async (rest: object = {}) => {
  const created = await request('POST', 'Policies', { ...minimalPolicy, ...rest });
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  return created.body.data;
};

describe('the id of a policy', () => {
  test.each([
    ['$account-clitest-1', 'local-clitest-1'],
    ['tftest-2', 'local-tftest-2'],
    ['bare', 'local-bare'],
    ['local-whole-3', 'local-whole-3'],
    ['local', 'local-local'],
    ['local-12345678', 'local-local-12345678'],
    ['defaults', 'local-defaults'],
  ])('sent as %s is %s', async (policyId, expected) => {
    const created = await create({ policyId });
    expect(created.policyId).toBe(expected);
    const again = await request('POST', 'Policies', { ...minimalPolicy, policyId });
    expect([again.status, again.body.message]).toEqual([
      409,
      `policyId ${expected} already exists: choose another one.`,
    ]);
  });

  test.each([
    '$account-default',
    '$account-default-9',
    'default',
    'default-1',
    'local-default',
    'local-default-99999',
    '$account-',
    '$account-Upper',
    'abcdefghijklmnopq',
    'abc-123456789',
    'other-account-1',
    'lacework-global-900',
    'a_b',
    '1',
  ])('cannot be %s', async (policyId) => {
    const rejected = await request('POST', 'Policies', { ...minimalPolicy, policyId });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      expect.stringContaining(`policyId '${policyId}' is not valid`),
    ]);
  });

  test('may begin with $account in paths, also percent-encoded', async () => {
    const created = await create({ policyId: 'inpaths-1' });
    for (const id of ['$account-inpaths-1', '%24account-inpaths-1']) {
      expect((await request('GET', `Policies/${id}`)).body).toEqual({ data: created });
    }
    const changed = await request('PATCH', 'Policies/%24account-inpaths-1', { severity: 'low' });
    expect(changed.body.data).toMatchObject({ policyId: 'local-inpaths-1', severity: 'low' });
    expect((await request('DELETE', 'Policies/%24account-inpaths-1')).status).toBe(204);
  });

  test('is assigned once, by number or by name, also under concurrency', async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => create()));
    expect(new Set(created.map(({ policyId }) => policyId)).size).toBe(8);
    const withSameName = await Promise.all(
      [1, 2, 3].map(() => request('POST', 'Policies', { ...minimalPolicy, policyId: 'race' })),
    );
    expect(withSameName.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('is not reused after its policy is deleted', async () => {
    const { policyId } = await create();
    await request('DELETE', `Policies/${policyId}`);
    expect((await create()).policyId).not.toBe(policyId);
  });

  test('belongs to the selected account', async () => {
    await service.accounts.create('second');
    const headers = { 'Account-Name': 'second' };
    await request(
      'POST',
      'Queries',
      { queryId: 'Q_theirs', queryText: '{ source { LW_HE_FILES } return { PATH } }' },
      headers,
    );
    const created = await request(
      'POST',
      'Policies',
      { ...minimalPolicy, queryId: 'Q_theirs', policyId: '$account-x' },
      headers,
    );
    expect(created.body.data.policyId).toBe('second-x');
    expect((await request('GET', 'Policies/$account-x', undefined, headers)).body.data.policyId).toBe(
      'second-x',
    );
    expect((await request('GET', 'Policies/second-x')).status).toBe(404);
    const withForeignQuery = await request('POST', 'Policies', { ...minimalPolicy, queryId: 'Q_theirs' });
    expect([withForeignQuery.status, withForeignQuery.body.message]).toEqual([
      400,
      expect.stringContaining("queryId 'Q_theirs'"),
    ]);
  });
});
