import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  await service.accounts.create('alpha');
  token = await service.token(await service.member('alice@example.com', 'accountAdmin', 'alpha'));
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });
const change = (group: string, operation: string, userGuids: unknown) =>
  request('POST', `UserGroups/LACEWORK_USER_GROUP_${group}/${operation}`, { userGuids });
const create = async (email: string): Promise<string> =>
  (await request('POST', 'TeamUsers', { name: 'Somebody', email })).body.data.userGuid;
const isAdmin = async (guid: string): Promise<boolean> =>
  (await request('GET', `TeamMembers/${guid}`)).body.data.props.accountAdmin;
const aliceGuid = async (): Promise<string> =>
  (await request('GET', 'UserProfile')).body.data[0].accounts[0].userGuid;

describe('a user group', () => {
  test.each(['ADMIN', 'POWER_USER'])('%s grants and revokes write access', async (group) => {
    const [alice, guid] = [await aliceGuid(), await create(`${group.toLowerCase()}@example.com`)];
    const added = await change(group, 'addUsers', [guid, guid]);
    expect(added.status).toBe(200);
    expect(added.body.data.userGroupGuid).toBe(`LACEWORK_USER_GROUP_${group}`);
    expect(new Set(added.body.data.userGuids)).toEqual(new Set([alice, guid]));
    expect(await isAdmin(guid)).toBe(true);
    expect((await change(group, 'addUsers', [guid])).body).toEqual(added.body);
    const removed = await change(group, 'removeUsers', [guid]);
    expect([removed.status, removed.body.data.userGuids]).toEqual([200, [alice]]);
    expect(await isAdmin(guid)).toBe(false);
  });

  test('READ_ONLY_USER contains all members, revokes nothing and cannot be left', async () => {
    const [alice, guid] = [await aliceGuid(), await create('reader@example.com')];
    const { body } = await change('READ_ONLY_USER', 'addUsers', [guid, alice]);
    const members = (await request('GET', 'TeamMembers')).body.data.map(
      ({ userGuid }: { userGuid: string }) => userGuid,
    );
    expect(body.data.userGuids).toEqual(members);
    expect([await isAdmin(alice), await isAdmin(guid)]).toEqual([true, false]);
    const rejected = await change('READ_ONLY_USER', 'removeUsers', [guid]);
    expect([rejected.status, rejected.body.message]).toEqual([
      409,
      expect.stringContaining('delete the team member'),
    ]);
  });

  test('rejects users of other accounts by name, without changes', async () => {
    await service.users.grant('stranger@example.com', 'accountUser', 'local');
    const otherUser = (
      await service.store.read
        .selectFrom('users')
        .select('id')
        .where('email', '=', 'stranger@example.com')
        .executeTakeFirstOrThrow()
    ).id;
    const guid = await create('known@example.com');
    for (const operation of ['addUsers', 'removeUsers']) {
      const response = await change('ADMIN', operation, [guid, otherUser, 'FAKE']);
      expect([response.status, response.body.message]).toEqual([
        400,
        expect.stringContaining(`'${otherUser}', 'FAKE'`),
      ]);
      expect(response.body.message).not.toContain(guid);
    }
    expect(await isAdmin(guid)).toBe(false);
  });

  test.each(['NOBODY', ''])('named %j does not exist', async (group) => {
    const response = await change(group, 'addUsers', []);
    expect([response.status, response.body.message]).toEqual([404, expect.stringContaining('Not found')]);
    expect((await request('POST', 'UserGroups/toString/addUsers', { userGuids: [] })).status).toBe(404);
  });

  test.each([undefined, 'x', [7], ['']])('requires an array of identifiers, not %j', async (userGuids) => {
    const response = await change('ADMIN', 'addUsers', userGuids);
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining('userGuids')]);
  });

  test('has audit entries with the group and the users', async () => {
    const guid = await create('audited@example.com');
    await change('ADMIN', 'addUsers', [guid]);
    await change('ADMIN', 'removeUsers', [guid]);
    const filters = [
      { field: 'eventDescription', expression: 'like', value: '%GROUP_ADMIN: audited@example.com' },
    ];
    const { body } = await request('POST', 'AuditLogs/search', { filters });
    expect(body.data.map(({ eventName }: { eventName: string }) => eventName).sort()).toEqual([
      'User Group Members Added',
      'User Group Members Removed',
    ]);
  });
});
