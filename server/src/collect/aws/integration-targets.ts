import { parseArn } from '../../outbound/aws/arn.ts';
import type { Aws } from '../../outbound/aws/aws.ts';
import type { AwsCredentials } from '../../outbound/aws/credentials.ts';
import { OutboundError } from '../../outbound/outbound.ts';
import { awsAccountOf } from '../aws-account.ts';
import type { CollectDeps, Discovery } from '../inventory/cloud.ts';
import { CollectError } from '../inventory/problem.ts';
import { awsAccountTarget } from './account-target.ts';
import type { CredentialProvider } from './session.ts';

/** An integration of type AwsCfg or AwsUsGovCfg, with its secrets. */
export interface AwsIntegration {
  readonly type: string;
  readonly data: {
    readonly awsAccountId?: string;
    readonly crossAccountCredentials?: { readonly roleArn: string; readonly externalId: string };
    readonly accessKeyCredentials?: {
      readonly accountId: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };
  };
}

export interface AwsIntegrationDeps extends CollectDeps {
  /** Assumes the roles of integrations. */
  readonly aws: Aws;
  /** Replaces the endpoints of all services. */
  readonly endpoint?: string | undefined;
}

/** The account of an integration: read with its role, or in GovCloud with its access key. */
export function awsTargets({ type, data }: AwsIntegration, deps: AwsIntegrationDeps): Discovery {
  const { aws, outbound, budget, endpoint } = deps;
  const id = awsAccountOf(data) ?? '';
  const access = { outbound, budget, endpoint };
  const { crossAccountCredentials: role, accessKeyCredentials: key } = data;
  if (role) {
    const { partition } = parseArn(role.roleArn, 'iam', 'roleArn');
    const credentials = providerOf(() => aws.credentials(role), role.roleArn);
    return { targets: [awsAccountTarget({ ...access, id, partition, credentials })], problems: [] };
  }
  if (key) {
    const partition = type.startsWith('AwsUsGov') ? 'aws-us-gov' : 'aws';
    const { accessKeyId, secretAccessKey } = key;
    const credentials = async () => ({ accessKeyId, secretAccessKey });
    return { targets: [awsAccountTarget({ ...access, id, partition, credentials })], problems: [] };
  }
  const reason = `The integration has no credentials: set crossAccountCredentials or accessKeyCredentials.`;
  return { targets: [], problems: [{ status: 'failed', reason }] };
}

/** The SDK keeps credentials until they expire. The outbound client renews them in time, so it is asked each time. */
function providerOf(credentials: () => Promise<AwsCredentials>, roleArn: string): CredentialProvider {
  return async () => {
    try {
      const { sessionToken, ...key } = await credentials();
      return { ...key, ...(sessionToken && { sessionToken }), expiration: new Date(0) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const isDenied = error.message.includes('AccessDenied');
      throw new CollectError(
        {
          status: isDenied ? 'denied' : 'failed',
          reason: `The role ${roleArn} could not be assumed. ${error.message}`,
          ...(isDenied && { permission: 'sts:AssumeRole' }),
        },
        error,
      );
    }
  };
}
