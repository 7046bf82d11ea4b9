import { createHmac, timingSafeEqual } from 'node:crypto';

export type Purpose = 'key secret' | 'access token' | 'agent token' | 'server token';

/**
 * What the store keeps of a secret that only has to be recognised. The secrets are random with 128 bits or more, so
 * one HMAC is as good as a slow hash; the purpose keeps a value of one kind from being used as another. It does not
 * depend on the sealing key, so keys still work after that key was rotated or lost.
 */
export function fingerprint(purpose: Purpose, secret: string): string {
  return createHmac('sha256', `vedette ${purpose}`).update(secret).digest('hex');
}

export function sameFingerprint(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
