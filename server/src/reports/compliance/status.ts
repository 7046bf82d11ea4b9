import type { PlannedPolicy } from './plan.ts';
import type { PolicyResults } from './policy-results.ts';
import type { Recommendation } from './report.ts';
import { counted } from './wording.ts';

type Status = Pick<Recommendation, 'status' | 'reason'>;

/**
 * The status of a recommendation. It is compliant only if everything in scope was read and meets it: what was not seen is
 * never a pass, and neither is what exceptions cover.
 */
export function statusOf(state: PlannedPolicy['state'], { isEvaluated, counts }: PolicyResults): Status {
  if (state === 'manual')
    return { status: 'RequiresManualAssessment', reason: 'A person attests this control.' };
  if (state === 'disabled') return { status: 'Suppressed', reason: 'The policy is disabled.' };
  if (counts.NonCompliant) return { status: 'NonCompliant', reason: '' };
  if (!isEvaluated) return { status: 'CouldNotAssess', reason: 'It was not evaluated yet.' };
  if (counts.CouldNotAssess) {
    const unread = counted(counts.CouldNotAssess, 'resource or kind', 'resources or kinds');
    return { status: 'CouldNotAssess', reason: `${unread} of resources could not be read.` };
  }
  if (counts.Suppressed)
    return { status: 'Suppressed', reason: 'Exceptions cover every resource that violates it.' };
  return { status: 'Compliant', reason: '' };
}
