import type { ControlTransaction } from '../../control/store.ts';

/** The policies that use a query, formatted for messages; undefined if there are none. */
export async function policiesUsing(
  tx: ControlTransaction,
  ownerId: string,
  queryId: string,
): Promise<string | undefined> {
  const users = await tx
    .selectFrom('policies')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('query_id', '=', queryId)
    .orderBy('id')
    .limit(20)
    .execute();
  return users.map(({ id }) => id).join(', ') || undefined;
}
