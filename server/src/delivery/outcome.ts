import { addEntry } from '../alerts/timeline.ts';
import type { ControlTransaction } from '../control/store.ts';
import type { IntegrationRow } from '../integrations/record.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Outcome, Problem } from './attempt.ts';
import { recordOutcome } from './channel-state.ts';
import { type DeliveryRow, isReport } from './queue.ts';
import { lifetime, nextAttempt } from './retry.ts';

/** Marks a message as delivered, waiting for a retry, or dead, and updates the alert and the channel. */
export async function finish(
  tx: ControlTransaction,
  delivery: DeliveryRow,
  channel: IntegrationRow | undefined,
  outcome: Outcome,
  times: { readonly startedAt: number; readonly now: number },
): Promise<void> {
  const { problem } = outcome;
  const { now } = times;
  const due = problem && !problem.isFinal ? nextAttempt(delivery, now, problem.retryAfter) : undefined;
  const state = !problem ? 'delivered' : due === undefined ? 'dead' : 'waiting';
  const external = problem ? undefined : outcome.external;
  const updated = await tx
    .updateTable('deliveries')
    .set({
      state,
      updated_at: now,
      problem: problem?.message ?? null,
      ...(due !== undefined && { due_at: due }),
      ...(external && { external: JSON.stringify(external) }),
    })
    .where('id', '=', delivery.id)
    // A success always counts; a failure counts only if no other node has leased the message since.
    .where(({ and, eb }) =>
      problem
        ? and([eb('state', '=', 'waiting'), eb('attempts', '=', delivery.attempts)])
        : eb('state', '!=', 'delivered'),
    )
    .executeTakeFirst();
  // The account was deleted, or another node was first.
  if (Number(updated.numUpdatedRows) === 0) return;
  if (channel && !problem?.isUntried) await recordOutcome(tx, channel, outcome, times);
  // The timeline shows the first failure and the final outcome, not the attempts in between.
  if (!isReport(delivery) && (state !== 'waiting' || delivery.attempts === 1))
    await addTimelineEntry(tx, delivery, channel, { state, problem, remark: external?.remark, now });
}

const subjects: Readonly<Record<string, string>> = {
  closed: 'The closing of the alert',
  updated: 'The update of the alert',
};

interface TimelineUpdate {
  readonly state: DeliveryRow['state'];
  readonly problem: Problem | undefined;
  readonly remark: string | undefined;
  readonly now: number;
}

async function addTimelineEntry(
  tx: ControlTransaction,
  delivery: DeliveryRow,
  channel: IntegrationRow | undefined,
  { state, problem, remark, now }: TimelineUpdate,
): Promise<void> {
  const where = channel ? `${channel.type} '${channel.name}'` : delivery.channel_id;
  const subject = subjects[delivery.occasion] ?? 'The alert';
  const until = formatInstant(delivery.created_at + lifetime);
  const messages = {
    delivered: `${subject} was sent to ${where}.${remark ? ` ${remark}` : ''}`,
    waiting: `${subject} could not be sent to ${where} and is tried again until ${until}: ${problem?.message}`,
    dead: `${subject} was not sent to ${where}: ${problem?.message}`,
  };
  await addEntry(tx, {
    ownerId: delivery.owner_id,
    alertId: delivery.alert_id,
    type: 'Delivery',
    message: messages[state],
    at: now,
    author: 'IntegrationUpdate',
    channelId: delivery.channel_id,
    context: {
      newIntegration: {
        alertId: delivery.alert_id,
        lastSyncTime: formatInstant(now),
        alertIntegrationStatus: state,
        status: state,
        isBidirectional: false,
      },
    },
  });
}
