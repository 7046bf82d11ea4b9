import { describe, expect, test } from 'vitest';
import type { Resource } from '../../telemetry/resource.ts';
import { inApiForm, outputSchema, schemaAt } from './api-form.ts';
import { loadAwsServices } from './catalogue.ts';
import { importAwsConfig } from './config-import.ts';
import { configTypes } from './config-types.ts';
import { isCustom } from './service.ts';

const account = '123456789012';
const item = (resourceType: string, configuration: unknown, more: object = {}) => ({
  ...{ resourceType, resourceId: 'r-1', awsAccountId: account, awsRegion: 'eu-west-1', configuration },
  ...{ configurationItemStatus: 'OK', configurationItemCaptureTime: '2026-03-01T10:00:00.000Z' },
  ...{ ARN: 'arn:aws:x:::r-1', tags: {}, supplementaryConfiguration: {}, ...more },
});
const snapshot = (...configurationItems: object[]) => ({
  ...{ fileVersion: '1.0', configSnapshotId: '1-2-3', configurationItems },
});

async function imported(...items: object[]) {
  const { scopes } = await importAwsConfig(snapshot(...items));
  return new Map(scopes.map((scope) => [scope.kind, scope]));
}
const configOf = (resource: Resource | undefined) => JSON.parse(resource?.config ?? 'null');

/** As AWS Config spells names. */
function lowered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(lowered);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`,
      lowered(one),
    ]),
  );
}

describe('the names of a configuration', () => {
  test.each<[string, string, string, object]>([
    [
      ...(['@aws-sdk/client-ec2', 'DescribeInstances', 'Reservations.Instances'] as const),
      {
        InstanceId: 'i-1',
        State: { Code: 16, Name: 'running' },
        MetadataOptions: { HttpTokens: 'required' },
        SecurityGroups: [{ GroupId: 'sg-1', GroupName: 'web' }],
        Tags: [{ Key: 'Name', Value: 'web' }],
      },
    ],
    [
      ...(['@aws-sdk/client-rds', 'DescribeDBInstances', 'DBInstances'] as const),
      {
        DBInstanceArn: 'arn:aws:rds:eu-west-1:1:db:a',
        IAMDatabaseAuthenticationEnabled: true,
        VpcSecurityGroups: [{ VpcSecurityGroupId: 'sg-1' }],
        EnabledCloudwatchLogsExports: ['audit'],
      },
    ],
    [
      ...(['@aws-sdk/client-cloudfront', 'GetDistributionConfig', 'DistributionConfig'] as const),
      { Origins: { Quantity: 1, Items: [{ Id: 'o', CustomOriginConfig: { HTTPPort: 80 } }] }, Enabled: true },
    ],
  ])('of %s %s are those of the API', async (client, call, path, config) => {
    const schema = schemaAt(outputSchema(await import(client), call), path);
    expect(inApiForm(schema, lowered(config))).toEqual(config);
  });

  test('do not include what the API does not return, nor empty values', async () => {
    const schema = schemaAt(
      outputSchema(await import('@aws-sdk/client-lambda'), 'ListFunctions'),
      'Functions',
    );
    const environment = { variables: { lowerCase: 'a', UPPER: 'b' } };
    expect(inApiForm(schema, { functionName: 'f', masterArn: null, invented: 1, environment })).toEqual({
      FunctionName: 'f',
      Environment: { Variables: { lowerCase: 'a', UPPER: 'b' } },
    });
  });

  test('and timestamps have the form of the API', async () => {
    const schema = schemaAt(outputSchema(await import('@aws-sdk/client-kms'), 'DescribeKey'), 'KeyMetadata');
    for (const creationDate of [1_772_359_200, 1_772_359_200_000, '2026-03-01T10:00:00Z'])
      expect(inApiForm(schema, { creationDate })).toEqual({ CreationDate: '2026-03-01T10:00:00.000Z' });
  });
});

describe('the types of AWS Config', () => {
  test('refer to services and calls that are collected', async () => {
    const services = new Map((await loadAwsServices()).map((service) => [service.prefix, service]));
    for (const [type, { service: prefix, call, items, details = {} }] of Object.entries(configTypes)) {
      const service = services.get(prefix);
      const reads = service?.reads.filter((read) =>
        isCustom(read) ? read.calls.includes(call) : read.call === call,
      );
      expect(reads?.length, type).toBeGreaterThan(0);
      const sdk = (await service?.load()) ?? {};
      for (const name of [call, ...Object.keys(details)])
        expect(outputSchema(sdk, name), `${type} ${name}`).toBeDefined();
      if (items) expect(schemaAt(outputSchema(sdk, call), items), type).toBeDefined();
    }
  });
});

describe('a snapshot of AWS Config', () => {
  test('has the resources that a collection finds, without secrets', async () => {
    const found = await imported(
      item('AWS::EC2::SecurityGroup', {
        groupId: 'sg-1',
        groupName: 'web',
        ipPermissions: [
          {
            ...{ ipProtocol: 'tcp', fromPort: 22, toPort: 22, ipv6Ranges: [], prefixListIds: [] },
            ...{ userIdGroupPairs: [], ipv4Ranges: [{ cidrIp: '0.0.0.0/0' }], ipRanges: ['0.0.0.0/0'] },
          },
        ],
        ipPermissionsEgress: [],
        tags: [{ key: 'team', value: 'shop' }],
        vpcId: 'vpc-1',
      }),
      item('AWS::Lambda::Function', {
        functionName: 'pay',
        functionArn: `arn:aws:lambda:eu-west-1:${account}:function:pay`,
        environment: { variables: { PASSWORD: 'canary' } },
      }),
    );
    expect([...found.keys()].sort()).toEqual([
      'LW_CFG_AWS_EC2_SECURITY_GROUPS',
      'LW_CFG_AWS_LAMBDA',
      'LW_CFG_AWS_LAMBDA_GET_POLICY',
    ]);
    expect(found.get('LW_CFG_AWS_EC2_SECURITY_GROUPS')).toEqual({
      ...{ kind: 'LW_CFG_AWS_EC2_SECURITY_GROUPS', cloudAccount: account, region: 'eu-west-1' },
      resources: [
        {
          key: `arn:aws:ec2:eu-west-1:${account}:security-group/sg-1`,
          facts: {
            ...{ URN: `arn:aws:ec2:eu-west-1:${account}:security-group/sg-1`, RESOURCE_ID: 'sg-1' },
            ...{ RESOURCE_TYPE: 'ec2:security-group', SERVICE: 'ec2', RESOURCE_REGION: 'eu-west-1' },
            ...{ API_KEY: 'describe-security-groups', ACCOUNT_ID: account, ACCOUNT_ALIAS: '' },
          },
          config: expect.any(String),
          tags: '{"team":"shop"}',
        },
      ],
    });
    expect(configOf(found.get('LW_CFG_AWS_EC2_SECURITY_GROUPS')?.resources[0])).toEqual({
      ...{ GroupId: 'sg-1', GroupName: 'web', VpcId: 'vpc-1', IpPermissionsEgress: [] },
      IpPermissions: [
        {
          ...{ IpProtocol: 'tcp', FromPort: 22, ToPort: 22, Ipv6Ranges: [], PrefixListIds: [] },
          ...{ UserIdGroupPairs: [], IpRanges: [{ CidrIp: '0.0.0.0/0' }] },
        },
      ],
      Tags: [{ Key: 'team', Value: 'shop' }],
    });
    expect(configOf(found.get('LW_CFG_AWS_LAMBDA')?.resources[0]).Environment).toEqual({
      Variables: { PASSWORD: '[redacted]' },
    });
    // Asked and empty: AWS Config records the policies of functions.
    expect(configOf(found.get('LW_CFG_AWS_LAMBDA_GET_POLICY')?.resources[0])).toEqual({});
  });

  test('has the settings of buckets, in the region of the bucket', async () => {
    const found = await imported(
      item(
        'AWS::S3::Bucket',
        { name: 'logs', creationDate: '2026-01-01T00:00:00.000Z', owner: { id: 'o' } },
        {
          tags: { team: 'shop' },
          supplementaryConfiguration: {
            AccessControlList: JSON.stringify(
              JSON.stringify({
                grantList: [
                  { grantee: { id: 'o' }, permission: 'FullControl' },
                  { grantee: 'AllUsers', permission: 'ReadAcp' },
                ],
                owner: { id: 'o' },
              }),
            ),
            BucketPolicy: { policyText: '{"Statement":[]}' },
            BucketVersioningConfiguration: { status: 'Enabled', isMfaDeleteEnabled: false },
            BucketLoggingConfiguration: { destinationBucketName: null, logFilePrefix: null },
            ServerSideEncryptionConfiguration: {
              rules: [
                { applyServerSideEncryptionByDefault: { sseAlgorithm: 'AES256', kmsMasterKeyID: null } },
              ],
            },
          },
        },
      ),
    );
    const configs = [...found.values()].map(({ kind, region, resources }) => [
      kind.replace('LW_CFG_AWS_', ''),
      region,
      configOf(resources[0]),
    ]);
    expect(configs).toEqual([
      ['S3', 'eu-west-1', { Name: 'logs', CreationDate: '2026-01-01T00:00:00.000Z', Region: 'eu-west-1' }],
      [
        ...['S3_GET_BUCKET_ACL', 'eu-west-1'],
        {
          Owner: { ID: 'o' },
          Grants: [
            { Grantee: { ID: 'o', Type: 'CanonicalUser' }, Permission: 'FULL_CONTROL' },
            {
              Grantee: { URI: 'http://acs.amazonaws.com/groups/global/AllUsers', Type: 'Group' },
              Permission: 'READ_ACP',
            },
          ],
        },
      ],
      ['S3_GET_BUCKET_POLICY', 'eu-west-1', { Policy: { Statement: [] } }],
      ['S3_GET_PUBLIC_ACCESS_BLOCK', 'eu-west-1', {}],
      [
        ...['S3_GET_BUCKET_ENCRYPTION', 'eu-west-1'],
        {
          ServerSideEncryptionConfiguration: {
            Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
          },
        },
      ],
      ['S3_GET_BUCKET_VERSIONING', 'eu-west-1', { Status: 'Enabled', MFADelete: 'Disabled' }],
      ['S3_GET_BUCKET_LOGGING', 'eu-west-1', {}],
    ]);
    expect(found.get('LW_CFG_AWS_S3')?.resources[0]?.tags).toBe('{"team":"shop"}');
  });

  test('splits users like the call of a collection, and has no kinds of other principals', async () => {
    const arn = `arn:aws:iam::${account}:user/ada`;
    const found = await imported(
      item(
        'AWS::IAM::User',
        {
          ...{ userName: 'ada', arn, groupList: [], attachedManagedPolicies: [] },
          userPolicyList: [{ policyName: 'all', policyDocument: '%7B%22Statement%22%3A%5B%5D%7D' }],
        },
        { awsRegion: 'global', ARN: arn },
      ),
    );
    expect(
      [...found.values()].map(({ kind, region, resources }) => [kind, region, resources.length]),
    ).toEqual([
      ['LW_CFG_AWS_IAM_USERS', 'aws-global', 1],
      ['LW_CFG_AWS_IAM_USERS_LIST_POLICIES', 'aws-global', 1],
      ['LW_CFG_AWS_IAM_USERS_GET_POLICY', 'aws-global', 1],
      ['LW_CFG_AWS_IAM_USERS_LIST_ATTACHED_POLICIES', 'aws-global', 0],
    ]);
    expect(configOf(found.get('LW_CFG_AWS_IAM_USERS_GET_POLICY')?.resources[0])).toEqual({
      ...{ UserName: 'ada', PolicyName: 'all', PolicyDocument: { Statement: [] } },
    });
  });

  test('has keys and clusters with the calls about each of them', async () => {
    const keyArn = `arn:aws:kms:eu-west-1:${account}:key/k`;
    const found = await imported(
      item(
        'AWS::KMS::Key',
        { keyId: 'k', arn: keyArn, keyManager: 'CUSTOMER', aWSAccountId: account },
        { supplementaryConfiguration: { KeyRotationStatus: true, Policy: '"{\\"Statement\\":[]}"' } },
      ),
      item('AWS::EKS::Cluster', {
        Name: 'shop',
        ResourcesVpcConfig: { EndpointPublicAccess: true },
        Logging: { ClusterLogging: { EnabledTypes: [{ Type: 'audit' }] } },
      }),
    );
    const config = (kind: string) => configOf(found.get(`LW_CFG_AWS_${kind}`)?.resources[0]);
    expect(config('KMS_KEYS')).toEqual({ KeyId: 'k', KeyArn: keyArn });
    expect(config('KMS_KEYS_DESCRIBE_KEY')).toEqual({
      KeyMetadata: { AWSAccountId: account, KeyId: 'k', Arn: keyArn, KeyManager: 'CUSTOMER' },
    });
    expect(config('KMS_KEYS_GET_ROTATION_STATUS')).toEqual({ KeyRotationEnabled: true });
    expect(config('KMS_KEYS_GET_POLICY')).toEqual({ Policy: { Statement: [] } });
    expect(config('EKS_CLUSTERS_DESCRIBE_CLUSTER')).toEqual({
      name: 'shop',
      resourcesVpcConfig: { endpointPublicAccess: true },
      logging: { clusterLogging: [{ types: ['audit'], enabled: true }] },
      tags: {},
    });
    expect(found.has('LW_CFG_AWS_EKS_NODEGROUPS')).toBe(false);
  });

  test('counts other types, leaves out deleted resources and has the time of the last one', async () => {
    const { scopes, ignored, captured } = await importAwsConfig(
      snapshot(
        item('AWS::EC2::VPC', { vpcId: 'vpc-1' }, { configurationItemStatus: 'ResourceDeleted' }),
        item('AWS::Config::ResourceCompliance', {}),
        item(
          'AWS::Config::ResourceCompliance',
          {},
          { configurationItemCaptureTime: '2026-03-01T11:00:00.000Z' },
        ),
      ),
    );
    expect(scopes).toEqual([]);
    expect(ignored).toEqual({ 'AWS::Config::ResourceCompliance': 2 });
    expect(captured).toBe(Date.UTC(2026, 2, 1, 11));
  });

  test('with a resource that has no id leaves what is stored of the kind', async () => {
    const found = await imported(item('AWS::EC2::VPC', { vpcId: 'vpc-1' }), item('AWS::EC2::VPC', {}));
    expect(found.get('LW_CFG_AWS_EC2_VPCS')?.problem?.reason).toContain('returned an item without {VpcId}');
  });

  test.each<[unknown, string]>([
    [[], 'It has no array configurationItems: use the files below ConfigSnapshot/ that AWS Config delivers.'],
    [{ configurationItems: [] }, 'It has no configSnapshotId, so that it may be a history of changes'],
    [snapshot({}), 'configurationItems[0] has no resourceType, resourceId or awsRegion.'],
    [
      snapshot(item('T', {}, { awsAccountId: 'x' })),
      'configurationItems[0] has no awsAccountId with 12 digits.',
    ],
  ])('that is none is refused: %j', async (file, message) => {
    await expect(importAwsConfig(file)).rejects.toThrow(message);
  });
});
