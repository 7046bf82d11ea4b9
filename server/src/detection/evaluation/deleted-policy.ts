import type { Act, ControlStore, ControlTransaction } from '../../control/store.ts';
import type { DeletedPolicy } from '../../telemetry/evaluation.ts';

export const policyDeleted = 'policy.deleted';

const batchSize = 5_000;

/** Deletes the evaluations of a deleted policy. There may be many violations, so they are deleted after the commit. */
export async function deleteEvaluations(
  tx: ControlTransaction,
  act: Pick<Act, 'publish'>,
  { ownerId, policyId }: Pick<DeletedPolicy, 'ownerId' | 'policyId'>,
  at: number,
): Promise<void> {
  await tx
    .deleteFrom('evaluations')
    .where('owner_id', '=', ownerId)
    .where('policy_id', '=', policyId)
    .execute();
  await act.publish(policyDeleted, ownerId, { ownerId, policyId, at } satisfies DeletedPolicy);
}

/** Deletes the violations of a deleted policy; those of a new policy with the same id are kept. */
export async function deleteExpiredViolations(
  store: Pick<ControlStore, 'housekeeping'>,
  { ownerId, policyId, at }: DeletedPolicy,
): Promise<void> {
  const removeSome = (tx: ControlTransaction) => {
    const some = tx
      .selectFrom('violations')
      .select('key')
      .where('owner_id', '=', ownerId)
      .where('policy_id', '=', policyId)
      .where('last_at', '<=', at)
      .limit(batchSize);
    return tx
      .deleteFrom('violations')
      .where('owner_id', '=', ownerId)
      .where('policy_id', '=', policyId)
      .where('last_at', '<=', at)
      .where('key', 'in', some)
      .executeTakeFirstOrThrow();
  };
  for (;;) {
    const { numDeletedRows } = await store.housekeeping(removeSome);
    if (Number(numDeletedRows) < batchSize) return;
  }
}
