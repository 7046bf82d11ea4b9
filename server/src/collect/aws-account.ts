import type { IntegrationData } from '../integrations/declaration.ts';

interface AwsMembers {
  readonly awsAccountId?: string;
  readonly crossAccountCredentials?: { readonly roleArn?: string };
  readonly accessKeyCredentials?: { readonly accountId?: string };
}

/** The AWS account: as given, as the credentials say, or as the role's name says (`arn:aws:iam::<account>:role/x`). */
export function awsAccountOf(data: IntegrationData): string | undefined {
  const { awsAccountId, crossAccountCredentials, accessKeyCredentials } = data as AwsMembers;
  const fromRole = crossAccountCredentials?.roleArn?.split(':')[4];
  return awsAccountId || accessKeyCredentials?.accountId || fromRole || undefined;
}

/** Two clients leave the account out and one crashes when it does not come back as text. */
export function completeAwsAccount(data: IntegrationData): IntegrationData {
  return { ...data, awsAccountId: awsAccountOf(data) ?? '' };
}
