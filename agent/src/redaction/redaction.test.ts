import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxLineLength, redactedCommandLine, redactedLine } from './redaction.ts';

test.each([
  [['mysql', '-u', 'root', '-phunter2', 'shop'], 'mysql -u root -p*** shop'],
  [['/usr/bin/mysqldump', '-p', 'shop'], '/usr/bin/mysqldump -p shop'],
  [['sudo', 'sshpass', '-p', 'a b', 'ssh', '-p', '22', 'host'], 'sudo sshpass -p *** ssh -p 22 host'],
  [['docker', 'run', '-p', '80:80', 'nginx'], 'docker run -p 80:80 nginx'],
  [['docker', 'login', '-u', 'me', '-p', 'hunter2'], 'docker login -u me -p ***'],
  [['curl', '-u', 'me:hunter2', 'https://x.example'], 'curl -u me:*** https://x.example'],
  [['curl', '-H', 'Authorization: Bearer abc', '-v'], 'curl -H Authorization: *** -v'],
  [['curl', 'https://me:hunter2@x.example/a?token=abc&b=1'], 'curl https://me:***@x.example/a?token=***&b=1'],
  [['app', '--password', 'a b', '--password=a b', '-v'], 'app --password *** --password=*** -v'],
  [['app', '--password-file', '/run/secret'], 'app --password-file /run/secret'],
  [
    ['env', 'DB_PASSWORD=hunter2', 'AWS_SECRET_ACCESS_KEY=x', 'app'],
    'env DB_PASSWORD=*** AWS_SECRET_ACCESS_KEY=*** app',
  ],
  [['sh', '-c', 'TOKEN=abc ./run --fast'], 'sh -c TOKEN=*** ./run --fast'],
  [['sh', '-c', "mysql -p'a b' x; psql"], 'sh -c mysql -p*** x; psql'],
  [['java', '-Ddb.password=hunter2', '-jar', 'a.jar'], 'java -Ddb.password=*** -jar a.jar'],
  [['app', 'Server=db;Uid=sa;Pwd=hunter2;Timeout=5'], 'app Server=db;Uid=sa;Pwd=***;Timeout=5'],
  [['curl', '-d', '{"user": "a", "password": "a b"}'], 'curl -d {"user": "a", "password": "***"}'],
  [['tail', '-f', '/var/log/syslog'], 'tail -f /var/log/syslog'],
  [
    ['git', 'show', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    'git show da39a3ee5e6b4b0d3255bfef95601890afd80709',
  ],
  [['openssl', 's_server', '-key', '/etc/ssl/key.pem'], 'openssl s_server -key /etc/ssl/key.pem'],
])('%j', (parameters, line) => {
  expect(redactedCommandLine(parameters)).toBe(line);
});

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789';
const characters = (length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const secret = fc.integer({ min: 12, max: 40 }).chain(characters);
/** Anything that a parameter may contain. */
const wild = fc
  .string({ minLength: 12, maxLength: 40, unit: 'grapheme' })
  .map((text) => `Zq9${text.replaceAll('\0', '')}`);

const name = fc.constantFrom(
  ...['password', 'passwd', 'db-password', 'token', 'auth-token', 'api-key', 'apikey', 'client-secret'],
  ...[
    'secret',
    'secret-key',
    'access-key',
    'passphrase',
    'private-key',
    'pass',
    'admin_password',
    'apiToken',
  ],
);
const variable = fc.constantFrom(
  ...[
    'TOKEN',
    'GITHUB_TOKEN',
    'CLIENT_SECRET',
    'PGPASSWORD',
    'MYSQL_PWD',
    'SIGNING_KEY',
    'AWS_SECRET_ACCESS_KEY',
  ],
  ...['SECRET_KEY_BASE', 'API_KEY', 'DB_PASS', 'HCLOUD_TOKEN2', 'credentials'],
);

interface Planted {
  readonly secret: string;
  readonly parameters: readonly string[];
}
const planted = (value: fc.Arbitrary<string>, place: (value: string) => readonly string[]) =>
  value.map((one): Planted => ({ secret: one, parameters: place(one) }));

/** Values that are a parameter of their own, or the rest of one. */
const wholeParameters: fc.Arbitrary<Planted> = fc.oneof(
  name.chain((one) => planted(wild, (value) => [`--${one}`, value])),
  name.chain((one) => planted(wild, (value) => [`-${one}`, value])),
  name.chain((one) => planted(wild, (value) => [`--${one}=${value}`])),
  variable.chain((one) => planted(wild, (value) => [`${one}=${value}`])),
  planted(wild, (value) => ['mysql', `-p${value}`]),
  planted(wild, (value) => ['sshpass', '-p', value]),
  planted(wild, (value) => ['redis-cli', '-a', value]),
  planted(wild, (value) => ['curl', '-u', `me:${value}`]),
  planted(wild, (value) => ['curl', '-H', `Authorization: Basic ${value}`]),
  planted(wild, (value) => ['curl', '-H', `X-Api-Key: ${value}`]),
);

/** Secrets that are found in any text, such as a script or the title of a process. */
const inText: fc.Arbitrary<Planted> = fc.oneof(
  name.chain((one) => planted(secret, (value) => [`run --${one} ${value} x`])),
  name.chain((one) => planted(secret, (value) => [`run --${one}="${value} x" y`])),
  variable.chain((one) => planted(secret, (value) => [`export ${one}=${value}; run`])),
  planted(secret, (value) => [`echo 1; mysql -u root -p${value} shop`]),
  planted(secret, (value) => [`curl -H "Authorization: Bearer ${value}" x`]),
  planted(secret, (value) => [`curl -H Authorization: Basic ${value} x`]),
  planted(secret, (value) => [`psql postgresql://me:${value}@db/shop`]),
  planted(secret, (value) => [`amqp://:${value}@mq`]),
  planted(secret, (value) => [`x https://h/p?a=1&access_token=${value}&b=2`]),
  planted(secret, (value) => [`x {"a": 1, "client_secret":"${value}"}`]),
  planted(secret, (value) => [`x "{\\"password\\": \\"${value}\\"}"`]),
  planted(characters(16), (value) => ['aws', `AKIA${value.toUpperCase()}`]).map(withPrefix('AKIA')),
  planted(characters(37), (value) => ['x', `${value}aB3`]),
  planted(characters(40), (value) => [`x eyJhbGciOiJIUzI1NiJ9.eyJ${value}.${value}`]),
  planted(characters(36), (value) => [`git clone ghp_${value}`]),
  planted(characters(60), (value) => [`x github_pat_${value}`]),
  planted(characters(24), (value) => [`x xoxb-123456789012-${value}`]),
  planted(characters(35), (value) => [`x key AIza${value}`]),
  planted(characters(35), (value) => [`x ya29.${value}`]),
  planted(characters(64), (value) => [
    `x -----BEGIN RSA PRIVATE KEY-----\n${value}\n${value}\n-----END RSA PRIVATE KEY-----`,
  ]),
  planted(characters(64), (value) => [`x -----BEGIN PRIVATE KEY-----\n${value}`]),
);

function withPrefix(prefix: string) {
  return ({ parameters }: Planted): Planted => ({
    parameters,
    secret: parameters.find((one) => one.startsWith(prefix)) ?? '',
  });
}

const plain = fc.array(fc.constantFrom('run', '-v', '--host', 'db', '/usr/bin/env', 'a=b', 'sudo'), {
  maxLength: 4,
});

test('a planted secret never appears', () => {
  fc.assert(
    fc.property(plain, fc.oneof(wholeParameters, inText), plain, (before, { secret, parameters }, after) => {
      const line = redactedCommandLine([...before, ...parameters, ...after]);
      expect(line).not.toContain(secret);
      expect(line).toContain('***');
    }),
    { numRuns: 800 },
  );
});

test('a planted secret never appears in a line whose parameters are not known', () => {
  fc.assert(
    fc.property(plain, inText, plain, (before, { secret, parameters }, after) => {
      expect(redactedLine([...before, ...parameters, ...after].join(' '))).not.toContain(secret);
    }),
    { numRuns: 400 },
  );
});

test('a secret at the place where a long line is cut does not appear, not even half of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -80, max: 10 }), inText, (shift, { secret, parameters }) => {
      const filler = 'x '.repeat(maxLineLength / 2).slice(0, maxLineLength + shift);
      const line = redactedCommandLine([filler, ...parameters]);
      expect(line).not.toContain(secret.slice(0, Math.ceil(secret.length / 2)));
      expect(line.length).toBeLessThanOrEqual(maxLineLength);
    }),
  );
});

const fragments = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...[...`"'\`;&|?,=:@/{} \n\\`, '--password', 'token', '-p', 'mysql', 'Authorization:', 'Bearer'],
    ),
    fc.constantFrom(
      ...['://', 'a', '***', 'eyJ', 'PASS=', 'x-key:', 'curl', '-u', 'sh', '-c', 'KEY=', '"secret":'],
    ),
    fc.constantFrom('ghp_aaaaaaaaaaaa', 'aB3'.repeat(13), '-----BEGIN PRIVATE KEY-----', '-----END'),
    fc.string({ maxLength: 6, unit: 'binary' }),
  ),
  { maxLength: 30 },
);

test('what was redacted does not change, whatever it was', () => {
  fc.assert(
    fc.property(
      fc.array(
        fragments.map((all) => all.join('')),
        { maxLength: 5 },
      ),
      (parameters) => {
        const line = redactedCommandLine(parameters);
        expect(redactedLine(line)).toBe(line);
        const text = redactedLine(parameters.join(' '));
        expect(redactedLine(text)).toBe(text);
      },
    ),
    { numRuns: 1_500 },
  );
});

test('a cut does not leave half a character', () => {
  for (const text of ['😀'.repeat(9_000), `x${'😀'.repeat(9_000)}`]) {
    const line = redactedCommandLine([text]);
    expect(Buffer.from(line).toString()).toBe(line);
  }
});

test('lines are never longer than the limit', () => {
  const repeated = fc.tuple(fragments, fc.integer({ min: 1, max: 20_000 }));
  fc.assert(
    fc.property(repeated, ([all, times]) => {
      const text = all.join('');
      const line = text.repeat(Math.min(times, 40_000 / (text.length + 1)));
      expect(redactedLine(line).length).toBeLessThanOrEqual(maxLineLength);
      expect(redactedCommandLine([line, line]).length).toBeLessThanOrEqual(maxLineLength);
    }),
    { numRuns: 50 },
  );
});
