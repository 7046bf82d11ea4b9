import { createHash } from 'node:crypto';
import type { Task } from './task.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** When a state is judged again: each policy at its own minute, so that they do not all run at once. */
export function nextTurn({ ownerId, policy }: Pick<Task, 'ownerId' | 'policy'>, after: number): number {
  const period = policy.evalFrequency === 'Daily' ? day : hour;
  const digest = createHash('sha256').update(`${ownerId} ${policy.policyId}`).digest();
  const offset = digest.readUInt32BE(0) % period;
  return (Math.floor((after - offset) / period) + 1) * period + offset;
}
