import { grouped } from '../../platform/grouped.ts';
import type { PostureFindings } from '../../telemetry/posture-findings.ts';
import type { ReportPlan } from './plan.ts';
import type { TrendPoint } from './report.ts';
import { statusOf } from './status.ts';

const day = 86_400_000;

/** Times before an evaluation that it is compared with, in milliseconds: a day, and each week of a quarter. */
export const trendOffsets: readonly number[] = [
  day,
  ...Array.from({ length: 12 }, (_, week) => (week + 1) * 7 * day),
];

/** How many of the plan's policies were compliant earlier; times before the first evaluation are left out. */
export function trendOf({ policies }: ReportPlan, { earlier }: PostureFindings): TrendPoint[] {
  const points = Array.from(
    grouped(earlier, ({ at }) => at),
    ([at, entries]) => {
      const statuses = Array.from(
        grouped(entries, ({ policy }) => policy),
        ([id, ofPolicy]) => {
          const counts = Object.fromEntries(ofPolicy.map(({ status }) => [status, 1]));
          return statusOf(policies.get(id)?.state ?? 'disabled', { isEvaluated: true, counts, listed: [] })
            .status;
        },
      );
      const number = (status: string) => statuses.filter((one) => one === status).length;
      return { at, compliant: number('Compliant'), nonCompliant: number('NonCompliant') };
    },
  );
  return points
    .filter(({ compliant, nonCompliant }) => compliant + nonCompliant > 0)
    .sort((one, other) => one.at - other.at);
}
