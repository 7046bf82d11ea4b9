import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Keyring, UnknownKeyError } from './keyring.ts';

const old = Keyring.newMaterial();
const current = Keyring.newMaterial();

describe('a keyring', () => {
  test('decrypts what it encrypted, for any string', () => {
    const keyring = new Keyring([current]);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (plaintext) => keyring.open(keyring.seal(plaintext, 'a'), 'a') === plaintext,
      ),
    );
  });

  test('hides the plaintext and never produces the same ciphertext twice', () => {
    const keyring = new Keyring([current]);
    const [first, second] = [keyring.seal('canary', 'a'), keyring.seal('canary', 'a')];
    expect(first).not.toBe(second);
    expect(first + Buffer.from(first.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain(
      'canary',
    );
  });

  test('rejects a ciphertext with another context or a flipped bit', () => {
    const keyring = new Keyring([current]);
    const sealed = keyring.seal('canary', 'channel 1');
    expect(() => keyring.open(sealed, 'channel 2')).toThrow();
    const [id, body] = sealed.split('.') as [string, string];
    const bytes = Buffer.from(body, 'base64url');
    for (let position = 0; position < bytes.length; position++) {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] as number) ^ 1;
      expect(() => keyring.open(`${id}.${changed.toString('base64url')}`, 'channel 1')).toThrow();
    }
  });

  test('decrypts with an old key, encrypts with the first, and names a missing key', () => {
    const sealedBefore = new Keyring([old]).seal('canary', 'a');
    const both = new Keyring([current, old]);
    expect(both.open(sealedBefore, 'a')).toBe('canary');
    expect(both.seal('canary', 'a').startsWith(both.sealingKeyId)).toBe(true);
    expect(() => new Keyring([current]).open(sealedBefore, 'a')).toThrow(UnknownKeyError);
  });
});
