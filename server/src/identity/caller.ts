import type { AccountRole, OrganizationRole } from './roles.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
}

/** The person behind a token, with everything that decides what the token may do. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly keyId: string;
  /** The key's own hourly limit, when it has one. */
  readonly rateLimit: number | undefined;
  readonly organization: Account;
  readonly organizationRole: OrganizationRole | undefined;
  /** The account in which the key was made: the one that is used when the caller names none. */
  readonly home: Account;
  /** Accounts of the organization with the caller's part in each; those without a part are left out. */
  readonly accounts: readonly (Account & { readonly admin: boolean })[];
  readonly expiresAt: number;
}

/** Of all accounts of the organization those in which a user has a part, with that part. */
export function accountsWithin(
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

/** May the caller see the data of this account? An account user may not: such a user has no use for a token. */
export function mayRead(caller: Caller, accountId: string): boolean {
  return caller.organizationRole !== undefined || mayWrite(caller, accountId);
}

export function mayWrite(caller: Caller, accountId: string): boolean {
  if (caller.organizationRole === 'orgAdmin') return true;
  return caller.accounts.some((account) => account.id === accountId && account.admin);
}

/** Whether the user may hold tokens at all: everyone but a plain account user. */
export function mayHoldToken(caller: Pick<Caller, 'organizationRole' | 'accounts'>): boolean {
  return caller.organizationRole !== undefined || caller.accounts.some((account) => account.admin);
}
