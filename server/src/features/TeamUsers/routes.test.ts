import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });
const john = { name: 'John Doe', email: 'John@Example.com', company: 'Acme', userEnabled: 1 };

describe('a team user', () => {
  test('who is a person has an e-mail address, and is the same user as in TeamMembers', async () => {
    const response = await request('POST', 'TeamUsers', { ...john, type: 'StandardUser' });
    const { userGuid } = response.body.data;
    expect([response.status, response.body.data]).toEqual([
      201,
      {
        ...{ ...john, email: 'john@example.com', userName: 'john@example.com' },
        ...{ userGuid, type: 'StandardUser', description: '', updatedBy: 'admin@local' },
        ...{ createdTime: '2026-03-01T12:00:00.000Z', updatedTime: '2026-03-01T12:00:00.000Z' },
      },
    ]);
    const path = `TeamUsers/${userGuid}`;
    expect((await request('GET', path)).body).toEqual(response.body);
    expect((await request('GET', 'TeamUsers')).body.data).toEqual([response.body.data]);
    const filters = [{ field: 'userGuid', expression: 'eq', value: userGuid }];
    expect((await request('POST', 'TeamUsers/search', { filters, returns: ['userGuid'] })).body.data).toEqual(
      [{ userGuid }],
    );
    const member = await request('PATCH', `TeamMembers/${userGuid}`, {
      props: { firstName: 'John Jacob', lastName: 'Doe' },
    });
    expect(member.body.data.props).toMatchObject({
      firstName: 'John Jacob',
      company: 'Acme',
      accountAdmin: false,
    });
    const same = await request('PATCH', path, { name: 'John Jacob Doe', userEnabled: 0 });
    expect(same.body.data).toMatchObject({ name: 'John Jacob Doe', userEnabled: 0 });
    expect((await request('GET', `TeamMembers/${userGuid}`)).body.data.props.firstName).toBe('John Jacob');
    expect((await request('PATCH', path, { name: 'Jane Roe' })).body.data.name).toBe('Jane Roe');
    expect((await request('DELETE', path)).status).toBe(204);
    expect((await request('GET', path)).status).toBe(404);
  });

  test('that is a program has a user name derived from its name, and can have API keys', async () => {
    const nightly = { name: 'Nightly Scan (EU)', description: 'scans', type: 'ServiceUser' };
    const { status, body } = await request('POST', 'TeamUsers', nightly);
    expect([status, body.data]).toEqual([201, expect.objectContaining({ ...nightly, userEnabled: 1 })]);
    expect(body.data).not.toHaveProperty('email');
    expect(body.data.userName).toBe('nightly-scan-eu@service.local');
    await request('POST', 'UserGroups/LACEWORK_USER_GROUP_POWER_USER/addUsers', {
      userGuids: [body.data.userGuid],
    });
    const own = await service.token(await service.keys.create(body.data.userName));
    expect((await service.request('GET', '/api/v2/TeamUsers', { token: own })).status).toBe(200);
    const again = await request('POST', 'TeamUsers', { ...nightly, name: 'nightly scan eu' });
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('already exists')]);
    const described = await request('PATCH', `TeamUsers/${body.data.userGuid}`, {
      description: 'scans at night',
    });
    expect(described.body.data).toMatchObject({ name: nightly.name, description: 'scans at night' });
  });

  test.each([
    [{ email: 'a@example.com' }, 'name'],
    [{ name: '  ', email: 'a@example.com' }, 'name'],
    [{ name: 'A' }, 'email is required'],
    [{ name: 'A', email: 'a' }, 'email'],
    [{ name: 'A', email: 'a@example.com', type: 'ServiceUser' }, 'email must be omitted'],
    [{ name: 'A', email: 'a@example.com', type: 'King' }, 'type'],
    [{ name: 'A', email: 'a@example.com', userEnabled: true }, 'userEnabled'],
  ])('is rejected as %j, naming the member', async (body, expectedName) => {
    const response = await request('POST', 'TeamUsers', body);
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(expectedName)]);
  });

  test('keeps its type and e-mail address', async () => {
    const { body } = await request('POST', 'TeamUsers', { name: 'A', email: 'stays@example.com' });
    const path = `TeamUsers/${body.data.userGuid}`;
    for (const change of [{ type: 'ServiceUser' }, { email: 'other@example.com' }]) {
      const response = await request('PATCH', path, change);
      expect([response.status, response.body.message]).toEqual([
        400,
        expect.stringContaining('create another'),
      ]);
    }
    expect((await request('PATCH', path, body.data)).body.data).toEqual(body.data);
  });
});
