import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PasswordHasher } from '../../identity/password-hash.ts';
import { Passwords } from '../../identity/passwords.ts';
import { SignInFailures } from '../../identity/sign-in-failures.ts';
import { createLog } from '../../platform/log.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
const password = 'seven green rivers';
const email = 'ada@example.com';
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: '10', VEDETTE_TRUSTED_PROXIES: '127.0.0.1' });
  await service.users.grant(email, 'orgUser');
  const session = await service.signIn(email);
  await service.request('PUT', '/session/own-password', { session, body: { password } });
  await service.request('DELETE', '/session', { session });
});
afterAll(() => service.stop());

const signIn = (given: string, address: string, user = email) =>
  service.request('POST', '/session/password', {
    headers: { origin: service.url, 'x-forwarded-for': address },
    body: { email: user, password: given },
  });
const guess = async (address: string, user = email) => (await signIn('wrong guess', address, user)).status;

describe('wrong passwords', () => {
  test('delay further attempts of the address for the user, known or not, even with the right one', async () => {
    for (const [user, address] of [
      [email, '203.0.113.1'],
      ['nobody@example.com', '203.0.113.11'],
    ] as const) {
      const statuses: number[] = [];
      for (let count = 0; count < 7; count++) statuses.push(await guess(address, user));
      expect(statuses, user).toEqual([401, 401, 401, 401, 401, 401, 429]);
    }
    const delayed = await signIn(password, '203.0.113.1');
    expect([delayed.status, delayed.body.message]).toEqual([
      429,
      'Too many wrong passwords for this user: try again in 1 seconds.',
    ]);
    expect((await signIn(password, '203.0.113.2')).status).toBe(200);
    service.clock.advance(1_000);
    expect((await signIn(password, '203.0.113.1')).status).toBe(200);
  });

  test('from one address are limited over all users, before they are checked', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++)
      statuses.push(await guess('203.0.113.3', `${count}@example.com`));
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await signIn(password, '203.0.113.3')).status).toBe(429);
  });

  test('from many addresses delay the user, except in a network where the user has a session', async () => {
    const failures = new SignInFailures(service.store, service.clock, createLog('silent'));
    for (let count = 0; count < 52; count++) {
      expect(failures.waitForPassword(email, '192.0.2.250', false), String(count)).toBe(count < 51 ? 0 : 1);
      failures.record({ kind: 'password', address: `192.0.2.${count}`, keyId: email });
    }
    expect(failures.waitForPassword('eve@example.com', '192.0.2.250', false)).toBe(0);
    expect(failures.waitForPassword(email, '192.0.2.250', true)).toBe(0);
    const passwords = new Passwords(service.store, service.clock, new PasswordHasher());
    expect((await signIn(password, '198.51.100.1')).status).toBe(200);
    expect(await passwords.isFamiliar(email, '198.51.100.1')).toBe(true);
    expect(await passwords.isFamiliar(email, '198.51.100.2')).toBe(false);
    expect(await passwords.isFamiliar('eve@example.com', '198.51.100.1')).toBe(false);
  });

  test('are counted, logged without unknown names, and summarised in the audit log', async () => {
    await signIn('wrong guess', '203.0.113.9', 'MisplacedSecret1');
    const { text } = await service.request('GET', '/metrics');
    expect(text).toMatch(/vedette_sign_in_failures_total\{kind="password",reason="wrong"\} \d+/);
    expect(text).toMatch(/vedette_sign_in_failures_total\{kind="password",reason="throttled"\} \d+/);
    const failures = service.logLines.filter((line) => line.includes('sign-in failed'));
    expect(failures.join('\n')).toContain(`"user":"${email}"`);
    expect(service.logLines.join('\n').toLowerCase()).not.toContain('misplacedsecret1');
    await service.restart();
    const entries = await service.store.read
      .selectFrom('audit_log')
      .select('event_description')
      .where('event_name', '=', 'Failed Sign-In Summary')
      .execute();
    expect(entries.map((entry) => entry.event_description).join('\n')).toMatch(
      /failed attempts with the password of ada@example\.com from /,
    );
  });
});
