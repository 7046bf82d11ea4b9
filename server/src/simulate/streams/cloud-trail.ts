import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import type { Company } from '../company/company.ts';
import type { Person } from '../company/people.ts';
import { isoSeconds, millisecondsPerHour } from '../hour.ts';
import type { Random } from '../random.ts';
import type { Stream } from '../stream.ts';

export interface Call {
  readonly name: string;
  readonly service: string;
  readonly isReadOnly: boolean;
  readonly requestParameters?: object;
  readonly errorCode?: string;
}

/** Routine API calls. */
const ordinary: readonly Call[] = [
  { name: 'DescribeInstances', service: 'ec2', isReadOnly: true },
  { name: 'DescribeSecurityGroups', service: 'ec2', isReadOnly: true },
  { name: 'DescribeVolumes', service: 'ec2', isReadOnly: true },
  { name: 'ListBuckets', service: 's3', isReadOnly: true },
  { name: 'GetBucketPolicy', service: 's3', isReadOnly: true },
  { name: 'GetCallerIdentity', service: 'sts', isReadOnly: true },
  { name: 'DescribeCluster', service: 'eks', isReadOnly: true },
  { name: 'LookupEvents', service: 'cloudtrail', isReadOnly: true },
  { name: 'ListUsers', service: 'iam', isReadOnly: true, errorCode: 'AccessDenied' },
  { name: 'CreateTags', service: 'ec2', isReadOnly: false },
  { name: 'UpdateService', service: 'ecs', isReadOnly: false },
  { name: 'PutMetricAlarm', service: 'monitoring', isReadOnly: false },
];

const agents = [
  'aws-cli/2.17.9 Python/3.11.9 Linux/6.5.0',
  'Boto3/1.34.136 Python/3.11.9',
  'APN/1.0 HashiCorp/1.0 Terraform/1.9.0',
] as const;

export function userIdentity({ cloud }: Company, person: Person) {
  return {
    type: 'IAMUser',
    principalId: person.principalId,
    arn: `arn:aws:iam::${cloud.accountId}:user/${person.login}`,
    accountId: cloud.accountId,
    accessKeyId: person.accessKeyId,
    userName: person.login,
  };
}

export function rootIdentity({ cloud: { accountId } }: Company) {
  return { type: 'Root', principalId: accountId, arn: `arn:aws:iam::${accountId}:root`, accountId };
}

interface Caller {
  readonly identity: object;
  readonly address: string;
  readonly agent: string;
}

export function trailEvent(
  { cloud }: Company,
  { name, service, isReadOnly, requestParameters, errorCode }: Call,
  { identity, address, agent }: Caller,
  instant: number,
  random: Random,
) {
  return {
    eventVersion: '1.08',
    userIdentity: identity,
    eventTime: isoSeconds(instant),
    eventSource: `${service}.amazonaws.com`,
    eventName: name,
    awsRegion: cloud.region,
    sourceIPAddress: address,
    userAgent: agent,
    ...(errorCode && { errorCode, errorMessage: `The caller is not allowed to perform ${service}:${name}.` }),
    requestParameters: requestParameters ?? null,
    responseElements: null as object | null,
    requestID: uuid(random),
    eventID: uuid(random),
    readOnly: isReadOnly,
    eventType: 'AwsApiCall',
    managementEvent: true,
    recipientAccountId: cloud.accountId,
    eventCategory: 'Management',
  };
}

export function signIn(company: Company, caller: Caller, usedMfa: boolean, instant: number, random: Random) {
  return {
    ...trailEvent(
      company,
      { name: 'ConsoleLogin', service: 'signin', isReadOnly: false },
      caller,
      instant,
      random,
    ),
    eventType: 'AwsConsoleSignIn',
    responseElements: { ConsoleLogin: 'Success' },
    additionalEventData: { MobileVersion: 'No', MFAUsed: usedMfa ? 'Yes' : 'No' },
  };
}

export const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';

export function uuid(random: Random): string {
  const digits = random.hex(32);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
}

export const trailStream: Stream = {
  dataset: cloudTrailRawEvents,
  *ofHour(company, { start, load }, random) {
    for (const person of company.people) {
      const identity = userIdentity(company, person);
      const { address } = person;
      const instant = () => start + random.below(millisecondsPerHour);
      if (random.chance(0.1 * load))
        yield signIn(company, { identity, address, agent: browser }, true, instant(), random);
      for (let calls = random.below(1 + 12 * load); calls > 0; calls--) {
        const caller = { identity, address, agent: random.pick(agents) };
        yield trailEvent(company, random.pick(ordinary), caller, instant(), random);
      }
    }
  },
};
