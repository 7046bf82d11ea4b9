import { exposition } from '../../platform/exposition.ts';

/** Running and waiting tasks of a fair queue. */
export interface QueueGauges {
  readonly running: number;
  /** Only for queues in memory. */
  readonly waiting?: number;
}

export function queueGauges(queues: Readonly<Record<string, QueueGauges>>): string {
  return exposition({
    name: 'vedette_queue',
    type: 'gauge',
    help: 'Running tasks and tasks waiting in memory, by queue; each queue is fair between accounts.',
    values: Object.entries(queues).flatMap(([queue, { running, waiting }]) =>
      Object.entries({ running, ...(waiting !== undefined && { waiting }) }).map(([state, value]) => ({
        labels: { queue, state },
        value,
      })),
    ),
  });
}
