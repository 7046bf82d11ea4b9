import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { userRow } from '../../identity/user-row.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  await service.accounts.create('alpha');
  await service.accounts.create('beta');
  token = await service.token();
});
afterAll(() => service.stop());

type Headers = Record<string, string>;
const organization = { 'Org-Access': 'true' };
const request = (method: string, path: string, body?: unknown, headers: Headers = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });
const create = async (userName: string, more: object = {}, headers: Headers = {}) =>
  (await request('POST', 'TeamMembers', { userName, ...more }, headers)).body.data;
const pathOf = ({ userGuid }: { userGuid: string }) => `TeamMembers/${userGuid}`;
const rolesOf = async (email: string) => (await service.users.list()).find((user) => user.email === email);

describe('a team member', () => {
  test('is created in the account, read, searched and updated member by member', async () => {
    const props = { firstName: 'Ada', lastName: 'Lovelace', company: 'Engines', accountAdmin: true };
    const response = await request('POST', 'TeamMembers', {
      userName: 'Ada@Example.com',
      userEnabled: 1,
      props,
    });
    const custGuid = (await request('GET', 'UserProfile')).body.data[0].accounts.find(
      ({ accountName }: { accountName: string }) => accountName === 'LOCAL',
    ).custGuid;
    const record = {
      ...{ userGuid: expect.stringMatching(/^LOCAL_[A-Z0-9]{47}$/), custGuid },
      ...{ userName: 'ada@example.com', userEnabled: 1 },
      props: {
        ...{ ...props, orgAdmin: false, orgUser: false, jitCreated: false, updatedBy: 'admin@local' },
        ...{ createdTime: '2026-03-01T12:00:00.000Z', updatedTime: '2026-03-01T12:00:00.000Z' },
      },
    };
    expect([response.status, response.body]).toEqual([201, { data: record }]);
    const path = pathOf(response.body.data);
    expect((await request('GET', path)).body).toEqual(response.body);
    expect((await request('GET', 'TeamMembers')).body.data).toContainEqual(response.body.data);
    const filters = [{ field: 'userName', expression: 'eq', value: 'ada@example.com' }];
    expect((await request('POST', 'TeamMembers/search', { filters })).body.data).toEqual([
      response.body.data,
    ]);
    const returns = ['userGuid'];
    expect((await request('POST', 'TeamMembers/search', { filters, returns })).body.data).toEqual([
      { userGuid: response.body.data.userGuid },
    ]);
    const changed = await request('PATCH', path, { props: { company: 'Difference', lastName: null } });
    expect([changed.status, changed.body.data.props]).toEqual([
      200,
      { ...response.body.data.props, company: 'Difference' },
    ]);
    expect((await request('PATCH', path, changed.body.data)).body).toEqual(changed.body);
    expect((await request('DELETE', path)).status).toBe(204);
    const missing = await request('GET', path);
    expect([missing.status, missing.body.message]).toEqual([
      404,
      expect.stringMatching(/^Not found: user '.+'\.$/),
    ]);
  });

  test('is rejected in an account with 10,000 members, and accepted in another', async () => {
    const inGamma = { 'Account-Name': 'gamma' };
    await service.accounts.create('gamma');
    const { id: account_id } = await service.store.read
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', 'gamma')
      .executeTakeFirstOrThrow();
    const organization = await service.store.read
      .selectFrom('organizations')
      .select(['id', 'name'])
      .executeTakeFirstOrThrow();
    await service.store.housekeeping(async (tx) => {
      const { members } = await tx
        .selectFrom('memberships')
        .select(({ fn }) => fn.countAll<number>().as('members'))
        .where('account_id', '=', account_id)
        .executeTakeFirstOrThrow();
      for (let offset = Number(members); offset < 9_999; offset += 500) {
        const users = Array.from({ length: Math.min(500, 9_999 - offset) }, (_, index) =>
          userRow(organization, 0, { email: `many-${offset + index}@example.com`, updated_by: 'a test' }),
        );
        await tx.insertInto('users').values(users).execute();
        await tx
          .insertInto('memberships')
          .values(users.map(({ id }) => ({ user_id: id, account_id, role: 'accountUser' })))
          .execute();
      }
    });
    await create('last@example.com', {}, inGamma);
    const rejected = await request('POST', 'TeamMembers', { userName: 'more@example.com' }, inGamma);
    expect([rejected.status, rejected.body.message]).toEqual([
      409,
      'gamma already has 10000 team members, the maximum: delete one first.',
    ]);
    expect((await create('more@example.com')).userName).toBe('more@example.com');
    await service.accounts.delete('gamma');
  });

  test('has the user role by default', async () => {
    await create('plain@example.com');
    expect(await rolesOf('plain@example.com')).toEqual({
      ...{ email: 'plain@example.com', enabled: true, organizationRole: null },
      accounts: [{ name: 'local', role: 'accountUser' }],
    });
  });

  test('can have API keys, which stop working on disabling or deletion and work again when enabled', async () => {
    const member = await create('keys@example.com', { props: { accountAdmin: true } });
    const key = await service.keys.create('keys@example.com');
    const own = await service.token(key);
    const status = async () => (await service.request('GET', '/api/v2/TeamMembers', { token: own })).status;
    expect(await status()).toBe(200);
    const memberProps = (await request('GET', pathOf(member))).body.data.props;
    expect([memberProps.lastLoginTime, memberProps.lastSessionCreatedTime]).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T12:00:00.000Z',
    ]);
    await request('PATCH', pathOf(member), { userEnabled: 0 });
    expect(await status()).toBe(401);
    await expect(service.token(key)).rejects.toThrow('UNAUTHENTICATED');
    expect((await rolesOf('keys@example.com'))?.enabled).toBe(false);
    await request('PATCH', pathOf(member), { userEnabled: 1 });
    expect(await status()).toBe(200);
    await request('DELETE', pathOf(member));
    expect(await status()).toBe(401);
    await expect(service.token(key)).rejects.toThrow('UNAUTHENTICATED');
  });

  test('exists once across all accounts, also under concurrent creation', async () => {
    await service.users.grant('elsewhere@example.com', 'accountUser', 'alpha');
    for (const userName of ['elsewhere@example.com', 'ADMIN@local']) {
      const response = await request('POST', 'TeamMembers', { userName });
      expect([response.status, response.body.message]).toEqual([
        409,
        expect.stringContaining('already exists'),
      ]);
    }
    const responses = await Promise.all(
      [1, 2, 3].map(() => request('POST', 'TeamMembers', { userName: 'race@example.com' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('keeps concurrent updates of different members', async () => {
    const member = await create('busy@example.com');
    await Promise.all([
      request('PATCH', pathOf(member), { props: { firstName: 'Grace' } }),
      request('PATCH', pathOf(member), { props: { lastName: 'Hopper' } }),
      request('PATCH', pathOf(member), { props: { accountAdmin: true } }),
      request('PATCH', pathOf(member), { userEnabled: 0 }),
    ]);
    const { userEnabled, props } = (await request('GET', pathOf(member))).body.data;
    expect({ userEnabled, props }).toMatchObject({
      userEnabled: 0,
      props: { firstName: 'Grace', lastName: 'Hopper', accountAdmin: true },
    });
  });

  test.each([
    [{}, 'userName'],
    [{ userName: 'nobody' }, 'e-mail'],
    [{ userName: 'a@b', userEnabled: true }, 'userEnabled'],
    [{ userName: 'a@b', userEnabled: 2 }, 'userEnabled'],
    [{ userName: 'a@b', props: { firstName: 7 } }, 'props.firstName'],
    [{ userName: 'a@b', props: { accountAdmin: 1 } }, 'props.accountAdmin'],
  ])('is rejected as %j, naming the member', async (body, expectedName) => {
    const response = await request('POST', 'TeamMembers', body);
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(expectedName)]);
  });

  test('cannot change the user name', async () => {
    const member = await create('same@example.com');
    const renamed = await request('PATCH', pathOf(member), { userName: 'other@example.com' });
    expect([renamed.status, renamed.body.message]).toEqual([
      400,
      expect.stringContaining('userName can not change'),
    ]);
    expect((await request('PATCH', pathOf(member), { userName: 'Same@Example.com' })).status).toBe(200);
  });

  test('has audit entries with the changed members and the roles', async () => {
    const member = await create('audited@example.com');
    await request('PATCH', pathOf(member), { userEnabled: 0, props: { accountAdmin: true } });
    await request('DELETE', pathOf(member));
    const filters = [{ field: 'eventDescription', expression: 'like', value: `%${member.userGuid}%` }];
    const { body } = await request('POST', 'AuditLogs/search', { filters });
    const auditEntries = body.data
      .map(({ eventDescription }: { eventDescription: string }) => eventDescription)
      .sort();
    const name = `by admin@local: 'audited@example.com' (${member.userGuid})`;
    expect(auditEntries).toEqual([
      `Team Member Created ${name}: accountUser in local`,
      `Team Member Deleted ${name} with all API keys and tokens`,
      `Team Member Updated ${name}: userEnabled, accountRoles; accountAdmin in local`,
    ]);
  });
});

describe("the organization's own administrator", () => {
  test.each(['local', 'alpha'])('is listed among the members of %s', async (account) => {
    const inAccount = { 'Account-Name': account };
    const [{ accounts }] = (await request('GET', 'UserProfile')).body.data;
    const { custGuid } = accounts.find(
      ({ accountName }: { accountName: string }) => accountName === account.toUpperCase(),
    );
    const { data } = (await request('GET', 'TeamMembers', undefined, inAccount)).body;
    const self = data.find(({ userName }: { userName: string }) => userName === 'admin@local');
    expect(self).toMatchObject({ custGuid, userEnabled: 1, props: { orgAdmin: true, orgUser: false } });
    expect((await request('GET', pathOf(self), undefined, inAccount)).body.data).toEqual(self);
    const filters = [{ field: 'userName', expression: 'eq', value: 'admin@local' }];
    expect((await request('POST', 'TeamMembers/search', { filters }, inAccount)).body.data).toEqual([self]);
    const same = await request('PATCH', pathOf(self), self, inAccount);
    expect([same.status, (await rolesOf('admin@local'))?.accounts]).toEqual([200, []]);
    const rejected = await request('DELETE', pathOf(self), undefined, inAccount);
    expect([rejected.status, rejected.body.message]).toEqual([
      409,
      `admin@local has a role in the organization, not in ${account}: send the header Org-Access: true to delete them.`,
    ]);
  });
});

describe('with Org-Access', () => {
  test('writes return the user with all accounts, and lists contain all users', async () => {
    const roles = { adminRoleAccounts: ['ALPHA'], userRoleAccounts: ['beta'] };
    const response = await request(
      'POST',
      'TeamMembers',
      { userName: 'multi@example.com', ...roles },
      organization,
    );
    const { userGuid } = response.body.data;
    const account = { custGuid: expect.any(String), userGuid, userEnabled: 1 };
    expect([response.status, response.body.data]).toEqual([
      201,
      {
        ...{ userGuid, userName: 'multi@example.com', url: 'local.lacework.net' },
        ...{ orgAccount: true, orgAdmin: false, orgUser: false },
        accounts: [
          { ...account, accountName: 'ALPHA', admin: true },
          { ...account, accountName: 'BETA', admin: false },
        ],
      },
    ]);
    const list = (await request('GET', 'TeamMembers', undefined, organization)).body.data;
    const names = list.map(({ userName }: { userName: string }) => userName);
    expect(names).toEqual((await service.users.list()).map(({ email }) => email));
    const returned = await request('GET', `TeamMembers/${userGuid}`, undefined, organization);
    expect(returned.body.data).toMatchObject({
      userName: 'multi@example.com',
      props: { accountAdmin: true },
    });
    expect((await request('GET', `TeamMembers/${userGuid}`)).status).toBe(404);
    expect(
      (await request('GET', `TeamMembers/${userGuid}`, undefined, { 'Account-Name': 'beta' })).body.data
        .props,
    ).toMatchObject({ accountAdmin: false });
  });

  test('every custGuid is an account of the profile; a search has a record for each account', async () => {
    const roles = { adminRoleAccounts: ['BETA'], userRoleAccounts: ['alpha', 'local'] };
    await create('spread@example.com', roles, organization);
    const [{ accounts }] = (await request('GET', 'UserProfile', undefined, organization)).body.data;
    const names = new Map<string, string>(
      accounts.map(({ custGuid, accountName }: Record<string, string>) => [custGuid, accountName]),
    );
    const list = (await request('GET', 'TeamMembers', undefined, organization)).body.data;
    for (const { custGuid, userName } of list) expect(names.has(custGuid), userName).toBe(true);
    const search = async (value: string) => {
      const filters = [{ field: 'userName', expression: 'eq', value }];
      const { body } = await request('POST', 'TeamMembers/search', { filters }, organization);
      return body.data.map(({ custGuid, props }: { custGuid: string; props: { accountAdmin: boolean } }) => [
        names.get(custGuid),
        props.accountAdmin,
      ]);
    };
    expect(await search('spread@example.com')).toEqual([
      ['ALPHA', false],
      ['BETA', true],
      ['LOCAL', false],
    ]);
    expect(await search('admin@local')).toEqual([['LOCAL', false]]);
    const [multiAccount] = list.filter(
      ({ userName }: { userName: string }) => userName === 'spread@example.com',
    );
    expect([names.get(multiAccount.custGuid), multiAccount.props.accountAdmin]).toEqual(['BETA', true]);
  });

  test('roles are granted, replaced array by array, and revoked', async () => {
    const { userGuid } = await create('roles@example.com', { orgUser: true }, organization);
    const change = async (body: object) => {
      const { body: response } = await request('PATCH', `TeamMembers/${userGuid}`, body, organization);
      const { orgAdmin, orgUser, accounts } = response.data;
      return { orgAdmin, orgUser, reached: accounts.length };
    };
    expect((await rolesOf('roles@example.com'))?.organizationRole).toBe('orgUser');
    expect(await change({ orgAdmin: true })).toEqual({ orgAdmin: true, orgUser: false, reached: 3 });
    expect(await change({ orgUser: false })).toEqual({ orgAdmin: true, orgUser: false, reached: 3 });
    const roleArrays = { adminRoleAccounts: ['alpha'], userRoleAccounts: ['beta', 'local'] };
    expect(await change({ orgAdmin: false, ...roleArrays })).toEqual({
      orgAdmin: false,
      orgUser: false,
      reached: 3,
    });
    expect(await change({ adminRoleAccounts: ['beta'] })).toMatchObject({ reached: 2 });
    expect((await rolesOf('roles@example.com'))?.accounts).toEqual([
      { name: 'beta', role: 'accountAdmin' },
      { name: 'local', role: 'accountUser' },
    ]);
    expect(await change({ adminRoleAccounts: [], userRoleAccounts: [] })).toMatchObject({ reached: 0 });
  });

  test.each([
    [{}, 'adminRoleAccounts'],
    [{ orgAdmin: true, orgUser: true }, 'orgUser'],
    [{ adminRoleAccounts: ['nowhere'] }, "adminRoleAccounts contains 'nowhere'"],
    [{ adminRoleAccounts: ['alpha'], userRoleAccounts: ['Alpha'] }, 'alpha'],
  ])('%j is rejected', async (roles, expectedName) => {
    const response = await request(
      'POST',
      'TeamMembers',
      { userName: 'no@example.com', ...roles },
      organization,
    );
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(expectedName)]);
    expect(await rolesOf('no@example.com')).toBeUndefined();
  });

  test('a deleted user is removed from all accounts', async () => {
    const member = await create('gone@example.com', { adminRoleAccounts: ['alpha', 'beta'] }, organization);
    expect((await request('DELETE', pathOf(member), undefined, organization)).status).toBe(204);
    expect(await rolesOf('gone@example.com')).toBeUndefined();
  });
});
