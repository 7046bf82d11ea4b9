import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Directory } from '../../identity/directory.ts';
import { type RequestOptions, sessionOf, TestService } from '../../testing/service.ts';

const [minute, hour] = [60_000, 3_600_000] as const;
const password = 'seven green rivers';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const newLink = (email?: string) =>
  service.links.create(new Directory(service.store, 'tester@example.com'), service.url, email);
const newCode = async (email?: string) => new URL((await newLink(email)).url).hash.slice(1);
const post = (path: string, body: unknown, options: RequestOptions = {}) =>
  service.request('POST', path, { ...options, body, headers: { origin: service.url, ...options.headers } });
const useLink = (code: string, options?: RequestOptions) => post('/session/link', { code }, options);
const usePassword = (email: string, given: string, options?: RequestOptions) =>
  post('/session/password', { email, password: given }, options);
const get = (session: string) => service.request('GET', '/session', { session });
const setPassword = (session: string, body: object) =>
  service.request('PUT', '/session/own-password', { session, body });
/** A user with a password, and the value of a session. */
const withPassword = async (email: string, role: 'orgAdmin' | 'orgUser' = 'orgUser') => {
  await service.users.grant(email, role);
  const session = await service.signIn(email);
  service.clock.advance(1);
  expect((await setPassword(session, { password })).status).toBe(204);
  service.clock.advance(1);
  return session;
};
const auditOf = async (userName: string) =>
  (
    await service.store.read
      .selectFrom('audit_log')
      .select('event_description')
      .where('user_name', '=', userName)
      .orderBy('id')
      .execute()
  ).map((row) => row.event_description);

describe('a sign-in link', () => {
  test('signs in once, sets the cookie and tells that no password is set', async () => {
    const { url, user } = await newLink();
    expect([url.replace(/#.*/, ''), user]).toEqual([
      `${service.url.replace('127.0.0.1', 'vedette.localhost')}/welcome`,
      'admin@local',
    ]);
    const code = new URL(url).hash.slice(1);
    expect(code).toMatch(/^[\w-]{22}$/);
    const response = await useLink(code);
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-vedette=_[0-9a-f]{64}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect(response.body.data).toEqual({
      user: { email: 'admin@local', firstName: '', lastName: '' },
      organization: 'local',
      organizationRole: 'orgAdmin',
      accounts: [{ name: 'local', role: 'orgAdmin', readOnly: false }],
      defaultAccount: 'local',
      endTime: new Date(service.clock.now() + 12 * hour).toISOString(),
      passwordSet: false,
      lastSignInTime: null,
    });
    const again = await useLink(code);
    expect([again.status, again.body.code, again.headers.get('set-cookie')]).toEqual([
      401,
      'UNAUTHENTICATED',
      null,
    ]);
    expect(again.body.message).toContain('npx vedette sign-in-link');
  });

  test('signs in only one of several concurrent requests', async () => {
    const code = await newCode();
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await useLink(code)).status));
    expect(statuses.sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test('expires after an hour, and is stored as a fingerprint', async () => {
    const code = await newCode();
    const rows = await service.store.read.selectFrom('sign_in_links').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code);
    service.clock.advance(hour);
    expect((await useLink(code)).status).toBe(401);
  });

  test('is refused for disabled users and service users', async () => {
    await service.users.grant('robot@example.com', 'orgUser');
    const change = (columns: { type?: string; enabled?: 0 | 1 }) =>
      service.store.housekeeping((tx) =>
        tx.updateTable('users').set(columns).where('email', '=', 'robot@example.com').execute(),
      );
    const code = await newCode('robot@example.com');
    await change({ enabled: 0 });
    expect((await useLink(code)).status).toBe(401);
    await expect(newLink('robot@example.com')).rejects.toThrow('is disabled');
    await change({ enabled: 1, type: 'ServiceUser' });
    await expect(newLink('robot@example.com')).rejects.toThrow('is a service user');
    await expect(newLink('nobody@example.com')).rejects.toThrow('Not found');
  });

  test('appears in the audit log with its creation and use', async () => {
    service.clock.advance(1);
    await service.users.grant('audited@example.com', 'orgUser');
    service.clock.advance(1);
    await service.signIn('audited@example.com');
    expect(await auditOf('audited@example.com')).toEqual([
      'Session Created by audited@example.com: with a sign-in link from 127.0.0.1',
    ]);
    expect((await auditOf('tester@example.com')).at(-1)).toMatch(
      /^Sign-In Link Created by tester@example.com: for audited@example.com, valid until 20/,
    );
  });
});

describe('a password', () => {
  test('is set after a link, and signs in', async () => {
    await withPassword('ada@example.com');
    const signedIn = await usePassword(' ADA@example.com ', password);
    expect([signedIn.status, signedIn.body.data.passwordSet]).toEqual([200, true]);
    expect(signedIn.body.data.lastSignInTime).toBe(new Date(service.clock.now() - 2).toISOString());
    expect((await get(sessionOf(signedIn) as string)).status).toBe(200);
    expect((await auditOf('ada@example.com')).slice(-2)).toEqual([
      'Password Set by ada@example.com: of ada@example.com from 127.0.0.1; other sessions ended',
      'Session Created by ada@example.com: with a password from 127.0.0.1',
    ]);
    const { hash } = await service.store.read
      .selectFrom('passwords')
      .innerJoin('users', 'users.id', 'passwords.user_id')
      .select('passwords.hash')
      .where('users.email', '=', 'ada@example.com')
      .executeTakeFirstOrThrow();
    expect(hash).toMatch(/^scrypt\$N=32768,r=8,p=3\$/);
  });

  test('that is wrong, of an unknown user and of a user without one is refused alike', async () => {
    await service.users.grant('without@example.com', 'orgUser');
    const refusals = [];
    for (const email of ['ada@example.com', 'nobody@example.com', 'without@example.com']) {
      const { status, body, headers } = await usePassword(email, 'seven green riverS');
      refusals.push({ status, ...body, requestId: '', cookie: headers.get('set-cookie') });
    }
    expect(refusals[0]).toMatchObject({ status: 401, code: 'UNAUTHENTICATED', cookie: null });
    expect(refusals[1]).toEqual(refusals[0]);
    expect(refusals[2]).toEqual(refusals[0]);
  });

  test('follows the rules, and a violation names the field', async () => {
    await service.users.grant('ruled@amberwood.example', 'orgUser');
    const session = await service.signIn('ruled@amberwood.example');
    const refused = await setPassword(session, { password: 'ruled-amberwood' });
    expect([refused.status, refused.body.problems[0].field]).toEqual([400, 'password']);
    expect((await setPassword(session, { password: 'short' })).body.message).toContain(
      'at least 12 characters',
    );
  });

  test('needs the current one ten minutes after the sign-in, and ends the other sessions', async () => {
    const session = await withPassword('eve@example.com');
    const other = sessionOf(await usePassword('eve@example.com', password)) as string;
    const code = await newCode('eve@example.com');
    service.clock.advance(10 * minute + 1);
    const changed = 'nine yellow harbours';
    const missing = await setPassword(session, { password: changed });
    expect([missing.status, missing.body.problems[0].field]).toEqual([400, 'current']);
    const wrong = await setPassword(session, { password: changed, current: 'not my password' });
    expect([wrong.status, wrong.body.problems[0].field]).toEqual([400, 'current']);
    expect((await get(other)).status).toBe(200);
    expect((await setPassword(session, { password: changed, current: password })).status).toBe(204);
    expect((await get(session)).status).toBe(200);
    expect((await get(other)).status).toBe(401);
    expect((await useLink(code)).status).toBe(401);
    expect((await usePassword('eve@example.com', password)).status).toBe(401);
    expect((await setPassword(session, { password: 'three red lanterns' })).status).toBe(204);
  });

  test('can not be set long after a link if there is none', async () => {
    await service.users.grant('late@example.com', 'orgUser');
    const session = await service.signIn('late@example.com');
    service.clock.advance(10 * minute + 1);
    const { status, body } = await setPassword(session, { password });
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.message).toContain('sign-in-link');
  });
});
