import { holdOwned } from '../control/owned-row.ts';
import type { ControlTransaction } from '../control/store.ts';
import type { IntegrationRow } from '../integrations/record.ts';
import type { IntegrationState } from '../integrations/state.ts';
import type { Outcome, Problem } from './attempt.ts';
import { recordFailure, recordSuccess } from './circuit.ts';

/** Updates the state of a channel after a delivery. */
export async function recordOutcome(
  tx: ControlTransaction,
  { id, owner_id }: Pick<IntegrationRow, 'id' | 'owner_id'>,
  { problem }: Outcome,
  times: { readonly startedAt: number; readonly now: number },
): Promise<void> {
  const { now } = times;
  if (problem) await recordFailure(tx, id, times);
  else await recordSuccess(tx, id);
  // Updating the row first locks it, so that no concurrent change of the channel is lost.
  await holdOwned(tx, 'integrations', { id, owner_id });
  const row = await tx.selectFrom('integrations').select('state').where('id', '=', id).executeTakeFirst();
  if (!row) return;
  const before = JSON.parse(row.state ?? '{}') as Partial<IntegrationState>;
  const state: IntegrationState = {
    ok: !problem,
    lastUpdatedTime: now,
    lastSuccessfulTime: problem ? (before.lastSuccessfulTime ?? 0) : now,
    details: problem ? detailsOf(problem) : {},
  };
  await tx
    .updateTable('integrations')
    .set({ state: JSON.stringify(state) })
    .where('id', '=', id)
    .execute();
}

/** The state details that clients show for a failing channel; all values are strings. */
function detailsOf({ message, status, isFinal }: Problem): Record<string, string> {
  return {
    errorTitle: 'The last message did not arrive.',
    errorSubtitle: isFinal ? 'It is not tried again.' : 'It is tried again.',
    errorMessage: message,
    message,
    statusCode: status === undefined ? '' : String(status),
  };
}
