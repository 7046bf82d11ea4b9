import { exposition } from '../../platform/exposition.ts';
import type { Scheduler } from './scheduler.ts';

export function evaluationMetrics({ gauges }: Pick<Scheduler, 'gauges'>): string {
  const { lastSeconds, ...counts } = gauges;
  return exposition(
    {
      name: 'vedette_evaluations',
      type: 'gauge',
      help: 'Scheduled policies, and how many of them are overdue, failed in the last evaluation, or are being evaluated.',
      values: { label: 'state', of: counts },
    },
    {
      name: 'vedette_evaluation_last_seconds',
      type: 'gauge',
      help: 'Duration of the last evaluation of a policy.',
      values: lastSeconds,
    },
  );
}
