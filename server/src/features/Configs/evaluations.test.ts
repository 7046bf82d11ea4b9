import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsAccount, collectedAccount, evaluated, passwordPolicy } from '../../testing/posture.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  await service.accounts.create('other');
  token = await service.token();
  await collectedAccount(service);
  await evaluated(service, token, 'NonCompliant');
});
afterAll(() => service.stop());

const search = (body: object, account = 'local') =>
  service.request('POST', '/api/v2/Configs/ComplianceEvaluations/search', {
    ...{ token, body, headers: { 'Account-Name': account } },
  });
const eq = (field: string, value: string) => ({ field, expression: 'eq', value });
const dataset = 'AwsCompliance';

describe('POST /Configs/ComplianceEvaluations/search', () => {
  test('returns the evaluation of a resource with all its members', async () => {
    const { status, body } = await search({ dataset, filters: [eq('id', passwordPolicy)] });
    expect(status).toBe(200);
    expect(body.paging).toMatchObject({ rows: 1, totalRows: 1 });
    expect(body.data).toEqual([
      {
        account: { AccountId: awsAccount, Account_Alias: 'shop' },
        ...{ evalType: 'LW_SA', id: passwordPolicy, reason: 'MinimumPasswordLengthTooShort' },
        ...{ recommendation: 'IAM password policy allows short passwords', region: 'aws-global' },
        ...{ resource: awsAccount, section: 'iam', severity: 'Medium', status: 'NonCompliant' },
        ...{ reportTime: expect.stringMatching(/Z$/), since: expect.stringMatching(/Z$/) },
      },
    ]);
  });

  test('says of what was denied that it could not be assessed', async () => {
    const { body } = await search({ dataset, filters: [eq('status', 'CouldNotAssess')] });
    const reasons = new Set(body.data.map(({ reason }: { reason: string }) => reason));
    expect([...reasons].join()).toContain('AccessDenied: iam:ListPolicies');
  });

  test.each([
    ['id', passwordPolicy],
    ['resource', awsAccount],
    ['status', 'NonCompliant'],
    ['severity', 'Medium'],
    ['section', 'iam'],
    ['reason', 'MinimumPasswordLengthTooShort'],
    ['recommendation', 'IAM password policy allows short passwords'],
    ['region', 'aws-global'],
    ['evalType', 'LW_SA'],
    ['account.AccountId', awsAccount],
    ['account.Account_Alias', 'shop'],
  ])('filters by %s', async (field, value) => {
    const only = eq('id', passwordPolicy);
    expect((await search({ dataset, filters: [only, eq(field, value)] })).body.data).toHaveLength(1);
    const none = await search({ dataset, filters: [only, { ...eq(field, value), expression: 'ne' }] });
    expect(none.body?.data ?? []).toEqual([]);
  });

  test('searches ninety days, in windows, and returns the members asked for', async () => {
    const now = service.clock.now();
    const day = 86_400_000;
    const window = (daysAgo: number) => ({
      startTime: new Date(now - (daysAgo + 7) * day).toISOString(),
      endTime: new Date(now - daysAgo * day).toISOString(),
    });
    const filters = [eq('resource', awsAccount), eq('id', passwordPolicy)];
    const found = await search({ dataset, timeFilter: window(0), filters, returns: ['status', 'resource'] });
    expect(found.body.data).toEqual([{ status: 'NonCompliant', resource: awsAccount }]);
    for (const daysAgo of [7, 84, 85]) {
      const { status, body } = await search({ dataset, timeFilter: window(daysAgo), filters });
      expect([status, body?.data ?? []]).toEqual([expect.any(Number), []]);
      expect(status).toBeLessThan(300);
    }
  });

  test('does not show evaluations of other accounts or clouds', async () => {
    expect((await search({ dataset }, 'other')).body?.data ?? []).toEqual([]);
    for (const other of ['AzureCompliance', 'GcpCompliance', 'K8sCompliance'])
      expect((await search({ dataset: other })).body?.data ?? []).toEqual([]);
  });

  test.each([
    [{}, 'dataset is required'],
    [{ dataset: 'OciCompliance' }, 'dataset must be one of'],
    [{ dataset, filters: [eq('colour', 'red')] }, 'colour'],
  ])('refuses %j', async (body, message) => {
    const answer = await search(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });
});
