import type { ControlTransaction } from '../control/store.ts';
import type { IntegrationRow } from '../integrations/record.ts';
import { recordState } from '../integrations/state.ts';
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
  const details = problem ? detailsOf(problem) : {};
  await recordState(tx, { id, owner_id }, { ok: !problem, details }, { now });
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
