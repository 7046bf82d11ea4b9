import { sql } from 'kysely';
import type { ControlTransaction } from '../control/store.ts';

/** Fewer failures in a row are bad luck. */
const failuresToOpen = 5;
const shortest = 5_000;
const longest = 900_000;

/**
 * A channel that fails is left alone for a while, longer each time; then one message tries it for all. Those that were on
 * their way already fail together with the one that opens it, and say nothing new.
 */
export async function noteFailure(
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
    .set({ opened_at: now, open_until: now + Math.min(shortest * 2 ** (failures - failuresToOpen), longest) })
    .where('channel_id', '=', channelId)
    .execute();
}

export async function noteSuccess(tx: ControlTransaction, channelId: string): Promise<void> {
  await tx.deleteFrom('channel_circuits').where('channel_id', '=', channelId).execute();
}

/**
 * Forgets those of channels that are gone or were changed since they opened, and none is open for longer than any can be,
 * whatever the clock did.
 */
export async function tidyCircuits(tx: ControlTransaction, now: number): Promise<void> {
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
    .where('open_until', '>', now + longest)
    .execute();
}

/** How many messages may go to a channel now: as many as wanted, one that tries it, or none. */
export async function admitted(
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
  // Whoever moves the moment is the one that tries; the others find it in the future.
  const moved = await tx
    .updateTable('channel_circuits')
    .set({ open_until: now + probe })
    .where('channel_id', '=', channelId)
    .where('open_until', '<=', now)
    .executeTakeFirst();
  return Number(moved.numUpdatedRows);
}
