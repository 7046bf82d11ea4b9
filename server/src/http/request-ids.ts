import { randomBytes } from 'node:crypto';

/** Ids that are unique across restarts and nodes, cheap enough for every request. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}
