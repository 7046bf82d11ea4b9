import { isRegion } from '../../outbound/aws/arn.ts';
import { CollectError } from '../inventory/problem.ts';
import { meaningOf } from './aws-problem.ts';
import { AwsCalls } from './calls.ts';
import { type AwsAccount, type AwsService, defineAwsService } from './service.ts';
import { type AwsAccess, AwsSession, homeRegion } from './session.ts';

/** The calls about an account itself. */
const once = { regions: 'once', reads: [] } as const;
const sts = defineAwsService({
  ...{ name: 'STS', prefix: 'sts', client: 'STSClient', ...once },
  load: () => import('@aws-sdk/client-sts'),
});
const iam = defineAwsService({
  ...{ name: 'IAM', prefix: 'iam', client: 'IAMClient', ...once },
  load: () => import('@aws-sdk/client-iam'),
});
const organizations = defineAwsService({
  ...{ name: 'Organizations', prefix: 'organizations', client: 'OrganizationsClient', ...once },
  load: () => import('@aws-sdk/client-organizations'),
});
const ec2 = defineAwsService({
  ...{ name: 'EC2', prefix: 'ec2', client: 'EC2Client', ...once },
  load: () => import('@aws-sdk/client-ec2'),
});

export interface CallerIdentity {
  readonly id: string;
  readonly partition: string;
}

/** Who credentials belong to. The partition must be known, because its endpoints are asked. */
export async function callerIdentity(
  access: AwsAccess,
  partition: string,
  signal: AbortSignal,
): Promise<CallerIdentity> {
  const session = new AwsSession({ ...access, account: { id: '', alias: '', organization: '', partition } });
  const { Account, Arn } = await asked(session, sts, 'GetCallerIdentity', {}, signal);
  const [, actual = partition] = String(Arn).split(':');
  if (!/^\d{12}$/.test(String(Account)))
    throw new CollectError({ status: 'failed', reason: 'GetCallerIdentity returned no account.' });
  return { id: String(Account), partition: actual };
}

/** The account with its alias and organization, which are empty if they may not be read. */
export async function awsAccount(
  access: AwsAccess,
  { id, partition }: CallerIdentity,
  signal: AbortSignal,
): Promise<AwsAccount> {
  const session = new AwsSession({ ...access, account: { id, partition, alias: '', organization: '' } });
  const aliases = await optional(asked(session, iam, 'ListAccountAliases', {}, signal), signal);
  const organization = await optional(
    asked(session, organizations, 'DescribeOrganization', {}, signal),
    signal,
  );
  const [alias] = (aliases?.AccountAliases ?? []) as unknown[];
  const { Id } = Object(organization?.Organization);
  return {
    ...{ id, partition },
    alias: typeof alias === 'string' ? alias : '',
    organization: typeof Id === 'string' ? Id : '',
  };
}

/** The regions that the account has enabled. */
export async function enabledRegions(session: AwsSession, signal: AbortSignal): Promise<string[]> {
  const { Regions } = await asked(session, ec2, 'DescribeRegions', { AllRegions: true }, signal);
  return ((Regions ?? []) as { RegionName?: string; OptInStatus?: string }[])
    .filter(({ OptInStatus }) => OptInStatus !== 'not-opted-in')
    .flatMap(({ RegionName }) => (isRegion(RegionName) ? [RegionName] : []))
    .sort();
}

export interface MemberAccount {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
}

/** The accounts of an organization, as its management account or a delegated administrator may read them. */
export async function memberAccounts(session: AwsSession, signal: AbortSignal): Promise<MemberAccount[]> {
  const members: MemberAccount[] = [];
  try {
    const calls = await callsOf(session, organizations, signal);
    for await (const { Accounts } of calls.pages('ListAccounts'))
      for (const { Id, Name, Status, State } of (Accounts ?? []) as Record<string, string>[])
        if (/^\d{12}$/.test(String(Id)))
          members.push({ id: String(Id), name: Name ?? '', isActive: (State ?? Status) === 'ACTIVE' });
    return members;
  } catch (error) {
    throw problemOf(error, organizations, 'ListAccounts');
  }
}

/** Temporary credentials of a role in another account. */
export async function assumeRole(
  session: AwsSession,
  input: { readonly RoleArn: string; readonly ExternalId?: string },
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { Credentials } = await asked(
    session,
    sts,
    'AssumeRole',
    { ...input, RoleSessionName: 'vedette' },
    signal,
  );
  return Object(Credentials);
}

async function asked(
  session: AwsSession,
  service: AwsService,
  call: string,
  input: object,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  try {
    return await (await callsOf(session, service, signal)).call(call, input);
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(error, service, call);
  }
}

async function callsOf(session: AwsSession, service: AwsService, signal: AbortSignal): Promise<AwsCalls> {
  const region = homeRegion(session.account.partition);
  return new AwsCalls(session, service, { region, sdk: await service.load(), signal });
}

function problemOf(error: unknown, { prefix }: AwsService, call: string): CollectError {
  const meaning = meaningOf(error, {}, call, `${prefix}:${call}`);
  if (meaning !== 'none') return new CollectError(meaning, error);
  return new CollectError({ status: 'failed', reason: `${call}: ${(error as Error).message}` }, error);
}

/** What an account may not know of itself does not stop its collection. */
async function optional<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return promise.catch(() => {
    signal.throwIfAborted();
    return undefined;
  });
}
