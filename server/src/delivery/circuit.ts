import { sql } from 'kysely';
import type { ControlTransaction } from '../control/store.ts';

/** Consecutive failures before the circuit opens. */
const failuresToOpen = 5;
const minPause = 5_000;
const maxPause = 900_000;

/**
 * Records a failure. After enough consecutive failures the circuit opens, with increasing pauses; then a single probe
 * message is sent. Failures of messages that were already in flight when it opened are ignored.
 */
export async function recordFailure(
  tx: ControlTransaction,
  channelId: string,
  { startedAt, now }: { readonly startedAt: number; readonly now: number },
): Promise<void> {
  const counted = await tx
    .insertInto('channel_circuits')
    .values({ channel_id: channelId, failures: 1, opened_at: 0, open_until: 0 })
    .onConflict((conflict) =>
      conflict
        .column('channel_id')
        .doUpdateSet({ failures: sql`channel_circuits.failures + 1` })
        .where(({ or, eb }) =>
          or([
            eb('channel_circuits.failures', '<', failuresToOpen),
            eb('channel_circuits.opened_at', '<', startedAt),
          ]),
        ),
    )
    .returning('failures')
    .executeTakeFirst();
  if (!counted || counted.failures < failuresToOpen) return;
  const { failures } = counted;
  await tx
    .updateTable('channel_circuits')
    .set({
      opened_at: now,
      open_until: now + Math.min(minPause * 2 ** (failures - failuresToOpen), maxPause),
    })
    .where('channel_id', '=', channelId)
    .execute();
}

export async function recordSuccess(tx: ControlTransaction, channelId: string): Promise<void> {
  await tx.deleteFrom('channel_circuits').where('channel_id', '=', channelId).execute();
}

/**
 * Deletes circuits of deleted channels and of channels changed since the circuit opened, and limits the open time after
 * the clock was set back.
 */
export async function repairCircuits(tx: ControlTransaction, now: number): Promise<void> {
  await tx
    .deleteFrom('channel_circuits')
    .where(({ not, and, or, eb, exists, selectFrom }) => {
      const channel = selectFrom('integrations')
        .select('integrations.id')
        .whereRef('integrations.id', '=', 'channel_circuits.channel_id');
      const changed = channel
        .whereRef('integrations.updated_at', '>', 'channel_circuits.opened_at')
        .where('integrations.updated_at', '<=', now);
      return or([not(exists(channel)), and([eb('opened_at', '>', 0), exists(changed)])]);
    })
    .execute();
  await tx
    .updateTable('channel_circuits')
    .set({ opened_at: now, open_until: now })
    .where('open_until', '>', now + maxPause)
    .execute();
}

/** The number of messages that may be sent to a channel now: all, one probe, or none. */
export async function admittedMessages(
  tx: ControlTransaction,
  channelId: string,
  wanted: number,
  { now, probe }: { readonly now: number; readonly probe: number },
): Promise<number> {
  const circuit = await tx
    .selectFrom('channel_circuits')
    .selectAll()
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  if (!circuit || circuit.failures < failuresToOpen) return wanted;
  // The node that updates the row sends the probe; for others the circuit is open again.
  const claimed = await tx
    .updateTable('channel_circuits')
    .set({ open_until: now + probe })
    .where('channel_id', '=', channelId)
    .where('open_until', '<=', now)
    .executeTakeFirst();
  return Number(claimed.numUpdatedRows);
}
