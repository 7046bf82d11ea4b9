import { exposition } from '../../platform/exposition.ts';
import type { Scheduler } from './scheduler.ts';

export function evaluationMetrics({ gauges }: Pick<Scheduler, 'gauges'>): string {
  const { lastSeconds, ...counts } = gauges;
  return exposition(
    {
      name: 'vedette_evaluations',
      type: 'gauge',
      help: 'Policies that are judged, and those of them that are overdue, that failed the last time, and that are being judged now.',
      values: { label: 'state', of: counts },
    },
    {
      name: 'vedette_evaluation_last_seconds',
      type: 'gauge',
      help: 'How long the last judgement of a policy took.',
      values: lastSeconds,
    },
  );
}
