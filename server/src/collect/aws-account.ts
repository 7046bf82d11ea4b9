import type { IntegrationData } from '../integrations/declaration.ts';

interface AwsMembers {
  readonly awsAccountId?: string;
  readonly crossAccountCredentials?: { readonly roleArn?: string };
  readonly accessKeyCredentials?: { readonly accountId?: string };
}

/** The AWS account as given, from the credentials, or from the role ARN (`arn:aws:iam::<account>:role/x`). */
export function awsAccountOf(data: IntegrationData): string | undefined {
  const { awsAccountId, crossAccountCredentials, accessKeyCredentials } = data as AwsMembers;
  const fromRole = crossAccountCredentials?.roleArn?.split(':')[4];
  return awsAccountId || accessKeyCredentials?.accountId || fromRole || undefined;
}

/** Two clients omit the account, and one crashes if the response has no string for it. */
export function completeAwsAccount(data: IntegrationData): IntegrationData {
  return { ...data, awsAccountId: awsAccountOf(data) ?? '' };
}
