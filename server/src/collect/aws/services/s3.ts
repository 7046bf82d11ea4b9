import { defineAwsService } from '../service.ts';

const bucket = { Bucket: '{Name}' };

export default defineAwsService({
  name: 'S3',
  prefix: 's3',
  load: () => import('@aws-sdk/client-s3'),
  client: 'S3Client',
  regions: 'once',
  // For each prefix: docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html
  rate: { perSecond: 5_500 },
  reads: [
    {
      kind: 'LW_CFG_AWS_S3',
      type: 's3:bucket',
      call: 'ListBuckets',
      items: 'Buckets',
      permissions: ['s3:ListAllMyBuckets', 's3:GetBucketLocation', 's3:GetBucketTagging'],
      id: '{Name}',
      arn: 'arn:{$partition}:s3:::{Name}',
      itemRegion: 'Region',
      tagging: { call: 'GetBucketTagging', input: bucket, tags: 'TagSet' },
      // The listing has no region, and a bucket must be asked in its own one.
      async extend(item, calls) {
        const { Name } = item as { Name: string };
        const { LocationConstraint } = await calls.call('GetBucketLocation', { Bucket: Name });
        return { ...(item as object), Region: bucketRegion(LocationConstraint) };
      },
      each: [
        { kind: 'LW_CFG_AWS_S3_GET_BUCKET_ACL', call: 'GetBucketAcl', input: bucket },
        {
          kind: 'LW_CFG_AWS_S3_GET_BUCKET_POLICY',
          call: 'GetBucketPolicy',
          input: bucket,
          json: ['Policy'],
        },
        { kind: 'LW_CFG_AWS_S3_GET_BUCKET_POLICY_STATUS', call: 'GetBucketPolicyStatus', input: bucket },
        {
          kind: 'LW_CFG_AWS_S3_GET_PUBLIC_ACCESS_BLOCK',
          call: 'GetPublicAccessBlock',
          input: bucket,
          permissions: ['s3:GetBucketPublicAccessBlock'],
        },
        {
          kind: 'LW_CFG_AWS_S3_GET_BUCKET_ENCRYPTION',
          call: 'GetBucketEncryption',
          input: bucket,
          permissions: ['s3:GetEncryptionConfiguration'],
          none: ['ServerSideEncryptionConfigurationNotFoundError'],
        },
        { kind: 'LW_CFG_AWS_S3_GET_BUCKET_VERSIONING', call: 'GetBucketVersioning', input: bucket },
        { kind: 'LW_CFG_AWS_S3_GET_BUCKET_LOGGING', call: 'GetBucketLogging', input: bucket },
        {
          kind: 'LW_CFG_AWS_S3_GET_BUCKET_LIFECYCLE_CONFIGURATION',
          call: 'GetBucketLifecycleConfiguration',
          input: bucket,
          permissions: ['s3:GetLifecycleConfiguration'],
        },
        {
          kind: 'LW_CFG_AWS_S3_GET_BUCKET_REPLICATION',
          call: 'GetBucketReplication',
          input: bucket,
          permissions: ['s3:GetReplicationConfiguration'],
        },
        {
          kind: 'LW_CFG_AWS_S3_GET_OBJECT_LOCK_CONFIGURATION',
          call: 'GetObjectLockConfiguration',
          input: bucket,
          permissions: ['s3:GetBucketObjectLockConfiguration'],
        },
      ],
    },
  ],
});

/** The service names two regions in its own way. */
function bucketRegion(constraint: unknown): string {
  if (typeof constraint !== 'string' || constraint === '') return 'us-east-1';
  return constraint === 'EU' ? 'eu-west-1' : constraint;
}
