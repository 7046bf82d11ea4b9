import type { TrailEvent } from '../evaluation/trail-event.ts';
import { EventTypes } from './event-types.ts';

/** Event types of notable calls; clients know these names. */
export const trailTypes = new EventTypes<TrailEvent>('CloudTrailDefaultAlert', [
  ['CloudTrailStopped', calls('cloudtrail', /^(?:StopLogging|DeleteTrail)$/)],
  ['CloudTrailChanged', calls('cloudtrail', /^(?:Create|Update|Start|Put).*(?:Trail|Logging|Selectors)$/)],
  [
    'SuccessfulConsoleLoginWithoutMFA',
    ({ api, errorCode, mfa, identityType, raw }) =>
      api === 'ConsoleLogin' &&
      errorCode === '' &&
      !mfa &&
      identityType !== 'AssumedRole' &&
      !JSON.stringify(raw.responseElements ?? '').includes('Failure'),
  ],
  ['UsageOfRootAccount', ({ identityType, service }) => identityType === 'Root' && !/^AWS/.test(service)],
  ['UnauthorizedAPICall', ({ errorCode }) => /AccessDenied|Unauthorized/.test(errorCode)],
  ['IAMAccessKeyChanged', calls('iam', /^(?:Create|Delete|Update)AccessKey$/)],
  ['IAMPolicyChanged', calls('iam', /^(?:Create|Delete|Put|Attach|Detach|SetDefault).*Policy(?:Version)?$/)],
  ['S3BucketPolicyChanged', calls('s3', /^(?:Put|Delete)BucketPolicy$/)],
  ['S3BucketACLChanged', calls('s3', /^Put(?:Bucket|Object)Acl$/)],
  ['NewS3Bucket', calls('s3', /^CreateBucket$/)],
  ['SecurityGroupChange', calls('ec2', /SecurityGroup/, /^Describe/)],
  ['NewVPC', calls('ec2', /^Create(?:Default)?Vpc$/)],
  ['RouteTableChange', calls('ec2', /Route(?:Table)?(?:Association)?$/, /^Describe/)],
  ['VPCChange', calls('ec2', /Vpc/, /^Describe/)],
  ['ServiceCalledApi', ({ identityType }) => identityType === 'AWSService'],
]);

function calls(service: string, name: RegExp, except?: RegExp): (event: TrailEvent) => boolean {
  return (event) =>
    event.service === `${service}.amazonaws.com` && name.test(event.api) && !except?.test(event.api);
}
