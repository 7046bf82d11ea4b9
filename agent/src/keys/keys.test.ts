import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAuthorizedKeys } from './authorized-keys.ts';
import { openSshKey, parsePrivateKey } from './private-key.ts';
import { blobOf, kindOf } from './public-key.ts';
import { generatedKey, hasSshKeygen } from './ssh-keygen.sample.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-keys-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const password = ['-N', 'a password'];
const cases: readonly (readonly [name: string, format: string, parameters: readonly string[]])[] = [
  ['ed25519', 'OpenSSH', ['-t', 'ed25519', '-N', '']],
  ['ed25519 with a password', 'OpenSSH', ['-t', 'ed25519', ...password]],
  ['rsa', 'OpenSSH', ['-t', 'rsa', '-b', '2048', '-N', '']],
  ['ecdsa', 'OpenSSH', ['-t', 'ecdsa', '-b', '521', '-N', '']],
  ['rsa as PEM', 'PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', '']],
  ['rsa as PEM with a password', 'PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM', ...password]],
  ['ecdsa as PEM', 'PEM', ['-t', 'ecdsa', '-b', '384', '-m', 'PEM', '-N', '']],
  ['rsa as PKCS 8', 'PKCS8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8', '-N', '']],
  ['rsa as PKCS 8 with a password', 'PKCS8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8', ...password]],
];

/** Not registered without the program; CI installs it. */
const withSshKeygen = hasSshKeygen ? cases : [];
describe.each(withSshKeygen)('%s', (name, format, parameters) => {
  test('has the fingerprints that ssh-keygen prints', () => {
    const key = generatedKey(join(directory, name), ...parameters);
    const isEncrypted = name.includes('password');
    const parsed = parsePrivateKey(key.privateKey);
    expect(parsed).toMatchObject({ format, isEncrypted });
    const hasPublic = format === 'OpenSSH' || !isEncrypted;
    const expected = {
      sshKeyType: key.kind,
      fingerprintOpensshSha256: key.sha256,
      fingerprintOpensshMd5: key.md5,
    };
    if (hasPublic) expect(parsed?.publicKey).toMatchObject(expected);
    else expect(parsed?.publicKey).toBeUndefined();
    expect(parseAuthorizedKeys(key.publicKey)).toMatchObject({ keys: [expected], unknownLines: 0 });
    // Nothing of the key is in what is reported.
    const lines = key.privateKey.split('\n').filter((line) => /^[A-Za-z0-9+/=]{20,}$/.test(line));
    for (const line of lines) expect(JSON.stringify(parsed)).not.toContain(line.slice(0, 20));
  });
});

test('RSA keys have the fingerprints of AWS', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const colons = (digest: string) => digest.match(/../g)?.join(':');
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  expect(parsePrivateKey(`some text\n${pem}`)).toMatchObject({
    publicKey: { fingerprintRsaMd5: colons(createHash('md5').update(spki).digest('hex')) },
    fingerprintPkcs8Sha1: colons(createHash('sha1').update(pkcs8).digest('hex')),
  });
});

const line = (() => {
  const { publicKey } = generateKeyPairSync('ed25519');
  return `ssh-ed25519 ${blobOf(publicKey)?.toString('base64')}`;
})();
const [found] = parseAuthorizedKeys(line).keys;

test.each([
  `${line} ann@desk`,
  `\t ${line}`,
  `no-pty,command="echo \\"a b\\" # c" ${line} comment`,
  `from="10.0.0.0/8, 192.0.2.1" ${line}`,
  `restrict\t${line}\r`,
])('%s is a key', (text) => {
  expect(parseAuthorizedKeys(text)).toEqual({ keys: [found], unknownLines: 0 });
});

test.each([
  'ssh-ed25519',
  'ssh-ed25519 AAAA',
  'ssh-ed25519 !!!!',
  line.replace('ssh-ed25519', 'ssh-rsa'),
  `command="open ${line}`,
  'constructor AAAA',
  `${line.slice(0, 40)}`,
])('%s is none', (text) => {
  expect(parseAuthorizedKeys(text)).toEqual({ keys: [], unknownLines: 1 });
});

test('a key that is listed twice is reported once, and comments are no keys', () => {
  expect(parseAuthorizedKeys(`# ${line}\n\n${line} a\nno-pty ${line} b\n`)).toEqual({
    keys: [found],
    unknownLines: 0,
  });
});

test.each([
  ['ssh-rsa-cert-v01@openssh.com', 'RSA-CERT'],
  ['sk-ssh-ed25519-cert-v01@openssh.com', 'ED25519-SK-CERT'],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 'ECDSA-SK'],
  ['toString', undefined],
])('the kind of %s is %s', (algorithm, kind) => {
  expect(kindOf(algorithm)).toBe(kind);
});

const part = (bytes: Uint8Array | string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.from(bytes as Uint8Array).length);
  return Buffer.concat([length, Buffer.from(bytes as Uint8Array)]);
};

test('options with any quoted value are skipped', () => {
  const value = fc
    .string({ unit: fc.constantFrom(...'ab ,=#"\t') })
    .map((text) => text.replaceAll('"', '\\"'));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.string(), (values, comment) => {
      const options = values.map((one, index) => `option${index}="${one}"`).join(',');
      const text = `${options} ${line} ${comment.replace(/[\r\n]/g, ' ')}`;
      expect(parseAuthorizedKeys(text)).toEqual({ keys: [found], unknownLines: 0 });
    }),
  );
});

test('any bytes are read without an error', () => {
  const unit = fc.constantFrom(
    ...'"\\ ,\tA=\n#',
    'ssh-rsa ',
    'AAAAB3NzaC1yc2E',
    '-----BEGIN RSA PRIVATE KEY-----\n',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
      parseAuthorizedKeys(text);
      parsePrivateKey(`${text}\n-----END RSA PRIVATE KEY-----`);
    }),
  );
});

test('the container of OpenSSH, truncated or changed at any place, is read without an error', () => {
  const blob = Buffer.from(line.split(' ')[1] ?? '', 'base64');
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[
      part('aes256-ctr'),
      part('bcrypt'),
      part('options'),
      Buffer.of(0, 0, 0, 1),
      part(blob),
      part('private'),
    ],
  ]);
  expect(openSshKey(whole)).toEqual({
    ...{ format: 'OpenSSH', isEncrypted: true, kind: 'ED25519' },
    publicKey: found,
  });
  for (let end = 0; end < whole.length; end++) expect(openSshKey(whole.subarray(0, end))).toBeUndefined();
  fc.assert(
    fc.property(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
      const changed = Buffer.from(whole);
      changed[at] = byte;
      openSshKey(changed);
    }),
  );
});

test.each([
  '-----BEGIN RSA PRIVATE KEY-----\nyour key here\n-----END RSA PRIVATE KEY-----\n',
  '-----BEGIN OPENSSH PRIVATE KEY-----\n',
  'a-----BEGIN RSA PRIVATE KEY-----',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  '',
])('%j is no private key', (text) => {
  expect(parsePrivateKey(text)).toBeUndefined();
});
