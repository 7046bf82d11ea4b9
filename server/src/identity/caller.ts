import type { AccountRole, OrganizationRole } from './roles.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
}

/** The user behind a token or session, with everything that determines its permissions. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  /** Hourly limit of the key or session, if it has its own. */
  readonly rateLimit: number | undefined;
  /** Owner of the rate buckets: the user; a key with its own limit and the user's sessions have separate ones. */
  readonly rateOwner: string;
  readonly organization: Account;
  readonly organizationRole: OrganizationRole | undefined;
  /** The account of the key or session, the default if the request names none. */
  readonly home: Account;
  /** Accounts of the organization in which the user has a role. */
  readonly accounts: readonly (Account & { readonly admin: boolean })[];
  readonly expiresAt: number;
  /** Only of callers who signed in to the console. */
  readonly session?: Session;
}

/** The caller of a token, which belongs to an API key. */
export interface KeyCaller extends Caller {
  readonly keyId: string;
}

export interface SessionCaller extends Caller {
  readonly session: Session;
}

export interface Session {
  /** Not secret. */
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** When the user last proved who they are. */
  readonly provedAt: number;
  /** The sign-in before this session. */
  readonly lastSignInAt: number | undefined;
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

/** Whether the caller may read the account; plain account users may in the console, but not with tokens. */
export function mayRead(caller: Caller, accountId: string): boolean {
  if (caller.organizationRole !== undefined || mayWrite(caller, accountId)) return true;
  return caller.session !== undefined && caller.accounts.some(({ id }) => id === accountId);
}

export function mayWrite(caller: Caller, accountId: string): boolean {
  if (caller.organizationRole === 'orgAdmin') return true;
  return caller.accounts.some((account) => account.id === accountId && account.admin);
}

/** Whether the user may have tokens: everyone except plain account users. */
export function mayHoldToken(caller: Pick<Caller, 'organizationRole' | 'accounts'>): boolean {
  return caller.organizationRole !== undefined || caller.accounts.some((account) => account.admin);
}
