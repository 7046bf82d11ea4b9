import { cloudActivities } from '../../telemetry/datasets/CloudActivities.ts';
import type { Company } from '../company/company.ts';
import { type Hour, millisecondsPerHour } from '../hour.ts';
import type { Stream } from '../stream.ts';

export interface Activity {
  readonly type: string;
  readonly model: 'CloudTrailCep' | 'AwsApiTracker';
  readonly api: string;
  readonly service: string;
  readonly user: { readonly name: string; readonly principalId: string; readonly mfa: 0 | 1 };
  readonly address: string;
  readonly resource?: { readonly name: string; readonly value: string };
  readonly rule?: { readonly id: string; readonly title: string; readonly severity: number };
}

/** Activity numbers per hour; those of incidents begin in the middle. */
const numbersPerHour = 1_000;
export const firstIncidentNumber = 500;

export function activityRecord({ cloud }: Company, hour: Hour, number: number, activity: Activity) {
  const { type, model, api, service, user, address, resource, rule } = activity;
  const account = { account: cloud.accountId };
  return {
    ...hour.window,
    eventId: (hour.start / millisecondsPerHour) * numbersPerHour + number,
    eventType: type,
    eventModel: model,
    eventActor: 'Aws',
    entityMap: {
      API: [
        {
          KEY: { api, service: `${service}.amazonaws.com` },
          PROPS: { source_ip_address_list: [address], user_list: [user.name] },
        },
      ],
      CT_User: [
        {
          KEY: { ...account, mfa: user.mfa, principalId: user.principalId, username: user.name },
          PROPS: { api_list: [api], region_list: [cloud.region] },
        },
      ],
      Region: [{ KEY: { region: cloud.region }, PROPS: { account_list: [cloud.accountId] } }],
      SourceIpAddress: [{ KEY: { ip_addr: address }, PROPS: { api_list: [api] } }],
      ...(resource && { Resource: [{ KEY: resource }] }),
      ...(rule && {
        RulesTriggered: [
          {
            KEY: { triggered_rule_id: rule.id },
            PROPS: {
              rule_id: rule.id,
              rule_title: rule.title,
              rule_description: rule.title,
              rule_severity: rule.severity,
            },
          },
        ],
      }),
    },
  };
}

/** Routine changes that are notable nevertheless. */
const ordinary = [
  { type: 'ServiceCalledApi', model: 'AwsApiTracker', api: 'UpdateService', service: 'ecs' },
  { type: 'IAMAccessKeyChanged', model: 'CloudTrailCep', api: 'CreateAccessKey', service: 'iam' },
  { type: 'S3BucketPolicyChanged', model: 'CloudTrailCep', api: 'PutBucketPolicy', service: 's3' },
] as const;

export const activityStream: Stream = {
  dataset: cloudActivities,
  *ofHour(company, hour, random) {
    for (let number = 0; number < random.below(1 + 4 * hour.load); number++) {
      const person = random.pick(company.people);
      const user = { name: person.login, principalId: person.principalId, mfa: 1 as const };
      const activity = { ...random.pick(ordinary), user, address: person.address };
      yield activityRecord(company, hour, number, activity);
    }
  },
};
