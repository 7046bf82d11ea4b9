import type { Company } from '../../company/company.ts';
import { isoSeconds } from '../../hour.ts';
import { type CloudObject, cloudObject, uuidOf } from '../cloud-object.ts';

const created = '2025-05-20T09:00:00Z';
const blocked = {
  PublicAccessBlockConfiguration: {
    ...{ BlockPublicAcls: true, IgnorePublicAcls: true },
    ...{ BlockPublicPolicy: true, RestrictPublicBuckets: true },
  },
};

/** The keys by their use. */
const keyUses = ['volumes', 'backups', 'trail', 'databases'] as const;
export function kmsKeyId(company: Company, use: (typeof keyUses)[number]): string {
  return uuidOf(company, 'kms', use);
}

/** Buckets with their companions. */
export function* s3Objects(company: Company): Generator<CloudObject> {
  const { buckets, region, regions, accountId } = company.cloud;
  const log = buckets.at(-1) as string;
  for (const [index, Bucket] of buckets.entries()) {
    const of = { of: Bucket };
    const place = index === 1 ? (regions.at(-1) as string) : region;
    const object = (api: string, value: unknown) => cloudObject(api, Bucket, value, of);
    yield cloudObject('ListBuckets', Bucket, { Name: Bucket, CreationDate: created });
    yield object('GetBucketLocation', { LocationConstraint: place });
    yield object('GetBucketTagging', { TagSet: [{ Key: 'Owner', Value: 'platform' }] });
    const owner = { ID: uuidOf(company, 'canonical').replaceAll('-', '').repeat(2) };
    const own = { Grantee: { Type: 'CanonicalUser', ...owner }, Permission: 'FULL_CONTROL' };
    yield object('GetBucketAcl', { Owner: owner, Grants: [own] });
    const transport = { Bool: { 'aws:SecureTransport': 'false' } };
    const deny = { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: `arn:aws:s3:::${Bucket}/*` };
    const Statement = [{ ...deny, Condition: transport }];
    yield object('GetBucketPolicy', { Policy: JSON.stringify({ Version: '2012-10-17', Statement }) });
    yield object('GetBucketPolicyStatus', { PolicyStatus: { IsPublic: false } });
    yield object('GetPublicAccessBlock', blocked);
    const ApplyServerSideEncryptionByDefault = {
      ...{ SSEAlgorithm: 'aws:kms', KMSMasterKeyID: kmsKeyId(company, 'backups') },
    };
    yield object('GetBucketEncryption', {
      ServerSideEncryptionConfiguration: {
        Rules: [{ ApplyServerSideEncryptionByDefault, BucketKeyEnabled: true }],
      },
    });
    yield object('GetBucketVersioning', { Status: 'Enabled', MFADelete: 'Enabled' });
    yield object('GetBucketLogging', { LoggingEnabled: { TargetBucket: log, TargetPrefix: `${Bucket}/` } });
    yield object('GetBucketLifecycleConfiguration', {
      Rules: [{ ID: 'expire', Status: 'Enabled', NoncurrentVersionExpiration: { NoncurrentDays: 90 } }],
    });
  }
  yield cloudObject('GetPublicAccessBlock', accountId, blocked);
}

/** The keys, and the trail that one of them encrypts. */
export function* auditObjects(company: Company, today: number): Generator<CloudObject> {
  const { region, accountId, trailName: Name, buckets } = company.cloud;
  const here = { region };
  const keyArn = (id: string) => `arn:aws:kms:${region}:${accountId}:key/${id}`;
  for (const use of keyUses) {
    const KeyId = kmsKeyId(company, use);
    yield cloudObject('ListKeys', KeyId, { KeyId, KeyArn: keyArn(KeyId) }, here);
    const KeyMetadata = {
      ...{ AWSAccountId: accountId, KeyId, Arn: keyArn(KeyId), CreationDate: created, Enabled: true },
      ...{ Description: use, KeyUsage: 'ENCRYPT_DECRYPT', KeyState: 'Enabled', Origin: 'AWS_KMS' },
      ...{ KeyManager: 'CUSTOMER', KeySpec: 'SYMMETRIC_DEFAULT', MultiRegion: false },
    };
    yield cloudObject('DescribeKey', KeyId, { KeyMetadata }, here);
    yield cloudObject('GetKeyRotationStatus', KeyId, { KeyRotationEnabled: true }, here);
    const Principal = { AWS: `arn:aws:iam::${accountId}:root` };
    const Statement = [{ Effect: 'Allow', Principal, Action: 'kms:*', Resource: '*' }];
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
    yield cloudObject('GetKeyPolicy', KeyId, { Policy, PolicyName: 'default' }, here);
  }
  const TrailARN = `arn:aws:cloudtrail:${region}:${accountId}:trail/${Name}`;
  const logs = `arn:aws:logs:${region}:${accountId}:log-group:cloudtrail:*`;
  yield cloudObject(
    'DescribeTrails',
    Name,
    {
      ...{ Name, TrailARN, HomeRegion: region, S3BucketName: buckets.at(-1), IsMultiRegionTrail: true },
      ...{ IncludeGlobalServiceEvents: true, IsOrganizationTrail: false, LogFileValidationEnabled: true },
      ...{ KmsKeyId: keyArn(kmsKeyId(company, 'trail')), CloudWatchLogsLogGroupArn: logs },
      ...{ HasCustomEventSelectors: true, HasInsightSelectors: false },
    },
    here,
  );
  const LatestDeliveryTime = isoSeconds(today);
  yield cloudObject(
    'GetTrailStatus',
    Name,
    {
      ...{ IsLogging: true, StartLoggingTime: created, LatestDeliveryTime },
      LatestCloudWatchLogsDeliveryTime: LatestDeliveryTime,
    },
    here,
  );
  const values = ['arn:aws:s3'];
  const EventSelectors = [
    {
      ...{ ReadWriteType: 'All', IncludeManagementEvents: true, ExcludeManagementEventSources: [] },
      DataResources: [{ Type: 'AWS::S3::Object', Values: values }],
    },
  ];
  yield cloudObject('GetEventSelectors', Name, { TrailARN, EventSelectors }, here);
}
