import { exposition } from '../platform/exposition.ts';
import type { Deliveries } from './deliveries.ts';

export async function deliveryMetrics(deliveries: Pick<Deliveries, 'counts'>): Promise<string> {
  const { oldest, ...counts } = await deliveries.counts();
  return exposition(
    {
      name: 'vedette_deliveries',
      type: 'gauge',
      help: 'Messages about alerts, by state.',
      values: { label: 'state', of: counts },
    },
    {
      name: 'vedette_deliveries_oldest_waiting_seconds',
      type: 'gauge',
      help: 'Age of the oldest waiting message.',
      values: oldest,
    },
  );
}
