import { exposition } from '../../platform/exposition.ts';

/** What runs and waits in a queue in which accounts take turns. */
export interface QueueGauges {
  readonly running: number;
  /** Only of queues that wait in memory. */
  readonly waiting?: number;
}

export function queueGauges(queues: Readonly<Record<string, QueueGauges>>): string {
  return exposition({
    name: 'vedette_queue',
    type: 'gauge',
    help: 'Tasks that run, and that wait in memory for a slot, by queue; accounts take turns in each.',
    values: Object.entries(queues).flatMap(([queue, { running, waiting }]) =>
      Object.entries({ running, ...(waiting !== undefined && { waiting }) }).map(([state, value]) => ({
        labels: { queue, state },
        value,
      })),
    ),
  });
}
