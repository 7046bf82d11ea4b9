import { createHmac, timingSafeEqual } from 'node:crypto';

export type Purpose =
  | 'key secret'
  | 'access token'
  | 'agent token'
  | 'server token'
  | 'sign-in link'
  | 'session';

/**
 * The stored form of a secret that is only compared. Secrets are random with 128 bits or more, so that a plain HMAC is
 * as safe as a slow hash; the purpose prevents a value of one kind from being used as another. It is independent of the
 * encryption key, so that API keys remain valid after that key is rotated or lost.
 */
export function fingerprint(purpose: Purpose, secret: string): string {
  return createHmac('sha256', `vedette ${purpose}`).update(secret).digest('hex');
}

export function sameFingerprint(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
