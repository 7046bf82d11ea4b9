import { ExpiringCache } from '../../outbound/expiring-cache.ts';
import type { CloudTarget, CollectDeps, Discovery } from '../inventory/cloud.ts';
import { boundedReason, CollectError, type Problem } from '../inventory/problem.ts';
import { awsAccountTarget } from './account-target.ts';
import { assumeRole, callerIdentity, memberAccounts } from './identity.ts';
import { type AwsAccess, AwsSession, type CredentialProvider } from './session.ts';

export interface LocalAwsDeps extends CollectDeps {
  readonly environment: NodeJS.ProcessEnv;
}

export interface LocalAwsOptions {
  /** A profile of the AWS configuration files. */
  readonly profile?: string | undefined;
  /** Only these regions, if they are enabled. */
  readonly regions?: readonly string[] | undefined;
  /** All accounts of the organization, through a role of this name in each member. */
  readonly organization?: { readonly roleName: string; readonly externalId?: string } | undefined;
}

const margin = 300_000;

/** The account of the credentials that the user's own tools use, or all accounts of its organization. */
export async function localAwsTargets(
  deps: LocalAwsDeps,
  { profile, regions, organization }: LocalAwsOptions,
  signal: AbortSignal,
): Promise<Discovery> {
  const { environment, outbound, budget } = deps;
  const { AWS_ENDPOINT_URL: endpoint, AWS_REGION, AWS_DEFAULT_REGION } = environment;
  const credentials = await localCredentials(profile);
  const access: AwsAccess = { outbound, budget, credentials, endpoint: endpoint || undefined };
  const guess = partitionOf(AWS_REGION || AWS_DEFAULT_REGION || '');
  const identity = await callerIdentity(access, guess, signal);
  const own = awsAccountTarget({ ...access, ...identity, regions });
  if (!organization) return { targets: [own], problems: [] };
  const session = new AwsSession({ ...access, account: { ...identity, alias: '', organization: '' } });
  const targets: CloudTarget[] = [own];
  const problems: Problem[] = [];
  const { roleName, externalId } = organization;
  for (const { id, name, isActive } of await memberAccounts(session, signal)) {
    if (id === identity.id) continue;
    if (!isActive) {
      problems.push({ status: 'not enabled', reason: `AWS account ${id} (${name}) is not active.` });
      continue;
    }
    const RoleArn = `arn:${identity.partition}:iam::${id}:role/${roleName}`;
    const member = assumed(session, { RoleArn, ...(externalId && { ExternalId: externalId }) }, deps);
    const { partition } = identity;
    targets.push(awsAccountTarget({ ...access, id, partition, name, regions, credentials: member }));
  }
  return { targets, problems };
}

/** Environment, profile, SSO cache, web identity, container or instance role, as AWS's own tools find them. */
async function localCredentials(profile: string | undefined): Promise<CredentialProvider> {
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
  const chain = fromNodeProviderChain(profile ? { profile } : {});
  return async () => {
    try {
      const { accessKeyId, secretAccessKey, sessionToken, expiration } = await chain();
      return {
        ...{ accessKeyId, secretAccessKey },
        ...(sessionToken && { sessionToken }),
        ...(expiration && { expiration }),
      };
    } catch (error) {
      const advice =
        'Sign in with `aws sso login`, choose a profile with --profile, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
      const reason = boundedReason(
        `No AWS credentials were found: ${(error as Error).message.replace(/[.\s]*$/, '.')} ${advice}`,
      );
      throw new CollectError({ status: 'denied', reason }, error);
    }
  };
}

/** All clients of a member share its credentials: each of them would assume the role otherwise. */
function assumed(
  session: AwsSession,
  input: { readonly RoleArn: string; readonly ExternalId?: string },
  { clock }: CollectDeps,
): CredentialProvider {
  const cache = new ExpiringCache<Awaited<ReturnType<CredentialProvider>>>(clock, margin);
  return () =>
    cache.get('', async () => {
      const given = await assumeRole(session, input, new AbortController().signal);
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = given;
      const value = {
        accessKeyId: String(AccessKeyId),
        secretAccessKey: String(SecretAccessKey),
        sessionToken: String(SessionToken),
        // The SDK would keep them until shortly before this time, and asks the cache instead.
        expiration: new Date(0),
      };
      return { value, expiresAt: Expiration instanceof Date ? Expiration.getTime() : clock.now() };
    });
}

/** The partition of a region, whose endpoints know the credentials. */
function partitionOf(region: string): string {
  if (region.startsWith('us-gov-')) return 'aws-us-gov';
  return region.startsWith('cn-') ? 'aws-cn' : 'aws';
}
