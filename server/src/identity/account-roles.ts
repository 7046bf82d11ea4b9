import { createHash } from 'node:crypto';
import type { ControlStore } from '../control/store.ts';
import type { Account } from './caller.ts';
import type { AccountRole } from './roles.ts';

/** An account of the organization, with the role of a user in it. */
export interface AccountWithRole extends Account {
  readonly role: AccountRole | null;
}

/** All accounts of the organization, by name. */
export async function accountRoles(
  db: ControlStore['read'],
  organizationId: string,
  userId: string,
): Promise<AccountWithRole[]> {
  const accounts = await db
    .selectFrom('accounts')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.account_id', '=', 'accounts.id').on('memberships.user_id', '=', userId),
    )
    .select(['accounts.id', 'accounts.name', 'memberships.role'])
    .where('accounts.organization_id', '=', organizationId)
    .orderBy('accounts.name')
    .execute();
  return accounts as AccountWithRole[];
}

/** Default account of a session: one the user administers, else any of the user's, else the primary account. */
export function homeAmong(accounts: readonly AccountWithRole[], organization: Account): Account {
  const home =
    accounts.find(({ role }) => role === 'accountAdmin') ??
    accounts.find(({ role }) => role !== null) ??
    accounts.find(({ name }) => name === organization.name) ??
    organization;
  return { id: home.id, name: home.name };
}

/** Changes when the user gets or loses a role; new accounts of the organization do not change it. */
export function rolesDigest(organizationRole: string | null, accounts: readonly AccountWithRole[]): string {
  const roles = accounts.filter(({ role }) => role !== null).map(({ id, role }) => `${id} ${role}`);
  return createHash('sha256')
    .update(JSON.stringify([organizationRole, ...roles.sort()]))
    .digest('base64url');
}
