import { vi } from 'vitest';
import { TestCollector } from './collector.ts';
import type { TestService } from './service.ts';

export const awsAccount = '123456789012';
export const passwordPolicy = 'lacework-global-39';
const root = `arn:aws:iam::${awsAccount}:root`;
const ofAccount = { key: root, resourceId: awsAccount, resourceRegion: 'aws-global', accountAlias: 'shop' };

/** An AWS account that was collected: its passwords are short, its root user has no key, and its policies were denied. */
export async function collectedAccount(
  service: TestService,
  account = 'local',
  { passwordLength = 8 }: { readonly passwordLength?: number } = {},
): Promise<void> {
  const collector = await TestCollector.of(service, account);
  const scope = { region: 'aws-global', started: service.clock.now() };
  const send = async (kind: string, config: object) => {
    const resources = [{ ...ofAccount, resourceType: kind, config }];
    const { status, text } = await collector.snapshot({ ...scope, kind, resources });
    if (status !== 200) throw new Error(text);
  };
  await send('LW_CFG_AWS_IAM_ACCOUNT_PASSWORD_POLICY', { MinimumPasswordLength: passwordLength });
  await send('LW_CFG_AWS_IAM_ACCOUNT_SUMMARY', { AccountAccessKeysPresent: 0 });
  const denied = 'AccessDenied%3A%20iam%3AListPolicies';
  const { status, text } = await collector.send({
    ...{ ...scope, kind: 'LW_CFG_AWS_IAM_POLICIES' },
    query: `&status=denied&ended=${scope.started}&parts=0&reason=${denied}`,
  });
  if (status !== 200) throw new Error(text);
}

/** Waits until the policy about passwords has this status; new resources are left to settle for a while. */
export async function evaluated(
  service: TestService,
  token: string,
  expected: string,
  account = 'local',
): Promise<void> {
  const find = async () => {
    service.clock.advance(2_000);
    const { body } = await service.request('POST', '/api/v2/Configs/ComplianceEvaluations/search', {
      token,
      body: { dataset: 'AwsCompliance', filters: [{ field: 'id', expression: 'eq', value: passwordPolicy }] },
      headers: { 'Account-Name': account },
    });
    return body?.data?.[0]?.status;
  };
  await vi.waitUntil(async () => (await find()) === expected, { timeout: 100_000, interval: 100 });
}
