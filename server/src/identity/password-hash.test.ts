import { expect, test } from 'vitest';
import { PasswordHasher } from './password-hash.ts';

const password = 'seven green rivers';
/** As stored by a version with other parameters. */
const cheap = 'scrypt$N=1024,r=8,p=1$c2FsdA==$qPv2BmqIWfEQfq8ZHhTRN4dPN2EmVcyqJ4gjhW0sQhc=';

test('a password is stored with a random salt and the parameters, and recognised in any Unicode form', async () => {
  const hasher = new PasswordHasher();
  const stored = await hasher.hash('café on the corner', 'a');
  expect(stored).toMatch(/^scrypt\$N=32768,r=8,p=3\$[^$]{24}\$[^$]{44}$/);
  expect(await hasher.hash('café on the corner', 'a')).not.toBe(stored);
  expect(await hasher.matches('cafe\u0301 on the corner', stored, 'a')).toBe(true);
  expect(await hasher.matches('café on the corneR', stored, 'a')).toBe(false);
  expect(await hasher.matches(password, cheap, 'a')).toBe(false);
});

test('without a stored hash the same work is done, and nothing matches', async () => {
  const hasher = new PasswordHasher();
  const cpuOf = async (stored: string | undefined) => {
    const before = process.cpuUsage();
    expect(await hasher.matches(password, stored, 'a')).toBe(false);
    return process.cpuUsage(before).user;
  };
  const stored = await hasher.hash('another password', 'a');
  expect(await cpuOf(undefined)).toBeGreaterThan((await cpuOf(stored)) / 4);
});

test('passwords are hashed one at a time; beyond the queue they are refused with 503', async () => {
  const hasher = new PasswordHasher();
  const attempts = Array.from({ length: 20 }, (_, at) =>
    hasher.matches(password, cheap, `network ${at % 3}`).then(
      () => 'done',
      (error: unknown) => (error as { status?: number }).status,
    ),
  );
  const results = await Promise.all(attempts);
  expect(results.filter((result) => result === 'done')).toHaveLength(17);
  expect(results.filter((result) => result === 503)).toHaveLength(3);
  const oneNetwork = await Promise.allSettled(
    Array.from({ length: 10 }, () => hasher.matches(password, cheap, 'one')),
  );
  expect(oneNetwork.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});
