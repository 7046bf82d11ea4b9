import { grouped } from '../../platform/grouped.ts';
import type { ListedResult, PostureFindings } from '../../telemetry/posture-findings.ts';

/** The results of one policy in one cloud account. */
export interface PolicyResults {
  readonly isEvaluated: boolean;
  /** Resources by status. */
  readonly counts: Readonly<Partial<Record<string, number>>>;
  /** All but compliant ones. */
  readonly listed: readonly ListedResult[];
}

/** Finds the results of a policy by its id. */
export function resultsByPolicy({
  evaluated,
  counts,
  listed,
}: PostureFindings): (id: string) => PolicyResults {
  const isEvaluated = new Set(evaluated);
  const countsOf = grouped(counts, ({ policy }) => policy);
  const listedOf = grouped(listed, ({ policy }) => policy);
  return (id) => ({
    isEvaluated: isEvaluated.has(id),
    counts: Object.fromEntries(countsOf.get(id)?.map(({ status, resources }) => [status, resources]) ?? []),
    listed: listedOf.get(id) ?? [],
  });
}
