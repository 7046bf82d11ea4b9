import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json } from '../../testing/asset-server.ts';
import { collectDeps } from '../../testing/gcp-collection.ts';
import { expectGenuine } from '../../testing/genuine.ts';
import { bulkOutboundIn, publicAddress } from '../../testing/outbound.ts';
import { type Reaction, type Received, Receiver } from '../../testing/receiver.ts';
import { googleKey } from '../../testing/transports.ts';
import { type LocalGcpOptions, localGcpTargets } from './local-targets.ts';

const names = ['oauth2', 'sts', 'iamcredentials', 'cloudresourcemanager', 'cloudasset'].map(
  (name) => `${name}.googleapis.com`,
);
const metadataHost = 'metadata.google.internal';
let receiver: Receiver;
let home: string;
let replies: Record<string, Reaction>;
beforeAll(async () => {
  receiver = await Receiver.start([...names, metadataHost]);
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vedette-gcp-'));
  receiver.forget();
  replies = { 'https://oauth2.googleapis.com/token': json({ access_token: 'token', expires_in: 3_600 }) };
  receiver.react = ({ url }) => replies[url.split('?')[0] as string] ?? { status: 404 };
});
afterEach(() => rmSync(home, { recursive: true }));
afterAll(() => receiver.close());

function discover(environment: NodeJS.ProcessEnv, more: Partial<LocalGcpOptions> = {}) {
  const deps = collectDeps(receiver);
  const hosts = Object.fromEntries([...names, metadataHost].map((host) => [host, publicAddress]));
  const outbound = bulkOutboundIn({ receiver, hosts });
  return localGcpTargets({ environment, home, ...more }, { ...deps, outbound }, new AbortController().signal);
}

function write(path: string, content: object | string): string {
  const file = join(home, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const accounts = async (found: ReturnType<typeof discover>) =>
  (await found).targets.map(({ cloudAccount }) => cloudAccount);
const forms = () => receiver.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
const user = {
  ...{
    type: 'authorized_user',
    client_id: 'id',
    client_secret: 'canary-client',
    refresh_token: 'canary-refresh',
  },
  quota_project_id: 'billing-project',
};
const adc = '.config/gcloud/application_default_credentials.json';

describe('the credentials of the user’s own tools', () => {
  test('are the key of a service account that a variable names, with its project', async () => {
    const file = write('key.json', {
      ...{ type: 'service_account', project_id: 'shop-1', client_email: 'a@b', private_key_id: 'k' },
      private_key: googleKey.privateKey,
    });
    const { targets, problems } = await discover({ GOOGLE_APPLICATION_CREDENTIALS: file });
    expect([targets[0]?.cloudAccount, targets[0]?.title, problems]).toEqual([
      'projects/shop-1',
      'Google Cloud project shop-1',
      [],
    ]);
    receiver.received.forEach(expectGenuine);
  });

  test('are those of gcloud, with the project of its active configuration and the quota project', async () => {
    write(adc, user);
    write('.config/gcloud/active_config', 'work\n');
    write(
      '.config/gcloud/configurations/config_work',
      '[core]\naccount = a\nproject = shop-2\n[compute]\nproject = no\n',
    );
    const { targets } = await discover({});
    expect(targets.map(({ cloudAccount }) => cloudAccount)).toEqual(['projects/shop-2']);
    expect(forms()).toEqual([
      {
        ...{ grant_type: 'refresh_token', client_id: 'id', client_secret: 'canary-client' },
        refresh_token: 'canary-refresh',
      },
    ]);
    await targets[0]?.readings(new AbortController().signal);
    expect(receiver.received[1]?.headers).toMatchObject({
      authorization: 'Bearer token',
      'x-goog-user-project': 'billing-project',
    });
  });

  test('are a token in the environment', async () => {
    const environment = { GOOGLE_OAUTH_ACCESS_TOKEN: 't', GOOGLE_CLOUD_PROJECT: 'shop-3' };
    expect(await accounts(discover(environment))).toEqual(['projects/shop-3']);
    expect(receiver.received).toEqual([]);
  });

  test('are those of the host in Google Cloud', async () => {
    const base = `http://${metadataHost}/computeMetadata/v1`;
    replies[`${base}/instance/service-accounts/default/token`] = json({
      access_token: 'host',
      expires_in: 60,
    });
    replies[`${base}/project/project-id`] = { body: 'shop-4\n' };
    expect(await accounts(discover({}))).toEqual(['projects/shop-4']);
    expect(receiver.received.map(({ headers }) => headers['metadata-flavor'])).toEqual(['Google', 'Google']);
  });

  test('are an impersonated service account', async () => {
    const url = 'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/r@p:generateAccessToken';
    write(adc, {
      ...{ type: 'impersonated_service_account', service_account_impersonation_url: url },
      source_credentials: user,
    });
    replies[url] = json({ accessToken: 'impersonated', expireTime: '2026-03-01T13:00:00Z' });
    const { targets } = await discover({ CLOUDSDK_CORE_PROJECT: 'shop-5' });
    await targets[0]?.readings(new AbortController().signal);
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer token',
      'Bearer impersonated',
    ]);
    expect(JSON.parse(receiver.received[1]?.body ?? '')).toEqual({
      scope: ['https://www.googleapis.com/auth/cloud-platform'],
    });
  });

  test('are the token of a workload elsewhere, from a file', async () => {
    const file = write('workload.json', {
      ...{ type: 'external_account', audience: '//iam.googleapis.com/pool', subject_token_type: 'urn:jwt' },
      token_url: 'https://sts.googleapis.com/v1/token',
      credential_source: {
        file: write('token', '{"t":"subject"}'),
        format: { type: 'json', subject_token_field_name: 't' },
      },
    });
    replies['https://sts.googleapis.com/v1/token'] = json({ access_token: 'exchanged', expires_in: 60 });
    const environment = { GOOGLE_APPLICATION_CREDENTIALS: file, GOOGLE_CLOUD_PROJECT: 'shop-6' };
    expect(await accounts(discover(environment))).toEqual(['projects/shop-6']);
    expect(forms()).toMatchObject([{ audience: '//iam.googleapis.com/pool', subject_token: 'subject' }]);
  });

  test.each<[string, object | string | undefined, Reaction | undefined, string]>([
    [
      'there are none',
      undefined,
      undefined,
      'No Google Cloud credentials were found: run gcloud auth application-default login',
    ],
    ['the file is damaged', '{', undefined, 'is not valid JSON: create it again.'],
    [
      'a member is missing',
      { ...user, refresh_token: 1 },
      undefined,
      'has no refresh_token: create it again.',
    ],
    ['they have another type', { type: 'gdch' }, undefined, 'type "gdch" is not supported'],
    [
      'they were revoked',
      user,
      { status: 400, body: '{"error":"invalid_grant","error_description":"Revoked canary-refresh"}' },
      'Google issued no token to the user (400 invalid_grant: Revoked ***).',
    ],
    [
      'a token would go elsewhere',
      {
        type: 'external_account',
        token_url: 'https://sts.example.com/',
        credential_source: { file: '/dev/null' },
      },
      undefined,
      'token_url must be an https address at googleapis.com.',
    ],
    [
      'the token of a workload is missing',
      { type: 'external_account', credential_source: { file: '/nothing/here' } },
      undefined,
      'credential_source.file /nothing/here can not be read.',
    ],
    [
      'the token of a workload is in no JSON',
      { type: 'external_account', credential_source: { file: '/dev/null', format: { type: 'json' } } },
      undefined,
      'credential_source has no token in the member undefined.',
    ],
    [
      'the source is a program',
      { type: 'external_account', credential_source: { executable: { command: 'x' } } },
      undefined,
      'AWS and executable sources are not supported.',
    ],
  ])('say what is wrong if %s', async (_, file, reply, message) => {
    if (file !== undefined) write(adc, file);
    else receiver.expect('reset');
    if (reply) replies['https://oauth2.googleapis.com/token'] = reply;
    const { targets, problems } = await discover({ GOOGLE_CLOUD_PROJECT: 'shop-7' });
    expect(targets).toEqual([]);
    expect(problems).toMatchObject([{ status: 'denied', reason: expect.stringContaining(message) }]);
  });
});

describe('what is collected', () => {
  const environment = { GOOGLE_OAUTH_ACCESS_TOKEN: 't', NO_GCE_CHECK: 'true' };
  const manager = 'https://cloudresourcemanager.googleapis.com/v3';

  test('is what the user names', async () => {
    const parents = ['organizations/12', 'folders/34', 'projects/example.com:shop'];
    const { targets } = await discover(environment, { parents });
    expect(targets.map(({ cloudAccount, title }) => [cloudAccount, title])).toEqual([
      ['organizations/12', 'Google Cloud organization 12'],
      ['folders/34', 'Google Cloud folder 34'],
      ['projects/example.com:shop', 'Google Cloud project example.com:shop'],
    ]);
    for (const wrong of ['shop', 'organizations/x', 'projects/a/b', 'projects/../x', ''])
      expect(await discover(environment, { parents: [wrong] })).toEqual({
        targets: [],
        problems: [
          {
            status: 'failed',
            reason: `'${wrong}' must be projects/<id>, folders/<number> or organizations/<number>.`,
          },
        ],
      });
  });

  test('are all organizations, or without a project all active projects, that the user sees', async () => {
    replies[`${manager}/organizations:search`] = json({
      organizations: [{ name: 'organizations/12' }, { name: 'x' }, null],
    });
    expect(await accounts(discover(environment, { isOrganization: true }))).toEqual(['organizations/12']);
    const pages = [
      {
        projects: [
          { projectId: 'one', state: 'ACTIVE' },
          { projectId: 'two', state: 'DELETE_REQUESTED' },
        ],
        nextPageToken: 'n',
      },
      { projects: [{ projectId: 'three', state: 'ACTIVE' }] },
    ];
    receiver.react = ({ url }: Received) => json(pages[url.includes('pageToken=n') ? 1 : 0]);
    expect(await accounts(discover(environment))).toEqual(['projects/one', 'projects/three']);
  });

  test('is nothing if the user sees nothing, and that is said', async () => {
    replies[`${manager}/projects:search`] = json({});
    expect(await discover(environment)).toMatchObject({
      targets: [],
      problems: [
        { status: 'denied', reason: expect.stringContaining('see no project: set GOOGLE_CLOUD_PROJECT') },
      ],
    });
    replies[`${manager}/projects:search`] = { status: 403 };
    expect((await discover(environment)).problems).toMatchObject([
      { status: 'denied', permission: 'resourcemanager.projects.get' },
    ]);
  });
});
