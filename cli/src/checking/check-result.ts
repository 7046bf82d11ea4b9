import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import type { Problem } from '@vedette/server/collect/inventory/problem';
import type { ScopeResult } from '@vedette/server/collect/inventory/snapshot-writer';
import type { BuiltInPolicy } from '@vedette/server/detection/packs/policy';
import type { Severity } from '@vedette/server/detection/policies/severity';
import type { PolicyEvaluation } from '@vedette/server/telemetry/evaluation';
import type { CheckedFramework } from './checked-framework.ts';

/** A policy passes only if every resource in its scope was read and none violates it. */
export type PolicyStatus = 'failed' | 'not assessed' | 'passed';

export interface CheckedPolicy {
  readonly policy: BuiltInPolicy;
  /** The service that it is about. */
  readonly service: string;
  readonly status: PolicyStatus;
  readonly counts: PolicyEvaluation['counts'];
  /** Why it could not be evaluated at all. */
  readonly error?: string;
}

/** A resource that violates a policy or could not be assessed. */
export interface Finding {
  readonly status: 'NonCompliant' | 'CouldNotAssess';
  readonly resource: string;
  readonly region: string;
  readonly reason: string;
  /** The cloud account, in the members of the provider. */
  readonly account: Readonly<Record<string, string>>;
}

export interface CheckResult {
  readonly cloud: Cloud;
  /** In epoch milliseconds. */
  readonly began: number;
  readonly evaluatedAt: number;
  readonly framework: CheckedFramework | undefined;
  /** That were read. */
  readonly resources: number;
  /** The most severe first. */
  readonly policies: readonly CheckedPolicy[];
  /** Kinds and regions that the policies need and that could not be read. */
  readonly gaps: readonly ScopeResult[];
  /** Accounts that could not be read. */
  readonly problems: readonly Problem[];
  /** Sorted by resource; there may be fewer than the counts say if there are very many. */
  findings(policy: CheckedPolicy): Promise<readonly Finding[]>;
}

export function withStatus({ policies }: CheckResult, status: PolicyStatus): CheckedPolicy[] {
  return policies.filter((one) => one.status === status);
}

export function failedOf(result: CheckResult, severity: Severity): CheckedPolicy[] {
  return withStatus(result, 'failed').filter(({ policy }) => policy.severity === severity);
}

/** Whether everything that the policies need was read. An account that is not active has nothing to read. */
export function isComplete({ policies, problems }: CheckResult): boolean {
  return (
    problems.every(({ status }) => status === 'not enabled') &&
    policies.every(({ counts, error }) => counts.CouldNotAssess === 0 && error === undefined)
  );
}
