import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
const tokens = { alice: '', viewer: '', root: '' };
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  await service.accounts.create('alpha');
  await service.accounts.create('beta');
  tokens.root = await service.token();
  tokens.alice = await service.token(await service.member('alice@example.com', 'accountAdmin', 'alpha'));
  tokens.viewer = await service.token(await service.member('viewer@example.com', 'orgUser'));
});
afterAll(() => service.stop());

type TestUser = keyof typeof tokens;
const organization = { 'Org-Access': 'true' };
const request = (
  testUser: TestUser,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => service.request(method, `/api/v2/${path}`, { token: tokens[testUser], body, headers });
const userOf = async (email: string) => (await service.users.list()).find((user) => user.email === email);
const guidOf = async (email: string): Promise<string> => {
  const users = await request('root', 'GET', 'TeamMembers', undefined, organization);
  return users.body.data.find(({ userName }: { userName: string }) => userName === email).userGuid;
};

/** Creates a user that account administrators of alpha can see but not update. */
async function createMember(email: string, grants: readonly (readonly [string, string?])[]): Promise<string> {
  for (const [role, account] of grants) await service.users.grant(email, role as 'accountUser', account);
  return guidOf(email);
}

describe('an account administrator', () => {
  test.each([
    { orgAdmin: true },
    { orgUser: true },
    { adminRoleAccounts: ['beta'] },
    { userRoleAccounts: ['beta'] },
  ])('cannot grant %j, neither to a new member nor to themselves', async (roles) => {
    const created = await request('alice', 'POST', 'TeamMembers', {
      userName: 'raised@example.com',
      ...roles,
    });
    const self = await request('alice', 'PATCH', `TeamMembers/${await guidOf('alice@example.com')}`, roles);
    for (const { status, body } of [created, self]) {
      expect([status, body.message]).toEqual([403, expect.stringContaining('Org-Access')]);
    }
    const asOrganization = { userName: 'raised@example.com', ...roles };
    expect((await request('alice', 'POST', 'TeamMembers', asOrganization, organization)).status).toBe(403);
    expect(await userOf('raised@example.com')).toBeUndefined();
    expect(await userOf('alice@example.com')).toMatchObject({
      organizationRole: null,
      accounts: [{ name: 'alpha', role: 'accountAdmin' }],
    });
  });

  test('cannot grant roles through props, where they are ignored', async () => {
    const props = { orgAdmin: true, orgUser: true };
    const { body } = await request('alice', 'POST', 'TeamMembers', { userName: 'props@example.com', props });
    expect(body.data.props).toMatchObject({ orgAdmin: false, orgUser: false });
    expect((await userOf('props@example.com'))?.organizationRole).toBeNull();
  });

  test.each([
    ['an administrator of the organization', [['orgAdmin'], ['accountUser', 'alpha']]],
    ['a reader of the organization', [['orgUser'], ['accountUser', 'alpha']]],
    [
      'a member of two accounts',
      [
        ['accountUser', 'alpha'],
        ['accountUser', 'beta'],
      ],
    ],
  ] as const)(
    'cannot update, disable or promote %s, but can remove them from the account',
    async (_, grants) => {
      const email = `shared${grants.flat().join('-').toLowerCase()}@example.com`;
      const userGuid = await createMember(email, grants);
      const before = await userOf(email);
      for (const [method, path, body] of [
        ['PATCH', `TeamMembers/${userGuid}`, { userEnabled: 0 }],
        ['PATCH', `TeamMembers/${userGuid}`, { props: { firstName: 'Mallory' } }],
        ['PATCH', `TeamMembers/${userGuid}`, { props: { accountAdmin: true } }],
        ['PATCH', `TeamUsers/${userGuid}`, { userEnabled: 0 }],
        ['PATCH', `TeamUsers/${userGuid}`, { name: 'Mallory' }],
        ['POST', 'UserGroups/LACEWORK_USER_GROUP_ADMIN/addUsers', { userGuids: [userGuid] }],
      ] as const) {
        const response = await request('alice', method, path, body);
        expect([path, response.status, response.body.message]).toEqual([
          path,
          403,
          expect.stringContaining(email),
        ]);
      }
      expect(await userOf(email)).toEqual(before);
      expect((await request('alice', 'DELETE', `TeamMembers/${userGuid}`)).status).toBe(204);
      expect(await userOf(email)).toEqual({
        ...before,
        accounts: before?.accounts.filter(({ name }) => name !== 'alpha'),
      });
      expect((await request('alice', 'GET', `TeamMembers/${userGuid}`)).status).toBe(404);
    },
  );

  test.each(['TeamMembers', 'TeamUsers'])('sees no users of other accounts in %s', async (family) => {
    await service.users.grant('bob@example.com', 'accountUser', 'beta');
    for (const email of ['bob@example.com', 'admin@local']) {
      const path = `${family}/${await guidOf(email)}`;
      for (const [method, body] of [['GET'], ['PATCH', { userEnabled: 0 }], ['DELETE']] as const) {
        const response = await request('alice', method, path, body);
        expect([response.status, response.body.message]).toEqual([
          404,
          expect.stringMatching(/^Not found: user '.+'\.$/),
        ]);
      }
      expect((await userOf(email))?.enabled).toBe(true);
      const { body } = await request('alice', 'POST', `${family}/search`, {});
      expect(JSON.stringify(body)).not.toContain(email);
    }
  });
});

describe('a read-only user of the organization', () => {
  test('sees all users but cannot update any', async () => {
    const list = await request('viewer', 'GET', 'TeamMembers', undefined, organization);
    expect(list.body.data.length).toBeGreaterThan(2);
    const path = `TeamMembers/${await guidOf('viewer@example.com')}`;
    const raise = await request('viewer', 'PATCH', path, { orgAdmin: true }, organization);
    expect(raise.status).toBe(403);
    expect((await userOf('viewer@example.com'))?.organizationRole).toBe('orgUser');
  });
});

describe('an administrator of the organization', () => {
  test('can update users that account administrators cannot', async () => {
    const userGuid = await createMember('both@example.com', [
      ['accountUser', 'alpha'],
      ['accountUser', 'beta'],
    ]);
    const headers = { 'Account-Name': 'alpha' };
    const response = await request('root', 'PATCH', `TeamMembers/${userGuid}`, { userEnabled: 0 }, headers);
    expect([response.status, response.body.data.userEnabled]).toEqual([200, 0]);
  });

  test('cannot be deleted, demoted or disabled if they are the last one', async () => {
    const others = (await service.users.list()).filter(
      ({ email, organizationRole }) => organizationRole === 'orgAdmin' && email !== 'admin@local',
    );
    for (const { email } of others) await service.users.grant(email, 'orgUser');
    await service.users.grant('asleep@example.com', 'orgAdmin');
    const disabledMember = `TeamMembers/${await guidOf('asleep@example.com')}`;
    expect((await request('root', 'PATCH', disabledMember, { userEnabled: 0 }, organization)).status).toBe(
      200,
    );
    const path = `TeamMembers/${await guidOf('admin@local')}`;
    for (const [method, body] of [
      ['DELETE'],
      ['PATCH', { orgAdmin: false }],
      ['PATCH', { orgUser: true }],
      ['PATCH', { userEnabled: 0 }],
    ] as const) {
      const response = await request('root', method, path, body, organization);
      expect([response.status, response.body.message]).toEqual([
        409,
        expect.stringContaining('last administrator'),
      ]);
    }
    await expect(service.users.delete('admin@local')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(service.users.grant('admin@local', 'orgUser')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await userOf('admin@local')).toMatchObject({ enabled: true, organizationRole: 'orgAdmin' });
  });

  test('remains if the last two demote each other concurrently', async () => {
    const emails = ['first@example.com', 'second@example.com'];
    for (let round = 0; round < 5; round++) {
      for (const email of emails) await service.users.grant(email, 'orgAdmin');
      const guids = await Promise.all([...emails, 'admin@local'].map(guidOf));
      const responses = await Promise.all(
        guids.map((guid) => request('root', 'PATCH', `TeamMembers/${guid}`, { orgUser: true }, organization)),
      );
      const remaining = (await service.users.list()).filter(
        ({ enabled, organizationRole }) => enabled && organizationRole === 'orgAdmin',
      );
      expect(remaining.length).toBeGreaterThan(0);
      for (const { status } of responses) expect([200, 403, 409]).toContain(status);
      const [lastAdmin] = remaining;
      if (lastAdmin?.email !== 'admin@local') await service.users.grant('admin@local', 'orgAdmin');
    }
  });
});
