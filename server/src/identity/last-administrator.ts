import type { ControlTransaction } from '../control/store.ts';
import { Refusal } from '../platform/errors.ts';

/**
 * Makes changes of users wait for each other, so that what one of them found true (who else is an administrator, which
 * accounts somebody belongs to) still holds when it commits.
 */
export async function lockOrganization(tx: ControlTransaction, organizationId: string): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ id: organizationId })
    .where('id', '=', organizationId)
    .execute();
}

/** Does something to a user, and undoes it when the organization is left without an administrator who can sign in. */
export async function keepAdministrator(
  tx: ControlTransaction,
  organizationId: string,
  change: () => Promise<unknown>,
): Promise<void> {
  await lockOrganization(tx, organizationId);
  const before = await administrators(tx, organizationId);
  await change();
  if (before === 0 || (await administrators(tx, organizationId)) > 0) return;
  throw new Refusal(
    'CONFLICT',
    'This is the last administrator of the organization: make another user an administrator first.',
  );
}

async function administrators(tx: ControlTransaction, organizationId: string): Promise<number> {
  const { held } = await tx
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('held'))
    .where('organization_id', '=', organizationId)
    .where('organization_role', '=', 'orgAdmin')
    .where('enabled', '=', 1)
    .executeTakeFirstOrThrow();
  return held;
}
