import type { ControlTransaction } from '../control/store.ts';
import { Refusal } from '../platform/errors.ts';

/**
 * Serialises changes of users, so that conditions checked by one (other administrators, account memberships) still hold
 * at its commit.
 */
export async function lockOrganization(tx: ControlTransaction, organizationId: string): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ id: organizationId })
    .where('id', '=', organizationId)
    .execute();
}

/** Applies a change, and rejects it if the organization would be left without an enabled administrator. */
export async function keepAdministrator(
  tx: ControlTransaction,
  organizationId: string,
  change: () => Promise<unknown>,
): Promise<void> {
  await lockOrganization(tx, organizationId);
  const before = await countAdministrators(tx, organizationId);
  await change();
  if (before === 0 || (await countAdministrators(tx, organizationId)) > 0) return;
  throw new Refusal(
    'CONFLICT',
    'This is the last administrator of the organization: make another user an administrator first.',
  );
}

async function countAdministrators(tx: ControlTransaction, organizationId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('organization_role', '=', 'orgAdmin')
    .where('enabled', '=', 1)
    .executeTakeFirstOrThrow();
  return count;
}
