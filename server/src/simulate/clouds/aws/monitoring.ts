import type { Company } from '../../company/company.ts';
import { type CloudObject, cloudObject } from '../cloud-object.ts';
import { kmsKeyId } from './s3.ts';

const created = '2025-05-20T09:00:00Z';
const logGroup = 'cloudtrail';

/** Events that are one kind of change, by the metric that counts them. */
const changes = {
  IamPolicyChanges: [
    ...['DeleteGroupPolicy', 'DeleteRolePolicy', 'DeleteUserPolicy', 'PutGroupPolicy', 'PutRolePolicy'],
    ...['PutUserPolicy', 'CreatePolicy', 'DeletePolicy', 'CreatePolicyVersion', 'DeletePolicyVersion'],
    ...['AttachRolePolicy', 'DetachRolePolicy', 'AttachUserPolicy', 'DetachUserPolicy'],
    ...['AttachGroupPolicy', 'DetachGroupPolicy'],
  ],
  CloudTrailChanges: ['CreateTrail', 'UpdateTrail', 'DeleteTrail', 'StartLogging', 'StopLogging'],
  KmsKeyRemovals: ['DisableKey', 'ScheduleKeyDeletion'],
  BucketPolicyChanges: [
    ...['PutBucketAcl', 'PutBucketPolicy', 'PutBucketCors', 'PutBucketLifecycle', 'PutBucketReplication'],
    ...['DeleteBucketPolicy', 'DeleteBucketCors', 'DeleteBucketLifecycle', 'DeleteBucketReplication'],
  ],
  ConfigRecorderChanges: [
    ...['StopConfigurationRecorder', 'DeleteDeliveryChannel', 'PutDeliveryChannel'],
    'PutConfigurationRecorder',
  ],
  SecurityGroupChanges: [
    ...['AuthorizeSecurityGroupIngress', 'AuthorizeSecurityGroupEgress', 'RevokeSecurityGroupIngress'],
    ...['RevokeSecurityGroupEgress', 'CreateSecurityGroup', 'DeleteSecurityGroup'],
  ],
  NetworkAclChanges: [
    ...['CreateNetworkAcl', 'CreateNetworkAclEntry', 'DeleteNetworkAcl', 'DeleteNetworkAclEntry'],
    ...['ReplaceNetworkAclEntry', 'ReplaceNetworkAclAssociation'],
  ],
  GatewayChanges: [
    ...['CreateCustomerGateway', 'DeleteCustomerGateway', 'AttachInternetGateway', 'CreateInternetGateway'],
    ...['DeleteInternetGateway', 'DetachInternetGateway'],
  ],
  RouteTableChanges: [
    ...['CreateRoute', 'CreateRouteTable', 'ReplaceRoute', 'ReplaceRouteTableAssociation'],
    ...['DeleteRouteTable', 'DeleteRoute', 'DisassociateRouteTable'],
  ],
  VpcChanges: [
    ...['CreateVpc', 'DeleteVpc', 'ModifyVpcAttribute', 'AcceptVpcPeeringConnection'],
    ...['CreateVpcPeeringConnection', 'DeleteVpcPeeringConnection', 'RejectVpcPeeringConnection'],
    ...['AttachClassicLinkVpc', 'DetachClassicLinkVpc', 'DisableVpcClassicLink', 'EnableVpcClassicLink'],
  ],
  OrganizationChanges: [
    ...['AcceptHandshake', 'AttachPolicy', 'CreateAccount', 'CreateOrganizationalUnit', 'CreatePolicy'],
    ...['DeclineHandshake', 'DeleteOrganization', 'DeleteOrganizationalUnit', 'DeletePolicy', 'DetachPolicy'],
    ...['DisablePolicyType', 'EnablePolicyType', 'InviteAccountToOrganization', 'LeaveOrganization'],
    ...['MoveAccount', 'RemoveAccountFromOrganization', 'UpdatePolicy', 'UpdateOrganizationalUnit'],
  ],
} as const;

/** The filters of the metrics on which alarms are set. */
const patterns: Readonly<Record<string, string>> = {
  UnauthorizedCalls: '{ ($.errorCode = "*UnauthorizedOperation") || ($.errorCode = "AccessDenied*") }',
  SignInsWithoutMfa: '{ ($.eventName = "ConsoleLogin") && ($.additionalEventData.MFAUsed != "Yes") }',
  RootUserEvents:
    '{ $.userIdentity.type = "Root" && $.userIdentity.invokedBy NOT EXISTS && $.eventType != "AwsServiceEvent" }',
  SignInFailures: '{ ($.eventName = ConsoleLogin) && ($.errorMessage = "Failed authentication") }',
  ...Object.fromEntries(
    Object.entries(changes).map(([metric, events]) => [
      metric,
      `{ ${events.map((event) => `($.eventName = ${event})`).join(' || ')} }`,
    ]),
  ),
};

/** Alarms on the trail's log group, and the services that watch each region. */
export function* monitoringObjects(company: Company): Generator<CloudObject> {
  const { accountId, region, regions } = company.cloud;
  yield* alarms(company);
  for (const one of regions) {
    const here = { region: one };
    const arn = (service: string, resource: string) => `arn:aws:${service}:${one}:${accountId}:${resource}`;
    yield cloudObject(
      'ListAnalyzers',
      `account/${one}`,
      {
        ...{ arn: arn('access-analyzer', 'analyzer/account'), name: 'account', type: 'ACCOUNT' },
        ...{ createdAt: created, status: 'ACTIVE' },
      },
      here,
    );
    const recorder = { name: 'default', roleARN: `arn:aws:iam::${accountId}:role/aws-service-role/config` };
    const recordingGroup = { allSupported: true, includeGlobalResourceTypes: one === region };
    yield cloudObject(
      'DescribeConfigurationRecorders',
      `default/${one}`,
      { ...recorder, recordingGroup },
      here,
    );
    yield cloudObject(
      'DescribeConfigurationRecorderStatus',
      `default/${one}`,
      { name: 'default', recording: true, lastStatus: 'SUCCESS', lastStartTime: created },
      here,
    );
    const session = { status: 'ENABLED', findingPublishingFrequency: 'FIFTEEN_MINUTES', createdAt: created };
    yield cloudObject('GetMacieSession', `${accountId}/${one}`, session, here);
  }
}

function* alarms(company: Company): Generator<CloudObject> {
  const { accountId, region } = company.cloud;
  const here = { region };
  const TopicArn = `arn:aws:sns:${region}:${accountId}:security`;
  yield cloudObject('ListTopics', TopicArn, { TopicArn }, here);
  const keyArn = `arn:aws:kms:${region}:${accountId}:key/${kmsKeyId(company, 'trail')}`;
  const Statement = [
    {
      ...{ Effect: 'Allow', Principal: { AWS: '*' }, Action: ['SNS:Publish'], Resource: TopicArn },
      Condition: { StringEquals: { 'AWS:SourceOwner': accountId } },
    },
  ];
  const Attributes = {
    ...{ TopicArn, Owner: accountId, KmsMasterKeyId: keyArn, SubscriptionsConfirmed: '2' },
    Policy: JSON.stringify({ Version: '2008-10-17', Statement }),
  };
  yield cloudObject('GetTopicAttributes', TopicArn, { Attributes }, here);
  const arn = `arn:aws:logs:${region}:${accountId}:log-group:${logGroup}:*`;
  const group = { logGroupName: logGroup, arn, retentionInDays: 365, kmsKeyId: keyArn };
  yield cloudObject('DescribeLogGroups', logGroup, group, here);
  for (const [metricName, filterPattern] of Object.entries(patterns)) {
    const metricTransformations = [{ metricName, metricNamespace: 'CloudTrail', metricValue: '1' }];
    yield cloudObject(
      'DescribeMetricFilters',
      metricName,
      { filterName: metricName, logGroupName: logGroup, filterPattern, metricTransformations },
      here,
    );
    yield cloudObject(
      'DescribeAlarms',
      metricName,
      {
        ...{
          AlarmName: metricName,
          AlarmArn: `arn:aws:cloudwatch:${region}:${accountId}:alarm:${metricName}`,
        },
        ...{ MetricName: metricName, Namespace: 'CloudTrail', Statistic: 'Sum', Period: 300, Threshold: 1 },
        ...{ ActionsEnabled: true, AlarmActions: [TopicArn], EvaluationPeriods: 1, StateValue: 'OK' },
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      },
      here,
    );
  }
}
