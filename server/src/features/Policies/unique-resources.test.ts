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
let count = 0;
const query = async (queryText: string): Promise<string> => {
  const created = await request('POST', 'Queries', { queryId: `Q_${++count}`, queryText });
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  return created.body.data.queryId;
};
const policy = (queryId: string) =>
  request('POST', 'Policies', {
    ...{ queryId, title: 'T', description: '', remediation: '', severity: 'low' },
    ...{ enabled: true, alertEnabled: false },
  });

const plain = '{ source { LW_HE_MACHINES } return { MID, HOSTNAME } }';
const accepted = [
  plain,
  '{ source { LW_HE_FILES f with LW_HE_MACHINES m } return { f.PATH, m.HOSTNAME } }',
  "{ source { LW_HE_MACHINES m with LW_HE_FILES f } filter { f.PATH = '/x' } return distinct { m.HOSTNAME } }",
  '{ source { LW_CFG_AWS_S3 b, array_to_rows(b.RESOURCE_CONFIG:Rules) as (r) } filter { r:On } return distinct { b.ARN as RESOURCE_KEY } }',
];
const invalid: readonly [text: string, message: RegExp][] = [
  [
    '{ source { LW_HE_MACHINES m with LW_HE_FILES f } return { m.HOSTNAME } }',
    /Line 1, column 59, .*`return distinct`/,
  ],
  [
    '{ source { LW_HE_MACHINES m with LW_HE_FILES f } return distinct { m.HOSTNAME, f.PATH } }',
    /Line 1, column 80, at f\.PATH: .*comes from f.*not return it/,
  ],
  [
    '{ source { LW_CFG_AWS_S3 b, array_to_rows(b.RESOURCE_CONFIG:Rules) as (r) } return distinct { b.ARN, r:Id as ID } }',
    /at r:Id as ID: .*comes from r/,
  ],
];

describe('a policy', () => {
  test.each(accepted)('accepts the query %s', async (text) => {
    expect((await policy(await query(text))).status).toBe(201);
  });

  test.each(invalid)(
    'rejects the query %s, which returns a resource several times',
    async (text, message) => {
      const queryId = await query(text);
      const rejected = await policy(queryId);
      expect([rejected.status, rejected.body.code]).toEqual([400, 'INVALID_QUERY']);
      expect(rejected.body.message).toMatch(message);
      expect(rejected.body.message).toContain(`queryId '${queryId}' can not be used by a policy: Line 1`);

      const { policyId } = (await policy(await query(plain))).body.data;
      const changed = await request('PATCH', `Policies/${policyId}`, { queryId });
      expect([changed.status, changed.body.message]).toEqual([400, rejected.body.message]);
      expect((await request('PATCH', `Policies/${policyId}`, { title: 'other' })).status).toBe(200);
    },
  );

  test('derives the exception keys from the first datasource, regardless of comments', async () => {
    const text = '-- source { LW_HE_FILES }\nunion { { source { LW_CFG_AZURE_ALL } return { URN } } }';
    const { exceptionConfiguration } = (await policy(await query(text))).body.data;
    const keys = exceptionConfiguration.constraintFields.map((field: { fieldKey: string }) => field.fieldKey);
    expect(keys).toContain('tenantIds');
  });

  test.each([
    ['LW_CFG_AWS_S3', 'ARN', ['accountIds', 'arns', 'regionNames', 'resourceNames', 'resourceTags']],
    ['LW_CFG_AWS_ALL', 'ARN', ['accountIds', 'arns', 'regionNames', 'resourceNames', 'resourceTags']],
    ['LW_CFG_AWS_IAM_USERS', 'ARN', ['accountIds', 'arns', 'resourceNames', 'resourceTags']],
    ['LW_CFG_AWS_IAM_LIST_ROLES', 'ARN', ['accountIds', 'arns', 'resourceNames', 'resourceTags']],
    ['LW_CFG_AWS_ROUTE53_HOSTED_ZONES', 'ARN', ['accountIds', 'arns', 'resourceNames', 'resourceTags']],
    ['LW_CFG_AZURE_USER', 'URN', ['regionNames', 'resourceNames', 'resourceTags']],
    [
      'CloudTrailRawEvents',
      'INSERT_ID',
      ['accountIds', 'arns', 'regionNames', 'resourceNames', 'resourceTags'],
    ],
    ['LW_HE_MACHINES', 'MID', ['resourceNames', 'resourceTags']],
  ])('on %s supports exceptions by the columns of its rows', async (datasource, column, expected) => {
    const text = `{ source { ${datasource} } return { ${column} } }`;
    const { exceptionConfiguration } = (await policy(await query(text))).body.data;
    const fields = exceptionConfiguration.constraintFields as { fieldKey: string }[];
    expect(fields.map(({ fieldKey }) => fieldKey)).toEqual(expected);
  });
});

describe('a query that a policy uses', () => {
  test.each(invalid)('cannot be changed to %s', async (text, message) => {
    const queryId = await query(plain);
    const { policyId } = (await policy(queryId)).body.data;
    const rejected = await request('PATCH', `Queries/${queryId}`, { queryText: text });
    expect([rejected.status, rejected.body.code]).toEqual([409, 'CONFLICT']);
    expect(rejected.body.message).toMatch(message);
    expect(rejected.body.message).toContain(`Query id ${queryId} is used by ${policyId}`);
    expect((await request('GET', `Queries/${queryId}`)).body.data.queryText).toBe(plain);

    expect((await request('PATCH', `Queries/${queryId}`, { queryText: accepted[1] })).status).toBe(200);
    await request('DELETE', `Policies/${policyId}`);
    expect((await request('PATCH', `Queries/${queryId}`, { queryText: text })).status).toBe(200);
  });

  test('and its policy remain consistent under concurrent updates', async () => {
    const [text] = invalid[0] ?? [''];
    for (let round = 0; round < 10; round++) {
      const queryId = await query(plain);
      const [created, changed] = await Promise.all([
        policy(queryId),
        request('PATCH', `Queries/${queryId}`, { queryText: text }),
      ]);
      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual([created.status, changed.status]);
    }
  });
});
