import { describe, expect, test } from 'vitest';
import { withMember } from '../inventory/member.ts';
import { redacted } from '../inventory/redacted.ts';
import { describeAws, loadAwsServices } from './catalogue.ts';
import { type AwsRead, allReads, isCustom } from './service.ts';
import { storedConfig } from './stored-config.ts';

const secret = 'canary';
const url = `https://user:${secret}@git.example/code`;

/** For each kind with redactions, an item with secrets in all of them, and values that are stored. */
const samples: Readonly<Record<string, unknown>> = {
  LW_CFG_AWS_APIGATEWAYV2_GET_STAGES: { StageVariables: { key: secret } },
  LW_CFG_AWS_APIGATEWAY_GET_STAGES: { variables: { key: secret } },
  LW_CFG_AWS_APPSYNC_GRAPHQL_APIS: { environmentVariables: { key: secret } },
  LW_CFG_AWS_CLOUDFRONT: header(),
  LW_CFG_AWS_CLOUDFRONT_GET_DISTRIBUTION_CONFIG: { DistributionConfig: header() },
  LW_CFG_AWS_CODEBUILD_BATCH_GET_PROJECTS: {
    projects: [
      {
        environment: {
          environmentVariables: [
            { name: 'A', type: 'PLAINTEXT', value: secret },
            { name: 'B', value: secret },
            { name: 'C', type: 'SECRETS_MANAGER', value: 'kept: name of a secret' },
          ],
        },
        source: { location: url, buildspec: secret },
        secondarySources: [{ location: url, buildspec: secret }],
      },
    ],
  },
  LW_CFG_AWS_DMS_ENDPOINTS: {
    EngineName: 'kept',
    ExtraConnectionAttributes: secret,
    Password: secret,
    RedisSettings: { AuthPassword: secret, SslSecurityProtocol: 'kept' },
    MongoDbSettings: { Password: secret, ServerName: url },
    OracleSettings: { AsmPassword: secret, SecurityDbEncryption: secret },
    KafkaSettings: { SaslPassword: secret, SslClientKeyPassword: secret },
    ElasticsearchSettings: { EndpointUri: url },
  },
  LW_CFG_AWS_EC2_LAUNCH_TEMPLATE_VERSIONS: { LaunchTemplateData: { UserData: secret, ImageId: 'kept' } },
  LW_CFG_AWS_ECS_DESCRIBE_TASK_DEFINITION: {
    taskDefinition: {
      containerDefinitions: [
        {
          name: 'kept',
          environment: [{ name: 'kept', value: secret }],
          logConfiguration: { options: { 'awslogs-group': 'kept', 'splunk-token': secret } },
          firelensConfiguration: { options: { token: secret } },
        },
      ],
    },
  },
  LW_CFG_AWS_ELASTICBEANSTALK_DESCRIBE_CONFIGURATION_SETTINGS: {
    ConfigurationSettings: [
      {
        OptionSettings: [
          { Namespace: 'aws:elasticbeanstalk:application:environment', OptionName: 'A', Value: secret },
          { Namespace: 'aws:rds:dbinstance', OptionName: 'DBPassword', Value: secret },
          { Namespace: 'aws:elasticbeanstalk:cloudwatch:logs', OptionName: 'StreamLogs', Value: 'kept' },
        ],
      },
    ],
  },
  LW_CFG_AWS_ELBV2_DESCRIBE_LISTENERS: {
    DefaultActions: [{ AuthenticateOidcConfig: { ClientSecret: secret } }],
  },
  LW_CFG_AWS_EMR_DESCRIBE_CLUSTER: {
    Cluster: {
      KerberosAttributes: {
        ...{ Realm: 'kept', KdcAdminPassword: secret, ADDomainJoinPassword: secret },
        CrossRealmTrustPrincipalPassword: secret,
      },
      Configurations: [{ Properties: { a: secret }, Configurations: [{ Properties: { a: secret } }] }],
    },
  },
  LW_CFG_AWS_GLUE_JOBS: {
    DefaultArguments: { '--encryption-type': 'kept', '--password': secret },
    NonOverridableArguments: { '--password': secret },
    CodeGenConfigurationNodes: { node: { password: secret } },
  },
  LW_CFG_AWS_IAM_MFA_DEVICES: { Base32StringSeed: secret, QRCodePNG: secret },
  LW_CFG_AWS_LAMBDA: { Environment: { Variables: { DB_PASSWORD: secret }, Error: { Message: secret } } },
  LW_CFG_AWS_MQ_DESCRIBE_BROKER: { LdapServerMetadata: { ServiceAccountPassword: secret } },
  LW_CFG_AWS_RDS_CLUSTERS: { PendingModifiedValues: { MasterUserPassword: secret } },
  LW_CFG_AWS_RDS_DB_INSTANCES: { PendingModifiedValues: { MasterUserPassword: secret } },
  LW_CFG_AWS_REDSHIFT_CLUSTERS: { PendingModifiedValues: { MasterUserPassword: secret } },
  LW_CFG_AWS_SNS_SUBSCRIPTIONS: { Endpoint: url },
  LW_CFG_AWS_SSM_PARAMETERS: { Name: 'kept', Type: 'SecureString', Value: secret },
  LW_CFG_AWS_STEPFUNCTIONS_DESCRIBE_STATE_MACHINE: { definition: secret },
};

function header() {
  return {
    Origins: { Items: [{ CustomHeaders: { Items: [{ HeaderName: 'kept', HeaderValue: secret }] } }] },
  };
}

const reads = (await loadAwsServices()).flatMap((service) =>
  service.reads.flatMap((read) => (isCustom(read) ? [] : [...allReads(read)])),
);
const withRedactions = reads.filter(
  (read): read is AwsRead & { kind: string } =>
    read.kind !== undefined && (read.redact !== undefined || read.urls !== undefined),
);

describe('redactions', () => {
  test('all have a sample', async () => {
    const declared = (await describeAws()).filter(({ redactions }) => redactions.length > 0);
    expect(Object.keys(samples).sort()).toEqual(declared.map(({ kind }) => kind));
  });

  test.each(withRedactions.map((read) => [read.kind, read] as const))(
    'of %s store no secret',
    (kind, read) => {
      const item = samples[kind];
      const given = JSON.stringify(item);
      expect(given).toContain(secret);
      const stored = storedConfig(read, item);
      expect(stored).not.toContain(secret);
      expect(stored).toContain(redacted);
      expect(stored.split('kept')).toHaveLength(given.split('kept').length);
    },
  );

  test('keep what is absent absent, and names of variables', () => {
    const lambda = withRedactions.find(({ kind }) => kind === 'LW_CFG_AWS_LAMBDA') as AwsRead;
    expect(storedConfig(lambda, { FunctionName: 'f' })).toBe('{"FunctionName":"f"}');
    expect(storedConfig(lambda, { Environment: { Variables: { A: '', B: 'x' } } })).toBe(
      '{"Environment":{"Variables":{"A":"","B":"[redacted]"}}}',
    );
    // A provider that changes the type of a member does not get a secret stored either.
    expect(storedConfig(lambda, { Environment: { Variables: { A: [secret] } } })).not.toContain(secret);
  });

  test('apply to members, elements and conditions', () => {
    const x = () => 'x';
    expect(withMember({ a: [{ b: 1 }, { b: 2 }], c: 1 }, 'a.*.b', x)).toEqual({
      a: [{ b: 'x' }, { b: 'x' }],
      c: 1,
    });
    expect(withMember({ a: 1, b: 2, c: 3 }, '*[!a|b]', x)).toEqual({ a: 1, b: 2, c: 'x' });
    expect(
      withMember(
        [
          { t: 'p', v: 1 },
          { t: 'q', v: 1 },
        ],
        '*[t=p].v',
        x,
      ),
    ).toEqual([
      { t: 'p', v: 'x' },
      { t: 'q', v: 1 },
    ]);
    expect(withMember({ a: 'text' }, 'a.*.b', x)).toEqual({ a: 'text' });
  });
});
