import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Aws } from '../../outbound/aws/aws.ts';
import { BaseCredentials } from '../../outbound/aws/base-credentials.ts';
import { BulkOutbound } from '../../outbound/bulk-outbound.ts';
import { ManualClock } from '../../testing/clock.ts';
import { account, FakeAws, failure, json, virtualBudget, xml } from '../../testing/fake-aws.ts';
import { bulkOutboundIn, outboundTo, publicAddress } from '../../testing/outbound.ts';
import { Receiver } from '../../testing/receiver.ts';
import { awsTargets } from './integration-targets.ts';
import { localAwsTargets } from './local-targets.ts';

const { signal } = new AbortController();
const clock = new ManualClock();
let aws: FakeAws;
const outbound = new BulkOutbound({ allowsPrivate: true });
beforeAll(async () => {
  aws = await FakeAws.start();
});
beforeEach(() => {
  aws.forget();
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) process.env[name] = 'AKIALOCAL';
  serve();
});
afterAll(async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) delete process.env[name];
  await Promise.all([aws.close(), outbound.close()]);
});

const identity = (id: string, partition = 'aws') =>
  xml(
    `<R><GetCallerIdentityResult><Account>${id}</Account><Arn>arn:${partition}:iam::${id}:user/u</Arn></GetCallerIdentityResult></R>`,
  );
const regionSet = (regions: Readonly<Record<string, string>>) =>
  xml(
    `<R><regionInfo>${Object.entries(regions)
      .map(
        ([name, status]) =>
          `<item><regionName>${name}</regionName><optInStatus>${status}</optInStatus></item>`,
      )
      .join('')}</regionInfo></R>`,
  );
const credentials = (key: string) =>
  xml(
    `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>${key}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
  );

/** Members have credentials that name their account. */
function serve() {
  aws.on('sts GetCallerIdentity', ({ headers }) =>
    identity(/Credential=ASIA(\d+)/.exec(headers.authorization ?? '')?.[1] ?? account),
  );
  aws.on('sts AssumeRole', ({ input }) => credentials(`ASIA${String(input.RoleArn).split(':')[4]}`));
  aws.on(
    'ec2 DescribeRegions',
    regionSet({
      'us-east-1': 'opt-in-not-required',
      'ap-east-1': 'not-opted-in',
      'me-south-1': 'opted-in',
      'evil.example/': '',
    }),
  );
  aws.on(
    'iam ListAccountAliases',
    xml(
      '<R><ListAccountAliasesResult><AccountAliases><member>prod</member></AccountAliases></ListAccountAliasesResult></R>',
    ),
  );
  aws.on('organizations DescribeOrganization', (call) => failure(call, 400, 'AccessDeniedException'));
}

const environment = () => ({ AWS_ENDPOINT_URL: aws.receiver.url.replace('127.0.0.1', 'localhost') });
const local = (options: Parameters<typeof localAwsTargets>[1] = {}) =>
  localAwsTargets(
    { outbound, budget: virtualBudget(clock), clock, environment: environment() },
    options,
    signal,
  );

describe('local AWS targets', () => {
  test('are the account of the credentials in its enabled regions', async () => {
    const { targets, problems } = await local();
    expect(problems).toEqual([]);
    expect(targets.map(({ cloudAccount, title }) => [cloudAccount, title])).toEqual([
      [account, `AWS account ${account}`],
    ]);
    const readings = (await targets[0]?.readings(signal)) ?? [];
    expect(new Set(readings.map(({ region }) => region))).toEqual(
      new Set(['aws-global', 'us-east-1', 'me-south-1']),
    );
    expect(readings.map(({ id }) => id)).toContain('ec2/DescribeInstances me-south-1');
    const [limited] = (await local({ regions: ['us-east-1', 'ap-east-1'] })).targets;
    expect(new Set((await limited?.readings(signal))?.map(({ region }) => region))).toEqual(
      new Set(['aws-global', 'us-east-1']),
    );
  });

  test('of an organization are its active accounts, with a role in each', async () => {
    const member = '210987654321';
    aws.on(
      'organizations ListAccounts',
      json({
        Accounts: [
          { Id: account, Name: 'management', Status: 'ACTIVE' },
          { Id: member, Name: 'shop', Status: 'ACTIVE' },
          { Id: '333333333333', Name: 'old', Status: 'SUSPENDED' },
        ],
      }),
    );
    const { targets, problems } = await local({ organization: { roleName: 'reader', externalId: 'x' } });
    expect(targets.map(({ title }) => title)).toEqual([
      `AWS account ${account}`,
      `AWS account ${member} (shop)`,
    ]);
    expect(problems).toEqual([
      { status: 'not enabled', reason: 'AWS account 333333333333 (old) is not active.' },
    ]);
    await targets[1]?.readings(signal);
    const assumed = aws.calls.filter(({ name }) => name === 'AssumeRole');
    expect(assumed.map(({ input }) => [input.RoleArn, input.ExternalId])).toEqual([
      [`arn:aws:iam::${member}:role/reader`, 'x'],
    ]);
  });

  test('name the permission that is missing', async () => {
    aws.on('organizations ListAccounts', (call) => failure(call, 400, 'AccessDeniedException', 'no'));
    await expect(local({ organization: { roleName: 'reader' } })).rejects.toMatchObject({
      status: 'denied',
      permission: 'organizations:ListAccounts',
    });
    aws.on('ec2 DescribeRegions', (call) => failure(call, 403, 'UnauthorizedOperation', 'no'));
    const [target] = (await local()).targets;
    await expect(target?.readings(signal)).rejects.toMatchObject({
      status: 'denied',
      permission: 'ec2:DescribeRegions',
    });
  });

  test('explain how to sign in if there are no credentials', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    process.env.AWS_EC2_METADATA_DISABLED = 'true';
    try {
      await expect(local({ profile: 'no-such-profile' })).rejects.toMatchObject({
        status: 'denied',
        reason: expect.stringContaining('aws sso login'),
      });
    } finally {
      delete process.env.AWS_EC2_METADATA_DISABLED;
    }
  });
});

describe('the AWS account of an integration', () => {
  const names = [
    ...['sts.us-east-1', 'ec2.us-east-1', 'iam', 'organizations.us-east-1'].map(
      (name) => `${name}.amazonaws.com`,
    ),
    ...['sts.us-gov-west-1', 'ec2.us-gov-west-1', 'iam.us-gov', 'organizations.us-gov-west-1'].map(
      (name) => `${name}.amazonaws.com`,
    ),
    ...['sts.cn-north-1', 'ec2.cn-north-1', 'iam.cn-north-1', 'organizations.cn-northwest-1'].map(
      (name) => `${name}.amazonaws.com.cn`,
    ),
  ];
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start(names);
  });
  afterAll(() => receiver.close());

  function targetOf(type: string, data: object, partition: string, region: string) {
    receiver.forget();
    receiver.react = ({ body, url }) => {
      if (body.includes('Action=AssumeRole')) return credentials('ASIAROLE');
      if (body.includes('GetCallerIdentity')) return identity(account, partition);
      if (body.includes('DescribeRegions')) return regionSet({ [region]: 'opt-in-not-required' });
      return { status: 400, headers: { 'x-amzn-errortype': 'AccessDenied' }, body: `{"message":"${url}"}` };
    };
    const own = { AWS_ACCESS_KEY_ID: 'AKIAOURSELVES', AWS_SECRET_ACCESS_KEY: 'ours' };
    const guarded = outboundTo(receiver, names);
    const base = new BaseCredentials({ environment: own, metadata: guarded, clock });
    const hosts = Object.fromEntries(names.map((name) => [name, publicAddress]));
    const bulk = bulkOutboundIn({ receiver, hosts });
    const assuming = new Aws({ outbound: guarded, base, environment: own, clock });
    const deps = { outbound: bulk, budget: virtualBudget(clock), clock, aws: assuming };
    const { targets } = awsTargets({ type, data }, deps);
    return { target: targets[0], close: () => bulk.close() };
  }
  const hostsOf = () => [...new Set(receiver.received.map(({ url }) => new URL(url).hostname))];

  test.each([
    ['aws', 'us-east-1', '.us-east-1.amazonaws.com'],
    ['aws-us-gov', 'us-gov-west-1', '.us-gov-west-1.amazonaws.com'],
    ['aws-cn', 'cn-north-1', '.cn-north-1.amazonaws.com.cn'],
  ])(
    'in the partition %s is read with its role from the endpoints of the partition',
    async (partition, region, domain) => {
      const roleArn = `arn:${partition}:iam::${account}:role/reader`;
      const data = { crossAccountCredentials: { roleArn, externalId: 'x' } };
      const { target, close } = targetOf('AwsCfg', data, partition, region);
      const readings = (await target?.readings(signal)) ?? [];
      await close();
      expect(target?.cloudAccount).toBe(account);
      expect(new Set(readings.map((reading) => reading.region))).toEqual(new Set(['aws-global', region]));
      expect(hostsOf()).toEqual(expect.arrayContaining([`sts${domain}`, `ec2${domain}`]));
      expect(hostsOf().every((host) => names.includes(host))).toBe(true);
      const [assume, ...others] = receiver.received;
      expect(assume?.body).toContain('ExternalId=x');
      for (const { headers } of others) expect(headers.authorization).toContain('Credential=ASIAROLE/');
    },
  );

  test('in GovCloud is read with its access key', async () => {
    const accessKeyCredentials = { accountId: account, accessKeyId: 'AKIAGOV', secretAccessKey: 's' };
    const { target, close } = targetOf(
      'AwsUsGovCfg',
      { accessKeyCredentials },
      'aws-us-gov',
      'us-gov-west-1',
    );
    await target?.readings(signal);
    await close();
    for (const { headers } of receiver.received)
      expect(headers.authorization).toContain('Credential=AKIAGOV/');
    expect(hostsOf()[0]).toBe('sts.us-gov-west-1.amazonaws.com');
  });

  test('is not read with credentials of another account', async () => {
    const roleArn = 'arn:aws:iam::999999999999:role/reader';
    const data = { crossAccountCredentials: { roleArn, externalId: 'x' } };
    const { target, close } = targetOf('AwsCfg', data, 'aws', 'us-east-1');
    await expect(target?.readings(signal)).rejects.toThrow(
      `The credentials are those of AWS account ${account}, not of 999999999999`,
    );
    await close();
  });

  test('is denied if its role may not be assumed', async () => {
    const roleArn = `arn:aws:iam::${account}:role/reader`;
    const data = { crossAccountCredentials: { roleArn, externalId: 'x' } };
    const { target, close } = targetOf('AwsCfg', data, 'aws', 'us-east-1');
    receiver.react = () => ({ status: 403, body: '<Error><Code>AccessDenied</Code></Error>' });
    await expect(target?.readings(signal)).rejects.toMatchObject({
      status: 'denied',
      permission: 'sts:AssumeRole',
      reason: expect.stringContaining(`The role ${roleArn} could not be assumed.`),
    });
    await close();
  });
});
