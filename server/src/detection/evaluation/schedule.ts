import { createHash } from 'node:crypto';
import type { Task } from './task.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** How long a policy waits at the most between two turns, or after it failed. */
export function longestWait({ policy }: Pick<Task, 'policy'>, isStream: boolean): number {
  return policy.evalFrequency === 'Daily' && !isStream ? day : hour;
}

/** When a state is judged again: each policy at its own minute, so that they do not all run at once. */
export function nextRun(task: Pick<Task, 'ownerId' | 'policy'>, after: number): number {
  const { ownerId, policy } = task;
  const period = longestWait(task, false);
  const digest = createHash('sha256').update(`${ownerId} ${policy.policyId}`).digest();
  const offset = digest.readUInt32BE(0) % period;
  return (Math.floor((after - offset) / period) + 1) * period + offset;
}
