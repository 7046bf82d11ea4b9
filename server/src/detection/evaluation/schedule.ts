import { createHash } from 'node:crypto';
import type { Task } from './task.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Maximum wait between two evaluations of a policy, or after a failure. */
export function maxWait({ policy }: Pick<Task, 'policy'>, isStream: boolean): number {
  return policy.evalFrequency === 'Daily' && !isStream ? day : hour;
}

/** The next evaluation of a state; each policy has its own minute, which spreads the load. */
export function nextRun(task: Pick<Task, 'ownerId' | 'policy'>, after: number): number {
  const { ownerId, policy } = task;
  const period = maxWait(task, false);
  const digest = createHash('sha256').update(`${ownerId} ${policy.policyId}`).digest();
  const offset = digest.readUInt32BE(0) % period;
  return (Math.floor((after - offset) / period) + 1) * period + offset;
}
