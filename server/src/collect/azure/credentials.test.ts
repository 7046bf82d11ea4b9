import { createHash, createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FakeAzure, integration, json, subscription, tenant } from '../../testing/azure.ts';
import { outboundTo } from '../../testing/outbound.ts';
import type { Received } from '../../testing/receiver.ts';
import { type AzureApplication, applicationCredential } from './application.ts';
import { azureCloudIn, azureClouds } from './endpoints.ts';
import { localCredential } from './local-credential.ts';
import { localAzureTargets } from './targets.ts';

const management = azureClouds.public.management;
const { signal } = new AbortController();
let azure: FakeAzure;
let directory: string;
beforeAll(async () => {
  azure = await FakeAzure.start();
  directory = mkdtempSync(join(tmpdir(), 'vedette-azure-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await azure.close();
});
beforeEach(() => {
  azure.receiver.forget();
  azure.intercept = () => undefined;
});

const form = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body));
const fileOf = (name: string, content: string) => {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
};
const local = (environment: NodeJS.ProcessEnv, tenantId?: string) =>
  localCredential({
    ...azure.deps,
    endpoints: azureClouds.public,
    environment,
    metadata: outboundTo(azure.receiver, ['login.microsoftonline.com']),
    tenant: tenantId,
  });

/** A certificate and its key in one PEM file. */
function certificatePem(): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  certificate.setSubject([{ name: 'commonName', value: 'vedette' }]);
  certificate.setIssuer([{ name: 'commonName', value: 'vedette' }]);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return `${privateKey}${forge.pki.certificateToPem(certificate)}`;
}

const application: AzureApplication = {
  ...integration,
  proof: { by: 'secret', secret: integration.clientSecret },
};

describe('an application', () => {
  test('gets a token by its secret', async () => {
    const credential = applicationCredential(application, { ...azure.deps, endpoints: azureClouds.public });
    expect(await credential(management, signal)).toEqual({
      value: `token for ${management}/.default`,
      expiresAt: azure.clock.now() + 3_599_000,
    });
    const [request] = azure.receiver.received;
    expect(request?.url).toBe(`https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`);
    expect(form(request as Received)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'reader',
      client_secret: 'client-secret-canary',
      scope: 'https://management.azure.com/.default',
    });
  });

  test('is refused with the reason of Azure, without its secret', async () => {
    azure.intercept = () => ({
      status: 401,
      body: JSON.stringify({
        error: 'invalid_client',
        error_description: 'AADSTS7000215: Invalid client secret provided: client-secret-canary.',
      }),
    });
    const credential = applicationCredential(application, { ...azure.deps, endpoints: azureClouds.public });
    await expect(credential(management, signal)).rejects.toMatchObject({
      status: 'denied',
      message:
        'Azure issued no token to application reader: 401 invalid_client: AADSTS7000215: Invalid client secret provided: ***.',
    });
  });

  test('gets a token by an assertion that its certificate signed', async () => {
    const pem = certificatePem();
    const environment = {
      ...{ AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: 'reader' },
      AZURE_CLIENT_CERTIFICATE_PATH: fileOf('certificate.pem', pem),
    };
    expect((await local(environment)(management, signal)).value).toContain('token for');
    const { client_assertion = '', client_assertion_type } = form(azure.receiver.received[0] as Received);
    expect(client_assertion_type).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    const [header = '', claims = '', signature = ''] = client_assertion.split('.');
    const { raw } = new X509Certificate(pem);
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      ...{ alg: 'RS256', typ: 'JWT' },
      'x5t#S256': createHash('sha256').update(raw).digest('base64url'),
    });
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      ...{
        aud: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
        iss: 'reader',
        sub: 'reader',
      },
      exp: azure.clock.now() / 1_000 + 600,
    });
    const isGenuine = verify(
      ...(['RSA-SHA256', Buffer.from(`${header}.${claims}`), createPublicKey(pem)] as const),
      Buffer.from(signature, 'base64url'),
    );
    expect(isGenuine).toBe(true);
  });

  test('with a certificate file that is none is refused without its content', async () => {
    const file = fileOf('none.pem', 'canary');
    const environment = {
      AZURE_TENANT_ID: tenant,
      AZURE_CLIENT_ID: 'x',
      AZURE_CLIENT_CERTIFICATE_PATH: file,
    };
    await expect(local(environment)(management, signal)).rejects.toMatchObject({
      message:
        'The certificate of the application is not a PEM file with a certificate and its RSA private key.',
    });
  });

  test('gets a token by the file of a workload identity, which is read each time', async () => {
    const file = fileOf('federated-token', 'first\n');
    const credential = local({
      ...{ AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: 'reader', AZURE_FEDERATED_TOKEN_FILE: file },
    });
    await credential(management, signal);
    writeFileSync(file, 'second');
    await credential(management, signal);
    expect(azure.receiver.received.map((one) => form(one).client_assertion)).toEqual(['first', 'second']);
  });
});

describe('without an application in the environment', () => {
  const az = (script: string) => {
    const bin = mkdtempSync(join(directory, 'bin-'));
    writeFileSync(join(bin, 'az'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'az'), 0o755);
    return { PATH: `${bin}:/usr/bin:/bin` };
  };

  test('the user who signed in with az has a token', async () => {
    const environment = az(
      `printf '{"accessToken":"%s","expires_on":1900000000,"tenant":"t","tokenType":"Bearer"}' "$(echo "$@" | tr ' ' ,)"`,
    );
    expect(await local(environment, tenant)(management, signal)).toEqual({
      value: `account,get-access-token,--output,json,--resource,${management},--tenant,${tenant}`,
      expiresAt: 1_900_000_000_000,
    });
  });

  test('an app has the identity that its platform offers', async () => {
    azure.intercept = () => json({ access_token: 'of the app', expires_on: '1900000000' });
    const environment = {
      ...{ IDENTITY_ENDPOINT: 'https://login.microsoftonline.com/msi/token', IDENTITY_HEADER: 'header' },
      AZURE_CLIENT_ID: 'own',
    };
    expect(await local(environment)(management, signal)).toEqual({
      value: 'of the app',
      expiresAt: 1_900_000_000_000,
    });
    const [request] = azure.receiver.received;
    expect(request?.headers['x-identity-header']).toBe('header');
    expect(Object.fromEntries(new URL(request?.url ?? '').searchParams)).toEqual({
      'api-version': '2019-08-01',
      resource: management,
      client_id: 'own',
    });
  });

  test('and without any other credential, the message says what to do', async () => {
    const environment = az('echo "Please run az login to setup account." >&2; exit 1');
    await expect(local(environment)(management, signal)).rejects.toMatchObject({
      status: 'denied',
      message:
        'Found no Azure credentials. az account get-access-token failed: Please run az login to setup account. ' +
        'The host has no managed identity. ' +
        'Sign in with az login, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET.',
    });
    await expect(local({ PATH: directory })(management, signal)).rejects.toMatchObject({
      message: expect.stringContaining('az is not installed.'),
    });
  });
});

describe('the targets of a credential', () => {
  const environment = {
    ...{ AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: 'reader', AZURE_CLIENT_SECRET: 'secret' },
  };
  const find = (options: object = {}) =>
    localAzureTargets(
      { environment, metadata: outboundTo(azure.receiver, ['login.microsoftonline.com']), ...options },
      azure.deps,
      signal,
    );

  test('are the tenant and its subscriptions, with ids in lower case', async () => {
    const { targets, problems } = await find();
    expect(targets.map(({ cloud, cloudAccount, title }) => [cloud, cloudAccount, title])).toEqual([
      ['azure', tenant, `Azure tenant ${tenant} (Amberwood)`],
      ['azure', subscription, `Azure subscription ${subscription} (Shop)`],
    ]);
    expect(problems).toEqual([]);
  });

  test('are those that were asked for', async () => {
    const other = '99999999-0000-4000-8000-00000000000a';
    const { targets, problems } = await find({ subscriptions: [subscription.toUpperCase(), other] });
    expect(targets.map(({ cloudAccount }) => cloudAccount)).toEqual([tenant, subscription]);
    expect(problems).toMatchObject([
      { status: 'denied', reason: `The credential does not see subscription ${other}.` },
    ]);
  });

  test('are only the tenant where it sees no subscription', async () => {
    azure.intercept = ({ url }) => (url.includes('/subscriptions?') ? json({ value: [] }) : undefined);
    const { targets, problems } = await find({ tenant });
    expect(targets.map(({ cloudAccount }) => cloudAccount)).toEqual([tenant]);
    expect(problems).toMatchObject([
      { reason: 'The credential sees no subscription: assign the role Reader to it.' },
    ]);
  });

  test('are of several tenants, of which only the directory of its own is read', async () => {
    const guest = '44444444-0000-4000-8000-00000000000c';
    const delegated = {
      subscriptionId: guest,
      tenantId: '55555555-0000-4000-8000-00000000000d',
      state: 'Enabled',
    };
    const subscriptions = [{ subscriptionId: subscription, tenantId: tenant, state: 'Warned' }, delegated];
    azure.intercept = ({ url }) => json({ value: url.includes('/subscriptions?') ? subscriptions : [] });
    const claims = Buffer.from(JSON.stringify({ tid: tenant.toUpperCase() })).toString('base64url');
    const bin = mkdtempSync(join(directory, 'bin-'));
    writeFileSync(
      join(bin, 'az'),
      `#!/bin/sh\necho '{"accessToken":"e30.${claims}.x","expires_on":1900000000}'\n`,
    );
    chmodSync(join(bin, 'az'), 0o755);
    const { targets } = await find({ environment: { PATH: `${bin}:/usr/bin:/bin` } });
    expect(targets.map(({ title }) => title)).toEqual([
      `Azure tenant ${tenant}`,
      `Azure subscription ${subscription}`,
      `Azure subscription ${guest}`,
    ]);
  });

  test('use a new token once where the old one is refused', async () => {
    let refused = 0;
    azure.intercept = ({ url }) =>
      url.includes('/tenants') && refused++ === 0
        ? { status: 401, body: '{"error":{"code":"ExpiredAuthenticationToken"}}' }
        : undefined;
    await find();
    expect(azure.receiver.received.filter(({ url }) => url.includes('/oauth2/'))).toHaveLength(2);
    azure.intercept = ({ url }) => (url.includes('/tenants') ? { status: 401, body: '{}' } : undefined);
    await expect(find()).rejects.toMatchObject({ status: 'denied' });
  });
});

test('the cloud is the one that the environment names', () => {
  expect(azureCloudIn({})).toBe('public');
  expect(azureCloudIn({ AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.us/' })).toBe('usgovernment');
  expect(azureCloudIn({ AZURE_AUTHORITY_HOST: 'https://login.chinacloudapi.cn' })).toBe('china');
  expect(azureCloudIn({ AZURE_ENVIRONMENT: 'AzureUSGovernment' })).toBe('usgovernment');
});
