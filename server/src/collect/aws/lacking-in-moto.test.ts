import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { account, collected, FakeAws, failure, json, xml } from '../../testing/fake-aws.ts';
import { loadAwsServices } from './catalogue.ts';
import type { AwsService } from './service.ts';

/** The kinds that the conformance run can not check, because its emulator lacks their calls. */
const services = new Map((await loadAwsServices()).map((service) => [service.prefix, service]));
const read = (prefix: string, only?: readonly string[]) =>
  collected(aws, { services: [services.get(prefix) as AwsService], ...(only && { only }) });

let aws: FakeAws;
beforeAll(async () => {
  aws = await FakeAws.start();
});
beforeEach(() => aws.forget());
afterAll(() => aws.close());

const inRegion = `${account}/us-east-1`;

describe('kinds that moto lacks', () => {
  test('analyzers', async () => {
    const arn = `arn:aws:access-analyzer:us-east-1:${account}:analyzer/a`;
    const analyzer = { arn, name: 'a', type: 'ACCOUNT', status: 'ACTIVE', createdAt: '2026-01-01T00:00:00Z' };
    aws.on('access-analyzer GET /analyzer', json({ analyzers: [analyzer] }));
    const sink = await read('accessanalyzer');
    expect(sink.configs('LW_CFG_AWS_ACCESSANALYZER')).toEqual({
      [arn]: { ...analyzer, createdAt: '2026-01-01T00:00:00.000Z' },
    });
    expect(sink.snapshots[0]?.resources[0]?.facts).toMatchObject({
      SERVICE: 'accessanalyzer',
      API_KEY: 'list-analyzers',
    });
  });

  test('contacts of the account, of which one is missing', async () => {
    const contact = { FullName: 'Ada', PhoneNumber: '+1' };
    aws.on('account POST /getContactInformation', json({ ContactInformation: contact }));
    aws.on('account POST /getAlternateContact', (call) =>
      call.input.AlternateContactType === 'BILLING'
        ? failure(call, 404, 'ResourceNotFoundException')
        : json({ AlternateContact: { AlternateContactType: call.input.AlternateContactType, Name: 'Bo' } }),
    );
    const sink = await read('account');
    expect(sink.configs('LW_CFG_AWS_ACCOUNT_GET_CONTACT_INFORMATION')).toEqual({
      [`arn:aws:iam::${account}:root`]: { ContactInformation: contact },
    });
    expect(sink.configs('LW_CFG_AWS_ACCOUNT_GET_ALTERNATE_CONTACT')).toEqual({
      [`${account}/SECURITY`]: { AlternateContact: { AlternateContactType: 'SECURITY', Name: 'Bo' } },
      [`${account}/OPERATIONS`]: { AlternateContact: { AlternateContactType: 'OPERATIONS', Name: 'Bo' } },
      [`${account}/BILLING`]: {},
    });
    expect(sink.configs('LW_CFG_AWS_ACCOUNTS')).toMatchObject({
      [`arn:aws:iam::${account}:root`]: { Id: account, Alias: 'production' },
    });
  });

  test('the policy status of buckets', async () => {
    aws.on('s3 GET /', xml('<R><Buckets><Bucket><Name>one</Name></Bucket></Buckets></R>'));
    aws.on(
      's3 GET /one?location',
      xml('<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>'),
    );
    aws.on('s3 GET /one?tagging', (call) => failure(call, 404, 'NoSuchTagSet'));
    aws.on('s3 GET /one?policyStatus', xml('<PolicyStatus><IsPublic>true</IsPublic></PolicyStatus>'));
    const sink = await read('s3');
    expect(sink.configs('LW_CFG_AWS_S3_GET_BUCKET_POLICY_STATUS')).toEqual({
      'arn:aws:s3:::one': { PolicyStatus: { IsPublic: true } },
    });
  });

  test('settings and VPN endpoints of EC2', async () => {
    aws.on('ec2 GetSnapshotBlockPublicAccessState', xml('<R><state>block-all-sharing</state></R>'));
    aws.on(
      'ec2 DescribeClientVpnEndpoints',
      xml(
        '<R><clientVpnEndpoint><item><clientVpnEndpointId>cvpn-1</clientVpnEndpointId><connectionLogOptions><Enabled>false</Enabled></connectionLogOptions></item></clientVpnEndpoint></R>',
      ),
    );
    const sink = await read('ec2', ['GetSnapshotBlockPublicAccessState', 'DescribeClientVpnEndpoints']);
    expect(sink.configs('LW_CFG_AWS_EC2_GET_SNAPSHOT_BLOCK_PUBLIC_ACCESS_STATE')).toEqual({
      [inRegion]: { State: 'block-all-sharing' },
    });
    expect(sink.configs('LW_CFG_AWS_EC2_CLIENT_VPN_ENDPOINTS')).toEqual({
      [`arn:aws:ec2:us-east-1:${account}:client-vpn-endpoint/cvpn-1`]: {
        ClientVpnEndpointId: 'cvpn-1',
        ConnectionLogOptions: { Enabled: false },
      },
    });
  });

  test('Security Hub and Macie, on and off', async () => {
    const standard = { StandardsSubscriptionArn: 'arn:s', StandardsArn: 'arn:t', StandardsInput: {} };
    aws.on('securityhub GET /accounts', json({ HubArn: 'arn:h' }));
    aws.on('securityhub POST /standards/get', json({ StandardsSubscriptions: [standard] }));
    const product = `arn:aws:securityhub:us-east-1:${account}:product-subscription/aws/guardduty`;
    aws.on('securityhub GET /productSubscriptions?MaxResults=100', json({ ProductSubscriptions: [product] }));
    aws.on('macie2 GET /macie', json({ status: 'ENABLED' }));
    const on = await read('securityhub');
    const products = 'LW_CFG_AWS_SECURITYHUB_ENABLED_PRODUCTS_FOR_IMPORT';
    expect(
      on.of(products).flatMap(({ resources }) => resources.map(({ facts }) => facts.RESOURCE_ID)),
    ).toEqual([product]);
    expect(on.configs('LW_CFG_AWS_SECURITYHUB_DESCRIBE_HUB')).toEqual({ [inRegion]: { HubArn: 'arn:h' } });
    expect(on.configs('LW_CFG_AWS_SECURITYHUB_GET_ENABLED_STANDARDS')).toEqual({ 'arn:s': standard });
    expect((await read('macie2')).configs('LW_CFG_AWS_MACIE2_GET_MACIE_SESSION')).toEqual({
      [inRegion]: { status: 'ENABLED' },
    });
    aws.on('securityhub GET /accounts', (call) => failure(call, 401, 'InvalidAccessException'));
    aws.on('securityhub POST /standards/get', (call) => failure(call, 401, 'InvalidAccessException'));
    aws.on('macie2 GET /macie', (call) =>
      failure(call, 403, 'AccessDeniedException', 'Macie is not enabled.'),
    );
    aws.on('securityhub GET /productSubscriptions?MaxResults=100', (call) =>
      failure(call, 401, 'InvalidAccessException'),
    );
    const off = await read('securityhub');
    expect(off.of(products)).toMatchObject([{ status: 'empty' }]);
    expect(off.configs('LW_CFG_AWS_SECURITYHUB_DESCRIBE_HUB')).toEqual({ [inRegion]: {} });
    expect(off.of('LW_CFG_AWS_SECURITYHUB_GET_ENABLED_STANDARDS')).toMatchObject([{ status: 'empty' }]);
    expect((await read('macie2')).snapshots).toMatchObject([
      { status: 'collected', resources: [{ config: '{}' }] },
    ]);
    aws.on('macie2 GET /macie', (call) => failure(call, 403, 'AccessDeniedException', 'not authorized'));
    expect((await read('macie2')).snapshots).toMatchObject([{ status: 'denied', resources: [] }]);
  });

  test('protected resources and recovery points', async () => {
    const resource = `arn:aws:ec2:us-east-1:${account}:volume/vol-1`;
    aws.on('backup GET /resources', json({ Results: [{ ResourceArn: resource, ResourceType: 'EBS' }] }));
    aws.on(
      'backup GET /backup-vaults',
      json({ BackupVaultList: [{ BackupVaultName: 'v', BackupVaultArn: 'arn:v' }] }),
    );
    aws.on(
      'backup GET /backup-vaults/v/recovery-points',
      json({ RecoveryPoints: [{ RecoveryPointArn: 'arn:p', IsEncrypted: true }] }),
    );
    const sink = await read('backup', ['ListProtectedResources', 'ListBackupVaults']);
    const [points] = sink.of('LW_CFG_AWS_BACKUP_RECOVERY_POINTS_BY_RESOURCE');
    expect(points?.resources[0]?.facts.API_KEY).toBe('list-recovery-points-by-resource');
    expect(sink.configs('LW_CFG_AWS_BACKUP_PROTECTED_RESOURCES')).toMatchObject({ [resource]: {} });
    expect(sink.configs('LW_CFG_AWS_BACKUP_RECOVERY_POINTS_BY_RESOURCE')).toEqual({
      'arn:p': { RecoveryPointArn: 'arn:p', IsEncrypted: true },
    });
  });

  test('GuardDuty findings that are not archived', async () => {
    aws.on('guardduty GET /detector', json({ detectorIds: ['d'] }));
    aws.on('guardduty POST /detector/d/findings', json({ findingIds: ['f'] }));
    const finding = { id: 'f', arn: 'arn:f', severity: 8, service: { archived: false } };
    aws.on('guardduty POST /detector/d/findings/get', json({ findings: [finding] }));
    const sink = await read('guardduty', ['ListFindings']);
    expect(sink.configs('LW_CFG_AWS_GUARDDUTY_FINDINGS')).toEqual({ 'arn:f': { Id: 'f' } });
    expect(sink.configs('LW_CFG_AWS_GUARDDUTY_GET_FINDINGS')).toMatchObject({
      'arn:f': { Severity: 8, Service: { Archived: false } },
    });
    const [list] = aws.calls.filter(({ name }) => name === 'POST /detector/d/findings');
    expect(list?.input.findingCriteria).toEqual({ criterion: { 'service.archived': { equals: ['false'] } } });
  });

  test('connectors, function URLs and classic web ACLs', async () => {
    aws.on(
      'kafkaconnect GET /v1/connectors',
      json({ connectors: [{ connectorArn: 'arn:c', connectorName: 'c' }] }),
    );
    expect((await read('kafkaconnect')).configs('LW_CFG_AWS_KAFKACONNECT_CONNECTORS')).toEqual({
      'arn:c': { connectorArn: 'arn:c', connectorName: 'c' },
    });
    const config = { FunctionUrl: 'https://f.example/', FunctionArn: 'arn:f:live', AuthType: 'NONE' };
    aws.on(
      'lambda GET /2015-03-31/functions',
      json({ Functions: [{ FunctionName: 'f', FunctionArn: 'arn:f' }] }),
    );
    aws.on('lambda GET /2015-03-31/functions/f/policy', (call) =>
      failure(call, 404, 'ResourceNotFoundException'),
    );
    aws.on('lambda GET /2021-10-31/functions/f/urls', json({ FunctionUrlConfigs: [config] }));
    const functions = await read('lambda');
    expect(functions.configs('LW_CFG_AWS_LAMBDA_FUNCTION_URL_CONFIGS')).toEqual({ 'arn:f:live': config });
    expect(functions.configs('LW_CFG_AWS_LAMBDA_GET_POLICY')).toEqual({ 'arn:f': {} });
    aws.on('waf ListWebACLs', ({ input }) =>
      json(
        input.NextMarker
          ? { WebACLs: [{ WebACLId: 'two', Name: 'b' }] }
          : { WebACLs: [{ WebACLId: 'one', Name: 'a' }], NextMarker: 'next' },
      ),
    );
    aws.on('waf GetLoggingConfiguration', (call) => failure(call, 400, 'WAFNonexistentItemException'));
    const acls = await read('waf');
    expect(Object.keys(acls.configs('LW_CFG_AWS_WAF_WEB_ACLS'))).toEqual([
      `arn:aws:waf::${account}:webacl/one`,
      `arn:aws:waf::${account}:webacl/two`,
    ]);
    expect(Object.values(acls.configs('LW_CFG_AWS_WAF_GET_LOGGING_CONFIGURATION'))).toEqual([{}, {}]);
  });

  test('managed instances and their compliance', async () => {
    aws.on('ssm DescribeInstanceInformation', json({ InstanceInformationList: [{ InstanceId: 'i-1' }] }));
    aws.on(
      'ssm ListComplianceItems',
      json({ ComplianceItems: [{ ComplianceType: 'Patch', Id: 'KB1', Status: 'NON_COMPLIANT' }] }),
    );
    aws.on('ssm DescribeParameters', json({ Parameters: [] }));
    const sink = await read('ssm');
    const arn = `arn:aws:ssm:us-east-1:${account}:managed-instance/i-1`;
    expect(sink.configs('LW_CFG_AWS_SSM_INSTANCE_INFORMATION')).toEqual({ [arn]: { InstanceId: 'i-1' } });
    expect(sink.configs('LW_CFG_AWS_SSM_COMPLIANCES')).toEqual({
      [`${arn}/Patch/KB1`]: { ComplianceType: 'Patch', Id: 'KB1', Status: 'NON_COMPLIANT' },
    });
  });

  test('the services that users and roles accessed, found out by jobs', async () => {
    const arn = (name: string) => `arn:aws:iam::${account}:${name}`;
    const members = (name: string, path: string) =>
      `<member><Arn>${arn(name)}</Arn><Path>${path}</Path><UserName>u</UserName><RoleName>r</RoleName></member>`;
    aws.on(
      'iam ListUsers',
      xml(`<R><ListUsersResult><Users>${members('user/u', '/')}</Users></ListUsersResult></R>`),
    );
    aws.on(
      'iam ListRoles',
      xml(
        `<R><ListRolesResult><Roles>${members('role/r', '/')}${members('role/s', '/aws-service-role/x/')}</Roles></ListRolesResult></R>`,
      ),
    );
    aws.on('iam GenerateServiceLastAccessedDetails', ({ input }) =>
      xml(
        `<R><GenerateServiceLastAccessedDetailsResult><JobId>job-${String(input.Arn).at(-1)}-00000000000000000000000000000</JobId></GenerateServiceLastAccessedDetailsResult></R>`,
      ),
    );
    let polls = 0;
    aws.on('iam GetServiceLastAccessedDetails', (call) => {
      if (String(call.input.JobId).startsWith('job-r')) return failure(call, 403, 'AccessDenied');
      const status = ++polls < 3 ? 'IN_PROGRESS' : 'COMPLETED';
      const services =
        '<member><ServiceName>Bedrock</ServiceName><ServiceNamespace>bedrock</ServiceNamespace></member>';
      return xml(
        `<R><GetServiceLastAccessedDetailsResult><JobStatus>${status}</JobStatus><IsTruncated>false</IsTruncated><ServicesLastAccessed>${services}</ServicesLastAccessed></GetServiceLastAccessedDetailsResult></R>`,
      );
    });
    const sink = await read('iam', ['GetServiceLastAccessedDetails']);
    expect(sink.snapshots).toMatchObject([
      { status: 'denied', unread: [{ key: arn('role/r') }], resources: [{ key: arn('user/u') }] },
    ]);
    expect(Object.values(sink.configs('LW_CFG_AWS_IAM_GET_SERVICE_LAST_ACCESSED_DETAILS'))).toEqual([
      { ServicesLastAccessed: [{ ServiceName: 'Bedrock', ServiceNamespace: 'bedrock' }] },
    ]);
  });
});
