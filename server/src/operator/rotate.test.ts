import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import {
  openKeyring,
  readKeyFile,
  sealingContext,
  secretKeyFile,
  writeKeyFile,
} from '../control/secret-key.ts';
import { Keyring, UnknownKeyError } from '../platform/keyring.ts';
import { askOperator } from '../testing/operator.ts';
import { TestService } from '../testing/service.ts';

let service: TestService;
afterEach(() => service.stop());

const keyFile = () => secretKeyFile(service.place.directory);
const rotate = () => askOperator(service.place.directory, '/secret-key/rotate');

async function sealedText(): Promise<string> {
  const query = service.store.read.selectFrom('sealing_check').select('sealed');
  return (await query.executeTakeFirstOrThrow()).sealed;
}

const open = (sealed: string, ...materials: string[]) =>
  new Keyring(materials).open(sealed, sealingContext('sealing_check', 'sealed', 'check'));

const rotations = () =>
  service.store.read
    .selectFrom('audit_log')
    .selectAll()
    .where('event_name', '=', 'Secret Key Rotated')
    .execute();

describe('a rotation of the key in the file', () => {
  test('replaces the key and seals every secret with the new one', async () => {
    service = await TestService.start();
    const token = await service.token();
    const [old = '', ...none] = readKeyFile(keyFile());
    expect(none).toEqual([]);
    const { status, body } = await rotate();
    expect([status, body.sealed]).toEqual([200, 1]);
    const [added = '', ...rest] = readKeyFile(keyFile());
    expect(rest).toEqual([]);
    expect(added).not.toBe(old);
    expect(body.keyId).toBe(new Keyring([added]).sealingKeyId);
    const sealed = await sealedText();
    expect(() => open(sealed, old)).toThrow(UnknownKeyError);
    expect(open(sealed, added)).toBe('vedette');
    await service.restart();
    expect((await service.ask('GET', '/api/v2/UserProfile', { token })).status).toBe(200);
    expect(await service.token()).toMatch(/^_/);
  });

  test('is one entry of the audit log, with who did it and no key', async () => {
    service = await TestService.start();
    await rotate();
    const entries = await rotations();
    expect(entries.map((entry) => entry.user_name)).toEqual(['operator@example.com']);
    for (const key of readKeyFile(keyFile())) expect(JSON.stringify(entries)).not.toContain(key);
  });

  test('that was cut off after the new key was added hinders neither a start nor the next rotation', async () => {
    service = await TestService.start();
    const before = readKeyFile(keyFile());
    writeKeyFile(keyFile(), [Keyring.newMaterial(), ...before]);
    await service.restart();
    expect(open(await sealedText(), ...before)).toBe('vedette');
    expect((await rotate()).status).toBe(200);
    const after = readKeyFile(keyFile());
    expect(after).toHaveLength(1);
    expect(open(await sealedText(), ...after)).toBe('vedette');
    await service.restart();
  });

  test('makes older archives need their key', async () => {
    service = await TestService.start();
    const { directory } = service.place;
    const { bytes: plain } = await askOperator(directory, '/backup');
    const { bytes: withKey } = await askOperator(directory, '/backup?with-key');
    await rotate();
    const refused = await askOperator(directory, '/restore', plain);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect((await askOperator(directory, '/restore', withKey)).status).toBe(200);
    expect(open(await sealedText(), ...readKeyFile(keyFile()))).toBe('vedette');
    await service.restart();
  });

  test('waits its turn: not during a restore', async () => {
    service = await TestService.start();
    const { directory } = service.place;
    const { bytes } = await askOperator(directory, '/backup');
    const before = readKeyFile(keyFile());
    const upload = new PassThrough();
    upload.write(bytes.subarray(0, 20));
    const restoring = askOperator(directory, '/restore', upload);
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

  test('says what to do when there is only one', async () => {
    service = await TestService.start({ VEDETTE_SECRET_KEY: second });
    const before = await sealedText();
    const { status, body } = await rotate();
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(body.message).toMatch(/put the new key .* in front of it, restart, and rotate/);
    expect(body.message).not.toContain(second);
    expect(await sealedText()).toBe(before);
    expect(await rotations()).toEqual([]);
    expect(existsSync(keyFile())).toBe(false);
  });

  test('seals with the first of two, so that the second can go', async () => {
    service = await TestService.start({ VEDETTE_SECRET_KEY: `${first},${second}` });
    const ring = new Keyring([second]);
    const sealed = ring.seal('vedette', sealingContext('sealing_check', 'sealed', 'check'));
    await service.store.housekeeping((tx) => tx.updateTable('sealing_check').set({ sealed }).execute());
    await service.restart();
    expect((await rotate()).body).toEqual({ keyId: new Keyring([first]).sealingKeyId, sealed: 1 });
    const { directory } = service.place;
    expect(existsSync(keyFile())).toBe(false);
    expect((await openKeyring(service.store, directory, [first])).materials).toEqual([first]);
    await expect(openKeyring(service.store, directory, [second])).rejects.toThrow('does not have');
  });
});
