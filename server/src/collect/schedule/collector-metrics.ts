import { exposition } from '../../platform/exposition.ts';
import type { Collector } from './collector.ts';

/** What running collections use of the clouds: calls, and the largest share of a rate over the regions of a service. */
export function collectorMetrics(collector: Pick<Collector, 'usage'>): string {
  const shares: Record<string, number> = {};
  let calls = 0;
  for (const usage of collector.usage()) {
    calls += usage.calls;
    const service = usage.api.split(' ')[0] ?? usage.api;
    if (usage.share !== undefined) shares[service] = Math.max(shares[service] ?? 0, usage.share);
  }
  return exposition(
    {
      name: 'vedette_collect_calls',
      type: 'gauge',
      help: 'Calls to the clouds made by the collections that are running.',
      values: calls,
    },
    {
      name: 'vedette_collect_rate_share',
      type: 'gauge',
      help: 'Share of the documented call rate that running collections use, by service.',
      values: { label: 'service', of: shares },
    },
  );
}
