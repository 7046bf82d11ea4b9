import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOf } from './body-digest.ts';

const whole = (text: string) => createHash('sha256').update(text).digest('base64url');

test.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 2 * 1024 * 1024 + 7])(
  'the digest of a long body does not depend on chunk boundaries: %i characters before a surrogate pair',
  async (length) => {
    const text = `${'é'.repeat(length)}😀${'x'.repeat(1024 * 1024)}`;
    expect(await digestOf(text)).toBe(whole(text));
  },
);

test('hashing a long body yields to other work', async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  const text = 'x'.repeat(64 * 1024 * 1024);
  await digestOf(text);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(1);
});
