import type { AccountRole, OrganizationRole } from './roles.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
}

/** The user behind a token, with everything that determines its permissions. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly keyId: string;
  /** Hourly limit of the key, if set. */
  readonly rateLimit: number | undefined;
  readonly organization: Account;
  readonly organizationRole: OrganizationRole | undefined;
  /** The account of the key, the default if the request names none. */
  readonly home: Account;
  /** Accounts of the organization in which the user has a role. */
  readonly accounts: readonly (Account & { readonly admin: boolean })[];
  readonly expiresAt: number;
}

/** Filters the accounts of the organization by the user's role, and marks those the user administers. */
export function accessibleAccounts(
  organizationRole: OrganizationRole | null,
  accounts: readonly (Account & { readonly role: AccountRole | null })[],
): Caller['accounts'] {
  return accounts
    .filter(({ role }) => organizationRole !== null || role !== null)
    .map(({ id, name, role }) => ({
      id,
      name,
      admin: organizationRole === 'orgAdmin' || role === 'accountAdmin',
    }));
}

/** Whether the caller may read the account; plain account users may not use tokens. */
export function mayRead(caller: Caller, accountId: string): boolean {
  return caller.organizationRole !== undefined || mayWrite(caller, accountId);
}

export function mayWrite(caller: Caller, accountId: string): boolean {
  if (caller.organizationRole === 'orgAdmin') return true;
  return caller.accounts.some((account) => account.id === accountId && account.admin);
}

/** Whether the user may have tokens: everyone except plain account users. */
export function mayHoldToken(caller: Pick<Caller, 'organizationRole' | 'accounts'>): boolean {
  return caller.organizationRole !== undefined || caller.accounts.some((account) => account.admin);
}
