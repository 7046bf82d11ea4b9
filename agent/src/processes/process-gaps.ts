import { accessAdvice } from '../host/access-advice.ts';
import type { Gap } from '../source.ts';
import type { HostProcess } from './host-process.ts';

/** What may not be read of processes. The messages do not count them, so that each is logged once. */
export function processGaps(processes: readonly HostProcess[], hidden: number, isRoot: boolean): Gap[] {
  const advice = accessAdvice('processes', isRoot);
  const gaps: Gap[] = [];
  if (hidden > 0 || !processes.some(({ pid }) => pid === 1))
    gaps.push({
      what: 'Processes of other users',
      reason: `The mount option hidepid of /proc hides them. ${advice}`,
    });
  if (processes.some(({ program }) => program.is === 'unreadable'))
    gaps.push({
      what: 'Programs of other users',
      reason: `Their processes are reported by name, in brackets. ${advice}`,
    });
  if (processes.some(({ parameters }) => parameters.is === 'unreadable'))
    gaps.push({ what: 'Command lines of other users', reason: `They may not be read. ${advice}` });
  return gaps;
}
