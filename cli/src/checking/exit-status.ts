import { type Severity, severities } from '@vedette/server/detection/policies/severity';
import { type CheckResult, isComplete, withStatus } from './check-result.ts';

/** When a pipeline has to stop. */
export interface FailureThreshold {
  /** The lowest severity of findings that do; `none` if they never do. */
  readonly failOn: Severity | 'none';
  /** Whether it also has to stop if not everything was assessed. */
  readonly isStrict: boolean;
}

/** Errors of the command itself have status 1. */
export const exitStatuses = { passed: 0, findings: 2, incomplete: 3 } as const;

/** A finding is known, whatever else could not be assessed: it comes first. */
export function exitStatusOf(result: CheckResult, { failOn, isStrict }: FailureThreshold): number {
  const threshold = failOn === 'none' ? -1 : severities.indexOf(failOn);
  const isFound = withStatus(result, 'failed').some(
    ({ policy }) => severities.indexOf(policy.severity) <= threshold,
  );
  if (isFound) return exitStatuses.findings;
  return isStrict && !isComplete(result) ? exitStatuses.incomplete : exitStatuses.passed;
}
