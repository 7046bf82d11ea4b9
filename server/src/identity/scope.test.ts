import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../testing/service.ts';

let service: TestService;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  service = await TestService.start();
  await service.accounts.create('alpha');
  await service.accounts.create('beta');
  for (const [name, role, account] of [
    ['root', 'orgAdmin', undefined],
    ['viewer', 'orgUser', undefined],
    ['alice', 'accountAdmin', 'alpha'],
  ] as const) {
    tokens[name] = await service.token(await service.member(`${name}@example.com`, role, account));
  }
  await service.users.grant('alice@example.com', 'accountUser', 'beta');
});
afterAll(() => service.stop());

const auditLogs = async (user: string, headers: Record<string, string> = {}) => {
  const { status, body } = await service.request('GET', '/api/v2/AuditLogs', {
    token: tokens[user],
    headers,
  });
  return {
    status,
    message: body.message,
    accounts: new Set(body.data?.map((entry: { accountName: string }) => entry.accountName)),
  };
};

describe('the scope of a request', () => {
  test('is the account of the key by default', async () => {
    expect((await auditLogs('root')).accounts).toEqual(new Set(['LOCAL']));
    expect((await auditLogs('alice')).accounts).toEqual(new Set(['ALPHA']));
  });

  test('is the named account in any letter case, for organization roles', async () => {
    for (const user of ['root', 'viewer']) {
      for (const name of ['alpha', 'Alpha', 'ALPHA']) {
        expect((await auditLogs(user, { 'ACCOUNT-NAME': name })).accounts).toEqual(new Set(['ALPHA']));
      }
    }
  });

  test('is limited to administered accounts for an account admin', async () => {
    expect((await auditLogs('alice', { 'Account-Name': 'alpha' })).status).toBe(200);
    for (const name of ['beta', 'local', 'nowhere']) {
      const rejected = await auditLogs('alice', { 'Account-Name': name });
      expect(rejected.status).toBe(403);
      expect(rejected.message).toContain(`Invalid Account '${name}'`);
    }
  });

  test('may be any of several accounts of one account admin', async () => {
    await service.users.grant('alice@example.com', 'accountAdmin', 'beta');
    expect((await auditLogs('alice', { 'Account-Name': 'beta' })).status).toBe(200);
    await service.users.grant('alice@example.com', 'accountUser', 'beta');
    expect((await auditLogs('alice', { 'Account-Name': 'beta' })).status).toBe(403);
  });

  test('is the organization with Org-Access, which overrides Account-Name', async () => {
    const entries = async (headers: Record<string, string>) =>
      (await service.request('GET', '/api/v2/AuditLogs', { token: tokens.root, headers })).body.data.map(
        (entry: { eventName: string }) => entry.eventName,
      );
    const ofOrganization = await entries({ 'Org-Access': 'True', 'Account-Name': 'alpha' });
    expect(ofOrganization).toContain('Organization Created');
    expect(ofOrganization).toContain('Account Created');
    expect(ofOrganization).not.toContain('API Key Created');
    const ofAccount = await entries({ 'Org-Access': 'false' });
    expect(ofAccount).not.toContain('Organization Created');
    expect(ofAccount).toContain('API Key Created');
  });

  test('requires an organization role for Org-Access, which other operations ignore', async () => {
    expect((await auditLogs('viewer', { 'Org-Access': 'true' })).status).toBe(200);
    expect((await auditLogs('alice', { 'Org-Access': 'true' })).status).toBe(403);
    const schemas = await service.request('GET', '/api/v2/schemas', {
      token: tokens.alice as string,
      headers: { 'Org-Access': 'true' },
    });
    expect(schemas.status).toBe(200);
  });

  test('is not checked by OrganizationInfo and UserProfile', async () => {
    for (const path of ['/api/v2/OrganizationInfo', '/api/v2/UserProfile']) {
      const headers = { 'Account-Name': 'nowhere', 'Org-Access': 'true' };
      expect((await service.request('GET', path, { token: tokens.alice as string, headers })).status).toBe(
        200,
      );
    }
  });
});
