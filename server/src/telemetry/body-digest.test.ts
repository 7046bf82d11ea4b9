import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOf } from './body-digest.ts';

const digestAtOnce = (body: string) => createHash('sha256').update(body).digest('base64url');

test.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 2 * 1024 * 1024 + 7])(
  'the digest of a long body does not depend on chunk boundaries: %i characters before a surrogate pair',
  async (length) => {
    const body = `${'é'.repeat(length)}😀${'x'.repeat(1024 * 1024)}`;
    expect(await digestOf(body)).toBe(digestAtOnce(body));
  },
);

test('hashing a long body yields to other work', async () => {
  let ticks = 0;
  const counting = setInterval(() => ticks++, 0);
  const body = 'x'.repeat(64 * 1024 * 1024);
  await digestOf(body);
  clearInterval(counting);
  expect(ticks).toBeGreaterThan(1);
});
