import { loadAwsServices } from './catalogue.ts';
import { allPermissionsOf } from './permissions.ts';

/** Calls about the account itself, before its resources are read. */
const identityActions = [
  'ec2:DescribeRegions',
  'iam:ListAccountAliases',
  'organizations:DescribeOrganization',
];
/** `sts:GetCallerIdentity` needs no permission. */
const organizationActions = ['organizations:ListAccounts', 'organizations:DescribeOrganization'];

/** The limit of a managed policy is 6,144 characters without whitespace. */
const maxDocument = 6_000;

export interface PolicyStatement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: string;
}

export interface PolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly PolicyStatement[];
}

/** All IAM actions that a collection of an account needs, sorted. */
export async function awsActions(): Promise<string[]> {
  const services = await loadAwsServices();
  const actions = services.flatMap((service) =>
    service.reads.flatMap((read) => allPermissionsOf(service, read)),
  );
  return [...new Set([...identityActions, ...actions])].sort();
}

/** The least rights as IAM policy documents: more than one if they do not fit the limit of a managed policy. */
export async function awsPermissions(): Promise<PolicyDocument[]> {
  const documents: PolicyDocument[] = [];
  let part: string[] = [];
  for (const action of await awsActions()) {
    if (JSON.stringify(documentOf([...part, action])).length > maxDocument) {
      documents.push(documentOf(part));
      part = [];
    }
    part.push(action);
  }
  return [...documents, documentOf(part)];
}

/** What the credentials of `collect aws --organization` need beyond this. */
export function organizationPermissions(roleName: string, partition = 'aws'): PolicyDocument {
  const assume = `arn:${partition}:iam::*:role/${roleName}`;
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'VedetteOrganization', Effect: 'Allow', Action: organizationActions, Resource: '*' },
      { Sid: 'VedetteMembers', Effect: 'Allow', Action: ['sts:AssumeRole'], Resource: assume },
    ],
  };
}

function documentOf(actions: readonly string[]): PolicyDocument {
  return {
    Version: '2012-10-17',
    Statement: [{ Sid: 'VedetteCollect', Effect: 'Allow', Action: actions, Resource: '*' }],
  };
}
