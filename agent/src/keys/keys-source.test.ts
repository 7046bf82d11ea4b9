import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observe } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { KeysSource } from './keys-source.ts';
import { blobOf } from './public-key.ts';
import { keyFileOf, parseSshdConfig } from './sshd-config.ts';

let host: TestHost;
beforeEach(() => {
  host = new TestHost();
  host.write('etc/hostname', 'web-1\n');
  host.write(
    'etc/passwd',
    'root:x:0:0::/var/roothome:\nann:x:1000:1000::/home/ann/:\ngit:x:110:110::/var/lib/git:\n',
  );
});
afterEach(() => host.remove());

const pair = generateKeyPairSync('ed25519');
const line = `ssh-ed25519 ${blobOf(pair.publicKey)?.toString('base64')} ann@desk\n`;
const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const pem = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs1', format: 'pem' })
  .toString();

const authorized = async (source = new KeysSource()) => {
  const { records } = await observe(host, source);
  return records.LW_HE_ACCESS_SSH_AUTHORIZED_KEYS?.map(({ filePath }) => filePath);
};
const secrets = async () => {
  const { records } = await observe(host, new KeysSource());
  return records.LW_HE_SECRETS_ALL?.map(({ filePath, secretType }) => `${secretType} ${filePath}`).sort();
};

test('authorized keys are reported with their file and fingerprints', async () => {
  host.write('home/ann/.ssh/authorized_keys', line, 0o640);
  const { records, gaps } = await observe(host, new KeysSource());
  expect(gaps).toEqual([]);
  expect(records.LW_HE_ACCESS_SSH_AUTHORIZED_KEYS).toEqual([
    expect.objectContaining({
      ...{ hostname: 'web-1', filePath: '/home/ann/.ssh/authorized_keys', sshKeyType: 'ED25519' },
      ...{ filePermissions: 0o640, ownerUid: process.getuid?.(), ownerGid: process.getgid?.() },
      fingerprintOpensshSha256: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/),
      fingerprintOpensshMd5: expect.stringMatching(/^MD5:([0-9a-f]{2}:){15}[0-9a-f]{2}$/),
    }),
  ]);
});

test('the files of all homes and of the configuration of sshd are read', async () => {
  host.write('var/roothome/.ssh/authorized_keys2', line);
  host.write('var/lib/git/.ssh/authorized_keys', line);
  host.write('home/of-a-directory/.ssh/authorized_keys', line);
  host.write('etc/ssh/sshd_config', 'Include sshd_config.d/*.conf\nPort 22\n');
  host.write('etc/ssh/sshd_config.d/10-keys.conf', 'authorizedkeysfile=/etc/keys/%u .keys none\n');
  host.write('etc/ssh/sshd_config.d/10-keys.conf.bak', 'AuthorizedKeysFile /etc/other/%u\n');
  host.write('etc/keys/ann', line);
  host.write('etc/other/ann', line);
  host.write('home/ann/.keys', line);
  expect((await authorized())?.sort()).toEqual([
    '/etc/keys/ann',
    '/home/ann/.keys',
    '/home/of-a-directory/.ssh/authorized_keys',
    '/var/lib/git/.ssh/authorized_keys',
    '/var/roothome/.ssh/authorized_keys2',
  ]);
});

test('a file that changed is read again', async () => {
  const source = new KeysSource();
  host.write('var/roothome/.ssh/authorized_keys', line);
  expect(await authorized(source)).toHaveLength(1);
  expect(await authorized(source)).toHaveLength(1);
  host.write('var/roothome/.ssh/authorized_keys', '# none\n');
  expect(await authorized(source)).toEqual([]);
});

test('keys that are not known to be none are gaps', async () => {
  host.write('var/roothome/.ssh/authorized_keys', 'ssh-new AAAA\n');
  mkdirSync(join(host.root, 'home/ann/.ssh/authorized_keys'), { recursive: true });
  host.write('etc/ssh/sshd_config', 'AuthorizedKeysCommand /usr/bin/sss_ssh_authorizedkeys\n');
  const { gaps } = await observe(host, new KeysSource());
  expect(gaps).toEqual([
    { what: 'authorized keys of a program', reason: expect.stringContaining('AuthorizedKeysCommand') },
    { what: 'authorized keys', reason: expect.stringContaining('/home/ann/.ssh/authorized_keys is not') },
    {
      what: 'authorized keys',
      reason: expect.stringContaining('Lines of /var/roothome/.ssh/authorized_keys'),
    },
  ]);
});

test('private keys are found where they are kept, and nothing of them is reported', async () => {
  host.write('etc/ssh/ssh_host_ed25519_key', pkcs8, 0o600);
  host.write('home/ann/.ssh/work', pem);
  host.write('home/ann/deploy.pem', pem);
  host.write('home/ann/project/tls/server.key', pkcs8);
  host.write('home/ann/a/b/c/d/deep.pem', pem);
  host.write('home/ann/node_modules/x/test.pem', pem);
  host.write('home/ann/notes.txt', pem);
  host.write('home/ann/large.pem', pem + ' '.repeat(70_000));
  host.write('home/ann/public.pem', pair.publicKey.export({ type: 'spki', format: 'pem' }));
  host.write('var/lib/git/.ssh/id_rsa', pem);
  host.write('var/lib/git/data/other.pem', pem);
  symlinkSync('deploy.pem', join(host.root, 'home/ann/link.pem'));
  expect(await secrets()).toEqual([
    'private_key /home/ann/project/tls/server.key',
    'ssh_private_key /etc/ssh/ssh_host_ed25519_key',
    'ssh_private_key /home/ann/.ssh/work',
    'ssh_private_key /home/ann/deploy.pem',
    'ssh_private_key /var/lib/git/.ssh/id_rsa',
  ]);
  expect((await observe(host, new KeysSource())).gaps).toEqual([]);
  const observation = JSON.stringify(await observe(host, new KeysSource()));
  for (const part of [...pem.split('\n'), ...pkcs8.split('\n')].filter(
    (one) => one.length > 20 && !one.startsWith('-'),
  ))
    expect(observation).not.toContain(part.slice(0, 20));
});

test('a private key has its kind, its mode and the fingerprint of its public key', async () => {
  const place = host.write('home/ann/.ssh/id_ed25519', pkcs8);
  chmodSync(place, 0o644);
  host.write('home/ann/.ssh/authorized_keys', line);
  const { records } = await observe(host, new KeysSource());
  expect(records.LW_HE_SECRETS_ALL).toMatchObject([
    {
      ...{ hostname: 'web-1', secretType: 'ssh_private_key', sshKeyType: 'ED25519', filePermissions: 0o644 },
      secretMetadata: { encrypted: false, format: 'PKCS8', keyType: 'ED25519' },
      fingerprintOpensshSha256: records.LW_HE_ACCESS_SSH_AUTHORIZED_KEYS?.[0]?.fingerprintOpensshSha256,
    },
  ]);
});

test('this host is searched without an error', async () => {
  await observe(new TestHost('/'), new KeysSource());
});

test('the configuration of sshd has quoted values, comments and conditions', () => {
  const text = `
# AuthorizedKeysFile /no
AuthorizedKeysFile "/etc/my keys/%u" .ssh/%U # /no
Match User git
  AuthorizedKeysFile = /srv/git/keys
AuthorizedKeysCommand none
include /etc/ssh/more.conf`;
  expect(parseSshdConfig(text)).toEqual({
    keyFiles: ['/etc/my keys/%u', '.ssh/%U', '/srv/git/keys'],
    includes: ['/etc/ssh/more.conf'],
    hasCommand: false,
  });
  const user = { name: 'ann', uid: 7, home: '/home/ann' };
  expect(keyFileOf('%h/%u%%%U', user)).toBe('/home/ann/ann%7');
  expect(keyFileOf('.ssh/x', user)).toBe('/home/ann/.ssh/x');
  expect(keyFileOf('/etc/%x', user)).toBeUndefined();
});
