import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { retireKeys } from '../control/retired-keys.ts';
import {
  openKeyring,
  readKeyFile,
  sealingContext,
  secretKeyFile,
  writeKeyFile,
} from '../control/secret-key.ts';
import { Keyring, UnknownKeyError } from '../platform/keyring.ts';
import { requestOperator } from '../testing/operator.ts';
import { TestService } from '../testing/service.ts';

let service: TestService;
afterEach(() => service.stop());

const keyFile = () => secretKeyFile(service.place.directory);
const rotate = () => requestOperator(service.place.directory, '/secret-key/rotate');

async function sealedCheck(): Promise<string> {
  const query = service.store.read.selectFrom('sealing_check').select('sealed');
  return (await query.executeTakeFirstOrThrow()).sealed;
}

const open = (sealed: string, ...materials: string[]) =>
  new Keyring(materials).open(sealed, sealingContext('sealing_check', 'sealed', 'check'));

async function retired(): Promise<string[]> {
  const rows = await service.store.read.selectFrom('retired_keys').select('id').execute();
  return rows.map(({ id }) => id);
}

const sealingKeyId = () => new Keyring(readKeyFile(keyFile())).sealingKeyId;
const backupSettings = async (options = '') =>
  (await requestOperator(service.place.directory, `/backup?without-telemetry${options}`)).bytes;
const restore = (archive: Buffer) => requestOperator(service.place.directory, '/restore', archive);
const forget = (options = '') => requestOperator(service.place.directory, `/secret-key/forget${options}`);

let token: string;
async function newChannel(): Promise<string> {
  const data = { webhookUrl: 'https://hooks.example.com/canary' };
  const body = { name: 'hook', type: 'Webhook', enabled: 1, data };
  token = await service.token();
  return (await service.request('POST', '/api/v2/AlertChannels', { token, body })).body.data.intgGuid;
}

async function webhookOf(id: string): Promise<string> {
  const { body } = await service.request('GET', `/api/v2/AlertChannels/${id}`, { token });
  return body.data.data.webhookUrl;
}

const rotations = () =>
  service.store.read
    .selectFrom('audit_log')
    .selectAll()
    .where('event_name', '=', 'Secret Key Rotated')
    .execute();

describe('a rotation of the key in the file', () => {
  test('replaces the key and encrypts every secret with the new one', async () => {
    service = await TestService.start();
    const signedIn = await service.token();
    const [old = '', ...otherKeys] = readKeyFile(keyFile());
    expect(otherKeys).toEqual([]);
    const { status, body } = await rotate();
    expect([status, body.sealed]).toEqual([200, 1]);
    const [added = '', ...rest] = readKeyFile(keyFile());
    expect(rest).toEqual([]);
    expect(added).not.toBe(old);
    expect(body.keyId).toBe(new Keyring([added]).sealingKeyId);
    const sealed = await sealedCheck();
    expect(() => open(sealed, old)).toThrow(UnknownKeyError);
    expect(open(sealed, added)).toBe('vedette');
    await service.restart();
    expect((await service.request('GET', '/api/v2/UserProfile', { token: signedIn })).status).toBe(200);
    expect(await service.token()).toMatch(/^_/);
  });

  test('creates one audit entry with the user and without the key', async () => {
    service = await TestService.start();
    await rotate();
    const entries = await rotations();
    expect(entries.map((entry) => entry.user_name)).toEqual(['operator@example.com']);
    for (const key of readKeyFile(keyFile())) expect(JSON.stringify(entries)).not.toContain(key);
  });

  test('interrupted after adding the new key prevents neither a start nor the next rotation', async () => {
    service = await TestService.start();
    const before = readKeyFile(keyFile());
    writeKeyFile(keyFile(), [Keyring.newMaterial(), ...before]);
    await service.restart();
    expect(open(await sealedCheck(), ...before)).toBe('vedette');
    expect((await rotate()).status).toBe(200);
    const after = readKeyFile(keyFile());
    expect(after).toHaveLength(1);
    expect(open(await sealedCheck(), ...after)).toBe('vedette');
    await service.restart();
  });

  test('keeps older archives restorable, repeatedly', async () => {
    service = await TestService.start();
    const channel = await newChannel();
    const [firstKey, firstArchive] = [sealingKeyId(), await backupSettings()];
    await rotate();
    const [secondKey, secondArchive] = [sealingKeyId(), await backupSettings()];
    expect((await rotate()).body.retired.sort()).toEqual([firstKey, secondKey].sort());
    for (const archive of [firstArchive, secondArchive, firstArchive]) {
      expect((await restore(archive)).status).toBe(200);
      expect(open(await sealedCheck(), ...readKeyFile(keyFile()))).toBe('vedette');
      expect(await webhookOf(channel)).toContain('canary');
      expect((await retired()).sort()).toEqual([firstKey, secondKey].sort());
    }
  });

  test('makes older archives require their key after the retired keys are forgotten', async () => {
    service = await TestService.start();
    const channel = await newChannel();
    const [retiredKey, plain, withKey] = [
      sealingKeyId(),
      await backupSettings(),
      await backupSettings('&with-key'),
    ];
    await rotate();
    const unconfirmed = await forget();
    expect([unconfirmed.status, unconfirmed.body.code]).toEqual([409, 'CONFLICT']);
    const now = new Date(service.clock.now()).toISOString();
    expect(unconfirmed.body.message).toBe(
      `Without the retired key ${retiredKey}, backups made before ${now} can not be restored here unless they were made with --with-key. Add --yes to forget the retired keys.`,
    );
    expect(await retired()).toEqual([retiredKey]);
    expect((await forget('?yes')).body).toEqual({ forgotten: [retiredKey] });
    expect((await forget('?yes')).body).toEqual({ forgotten: [] });
    const rejected = await restore(plain);
    expect([rejected.status, rejected.body.code]).toEqual([409, 'CONFLICT']);
    expect(rejected.body.message).toMatch(
      `The data was sealed with the secret key ${retiredKey}, which this server does not have. The archive was sealed with the key of another server, or with a key removed by`,
    );
    expect(await webhookOf(channel)).toContain('canary');
    expect((await restore(withKey)).status).toBe(200);
    expect(await webhookOf(channel)).toContain('canary');
  });

  test('stores retired keys in archives only encrypted', async () => {
    service = await TestService.start();
    const old = readKeyFile(keyFile())[0] as string;
    await rotate();
    const content = gunzipSync(await backupSettings()).toString('utf8');
    expect(content).toContain('"retired_keys"');
    for (const key of [old, ...readKeyFile(keyFile())]) expect(content).not.toContain(key);
    const entry = await service.store.read
      .selectFrom('retired_keys')
      .select(['id', 'retired_at'])
      .executeTakeFirstOrThrow();
    expect(entry).toEqual({ id: new Keyring([old]).sealingKeyId, retired_at: service.clock.now() });
  });

  test('keeps other archives of another server restorable after one with its key', async () => {
    service = await TestService.start();
    const other = await TestService.start();
    try {
      const { directory } = other.place;
      const { bytes: plain } = await requestOperator(directory, '/backup?without-telemetry');
      const { bytes: withKey } = await requestOperator(directory, '/backup?without-telemetry&with-key');
      const statuses = [];
      for (const archive of [plain, withKey, plain]) statuses.push((await restore(archive)).status);
      expect(statuses).toEqual([409, 200, 200]);
    } finally {
      await other.stop();
    }
  });

  test('is rejected during a restore', async () => {
    service = await TestService.start();
    const { directory } = service.place;
    const { bytes } = await requestOperator(directory, '/backup');
    const before = readKeyFile(keyFile());
    const upload = new PassThrough();
    upload.write(bytes.subarray(0, 20));
    const restoring = requestOperator(directory, '/restore', upload);
    await expect.poll(() => existsSync(join(directory, 'restore-scratch.db'))).toBe(true);
    const { status, body } = await rotate();
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(readKeyFile(keyFile())).toEqual(before);
    upload.end(bytes.subarray(20));
    expect((await restoring).status).toBe(200);
    expect((await rotate()).status).toBe(200);
  });
});

describe('a rotation of keys in VEDETTE_SECRET_KEY', () => {
  const [first, second] = ['first-'.repeat(8), 'second-'.repeat(8)];

  test('reports the fix if there is only one key', async () => {
    service = await TestService.start({ VEDETTE_SECRET_KEY: second });
    const before = await sealedCheck();
    const { status, body } = await rotate();
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(body.message).toMatch(/put the new key .* before it, restart, then rotate/);
    expect(body.message).not.toContain(second);
    expect(await sealedCheck()).toBe(before);
    expect(await rotations()).toEqual([]);
    expect(existsSync(keyFile())).toBe(false);
  });

  test('encrypts with the first of two keys, so that the second can be removed', async () => {
    service = await TestService.start({ VEDETTE_SECRET_KEY: `${first},${second}` });
    const ring = new Keyring([second]);
    const sealed = ring.seal('vedette', sealingContext('sealing_check', 'sealed', 'check'));
    await service.store.housekeeping((tx) => tx.updateTable('sealing_check').set({ sealed }).execute());
    await service.restart();
    const { directory } = service.place;
    const older = await backupSettings();
    expect((await rotate()).body).toEqual({
      keyId: new Keyring([first]).sealingKeyId,
      sealed: 1,
      retired: [new Keyring([second]).sealingKeyId],
    });
    expect(existsSync(keyFile())).toBe(false);
    expect((await openKeyring(service.store, directory, [first])).materials).toEqual([first]);
    await expect(openKeyring(service.store, directory, [second])).rejects.toThrow('does not have');
    await service.stop();
    service = await TestService.start({ VEDETTE_SECRET_KEY: first });
    await service.store.housekeeping((tx) => retireKeys(tx, new Keyring([first]), [second], 1));
    expect((await restore(older)).status).toBe(200);
    expect(open(await sealedCheck(), first)).toBe('vedette');
  });
});
