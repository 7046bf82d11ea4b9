import type { Act, ControlStore, ControlTransaction } from '../../control/store.ts';

export const policyDeleted = 'policy.deleted';

export interface DeletedPolicy {
  readonly ownerId: string;
  readonly policyId: string;
  readonly at: number;
}

const rowsAtOnce = 5_000;

/** Ends the evaluations of a policy that is deleted; its violations may be many, so they go after the commit. */
export async function forgetEvaluations(
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

/** Removes violations from before; those of a new policy of the same id stay. */
export async function forgetViolations(
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
      .limit(rowsAtOnce);
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
    if (Number(numDeletedRows) < rowsAtOnce) return;
  }
}
