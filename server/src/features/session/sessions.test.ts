import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Directory } from '../../identity/directory.ts';
import { Sessions } from '../../identity/sessions.ts';
import { type RequestOptions, sessionOf, TestService } from '../../testing/service.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000] as const;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const newCode = async (email?: string) => {
  const directory = new Directory(service.store, 'tester@example.com');
  return new URL((await service.links.create(directory, service.url, email)).url).hash.slice(1);
};
const useLink = (code: string, { headers, ...options }: RequestOptions = {}) =>
  service.request('POST', '/session/link', {
    ...options,
    body: { code },
    headers: { origin: service.url, ...headers },
  });
const get = (session: string) => service.request('GET', '/session', { session });
const listOf = async (session: string) =>
  (await service.request('GET', '/session/list', { session })).body.data;
const lastAct = async (userName: string) =>
  (
    await service.store.read
      .selectFrom('audit_log')
      .select('event_description')
      .where('user_name', '=', userName)
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
  )?.event_description;

describe('a session', () => {
  test('ends after 12 hours without a request', async () => {
    const session = await service.signIn();
    service.clock.advance(12 * hour - 1);
    expect((await get(session)).status).toBe(200);
    service.clock.advance(12 * hour - 1);
    expect((await get(session)).status).toBe(200);
    service.clock.advance(12 * hour);
    const ended = await get(session);
    expect([ended.status, ended.body.code, ended.body.message]).toEqual([
      401,
      'UNAUTHENTICATED',
      'The session has ended: sign in again.',
    ]);
  });

  test('ends after seven days in any case', async () => {
    const session = await service.signIn();
    for (let hours = 0; hours < 7 * 24 - 10; hours += 10) {
      service.clock.advance(10 * hour);
      expect((await get(session)).status).toBe(200);
    }
    const { endTime } = (await get(session)).body.data;
    service.clock.advance(Date.parse(endTime) - service.clock.now() - 1);
    expect((await get(session)).status).toBe(200);
    service.clock.advance(1);
    expect((await get(session)).status).toBe(401);
  });

  test('records its use at most once a minute', async () => {
    const session = await service.signIn();
    const [{ id, lastUsedTime }] = await listOf(session);
    service.clock.advance(minute - 1);
    expect((await listOf(session))[0]).toMatchObject({ id, lastUsedTime });
    service.clock.advance(1);
    await Promise.all(Array.from({ length: 5 }, () => get(session)));
    expect(Date.parse((await listOf(session))[0].lastUsedTime)).toBe(service.clock.now());
  });

  test('ends when the user signs out, which deletes the cookie', async () => {
    const session = await service.signIn();
    service.clock.advance(1);
    const response = await service.request('DELETE', '/session', { session });
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-vedette=; .*; Max-Age=0$/);
    expect((await get(session)).status).toBe(401);
    expect(await lastAct('admin@local')).toMatch(/^Session Ended by admin@local: session \w+ from/);
  });

  test('is listed for its user only, who can end it', async () => {
    await service.users.grant('two@example.com', 'orgUser');
    const headers = { 'user-agent': `Firefox ${'x'.repeat(500)}` };
    const code = await newCode('two@example.com');
    const first = sessionOf(await useLink(code, { headers })) as string;
    service.clock.advance(1);
    const second = await service.signIn('two@example.com');
    const list = await listOf(second);
    expect(list).toMatchObject([
      { current: true, address: '127.0.0.1', createdTime: new Date(service.clock.now()).toISOString() },
      { current: false },
    ]);
    expect(list[1].userAgent).toMatch(/^Firefox x{111}…$/);
    expect(JSON.stringify(list)).not.toContain(second.slice(1));
    const foreign = await service.signIn();
    const end = (session: string) => service.request('DELETE', `/session/list/${list[1].id}`, { session });
    expect((await end(foreign)).status).toBe(404);
    expect((await get(first)).status).toBe(200);
    expect((await end(second)).status).toBe(204);
    expect((await get(first)).status).toBe(401);
    expect((await end(second)).status).toBe(404);
  });

  test('is replaced by a sign-in of the same browser, and a user has at most 50', async () => {
    await service.users.grant('many@example.com', 'orgUser');
    const first = await service.signIn('many@example.com');
    const second = sessionOf(await useLink(await newCode('many@example.com'), { session: first })) as string;
    expect([(await get(first)).status, (await get(second)).status]).toEqual([401, 200]);
    const { user_id, ...row } = await service.store.read
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .selectAll('sessions')
      .where('users.email', '=', 'many@example.com')
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 60 }, (_, at) => ({
      ...{ ...row, user_id, id: `copy ${at}`, fingerprint: `copy ${at}` },
      created_at: row.created_at + 1,
    }));
    await service.store.housekeeping((tx) => tx.insertInto('sessions').values(copies).execute());
    service.clock.advance(2);
    const third = await service.signIn('many@example.com');
    expect(await listOf(third)).toHaveLength(50);
    expect((await get(second)).status).toBe(401);
  });

  test('survives a restart', async () => {
    const session = await service.signIn();
    await service.restart();
    expect((await get(session)).status).toBe(200);
  });

  test('ends with the commit that disables or deletes the user, and does not come back', async () => {
    await service.users.grant('leaving@example.com', 'orgUser');
    const session = await service.signIn('leaving@example.com');
    const code = await newCode('leaving@example.com');
    const admin = await service.signIn();
    const members = await service.request('GET', '/api/v2/TeamMembers', { session: admin });
    const { userGuid } = members.body.data.find(
      (member: { userName: string }) => member.userName === 'leaving@example.com',
    );
    const enable = (userEnabled: 0 | 1) =>
      service.request('PATCH', `/api/v2/TeamMembers/${userGuid}`, {
        session: admin,
        headers: { 'Org-Access': 'true' },
        body: { userEnabled },
      });
    expect((await enable(0)).status).toBe(200);
    expect((await get(session)).status).toBe(401);
    expect((await enable(1)).status).toBe(200);
    expect((await get(session)).status).toBe(401);
    expect((await useLink(code)).status).toBe(401);
    const next = await service.signIn('leaving@example.com');
    await service.users.delete('leaving@example.com');
    expect((await get(next)).status).toBe(401);
  });

  test('gets a new value after a change of roles, while concurrent requests with the old one pass', async () => {
    await service.accounts.create('promoted');
    await service.users.grant('promoted@example.com', 'accountUser', 'promoted');
    const old = await service.signIn('promoted@example.com');
    expect(sessionOf(await get(old))).toBeUndefined();
    await service.users.grant('promoted@example.com', 'accountAdmin', 'promoted');
    const answers = await Promise.all(Array.from({ length: 4 }, () => get(old)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const renewed = answers.map(sessionOf).filter((value) => value !== undefined);
    expect(renewed).toHaveLength(1);
    const [value = ''] = renewed;
    expect(value).not.toBe(old);
    expect((await get(value)).body.data.accounts).toEqual([
      { name: 'promoted', role: 'accountAdmin', readOnly: false },
    ]);
    expect((await get(old)).status).toBe(200);
    service.clock.advance(minute);
    expect([(await get(old)).status, (await get(value)).status]).toEqual([401, 200]);
    // A new account changes no role.
    await service.accounts.create('another');
    expect(sessionOf(await get(value))).toBeUndefined();
  });

  test('is not accepted for an agent, and a token not for the console', async () => {
    const session = await service.signIn();
    const token = await service.token();
    expect((await service.request('GET', '/session', { token })).status).toBe(401);
    // A request with Authorization ignores the cookie.
    expect((await service.request('GET', '/session', { token, session })).status).toBe(401);
    expect((await service.request('GET', '/api/v2/UserProfile', { token: 'x', session })).status).toBe(401);
    const missing = await service.request('GET', '/session');
    expect([missing.status, missing.body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('has rate buckets of its own, of 36,000 requests per hour for each user', async () => {
    const key = await service.member('budget@example.com', 'orgAdmin');
    const [session, other] = [
      await service.signIn('budget@example.com'),
      await service.signIn('budget@example.com'),
    ];
    const remaining = async (caller: RequestOptions) => {
      const { headers } = await service.request('GET', '/api/v2/UserProfile', caller);
      return [headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')].map(Number);
    };
    expect(await remaining({ session })).toEqual([36_000, 35_999]);
    expect(await remaining({ session: other })).toEqual([36_000, 35_998]);
    expect(await remaining({ token: await service.token(key) })).toEqual([480, 479]);
  });

  test('of an account user reads the account, without secrets and changes', async () => {
    await service.accounts.create('guarded');
    await service.users.grant('guest@example.com', 'accountUser', 'guarded');
    const session = await service.signIn('guest@example.com');
    expect((await get(session)).body.data).toMatchObject({
      organizationRole: null,
      accounts: [{ name: 'guarded', role: 'accountUser', readOnly: true }],
      defaultAccount: 'guarded',
    });
    const channels = await service.request('GET', '/api/v2/AlertChannels', { session });
    expect([channels.status, channels.body.data.length]).toEqual([200, 1]);
    const created = await service.request('POST', '/api/v2/AgentAccessTokens', {
      session,
      body: { tokenAlias: 'x', tokenEnabled: 1 },
    });
    expect([created.status, created.body.code]).toEqual([403, 'FORBIDDEN']);
    const foreign = await service.request('GET', '/api/v2/AlertChannels', {
      session,
      headers: { 'Account-Name': 'local' },
    });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'INVALID_ACCOUNT']);
  });

  test('that has ended is deleted a day later', async () => {
    const rows = async () => (await service.store.read.selectFrom('sessions').select('id').execute()).length;
    const sessions = new Sessions(service.store, service.clock);
    service.clock.advance(2 * day);
    await service.signIn();
    service.clock.advance(day + 12 * hour - 1);
    await sessions.deleteEnded();
    expect(await rows()).toBe(1);
    service.clock.advance(1);
    await sessions.deleteEnded();
    expect(await rows()).toBe(0);
  });
});
