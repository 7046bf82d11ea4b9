import type { ControlStore } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { type Account, accountsWithin, type Caller } from './caller.ts';
import type { AccountRole, OrganizationRole } from './roles.ts';
import type { KnownCredential } from './sign-in-failures.ts';

/** How many callers are remembered; one more and the memory starts anew. */
const remembered = 10_000;

/** Finds the caller behind a token. What it found is reused as long as the store says that nothing changed. */
export class Callers {
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #known = new Map<string, Caller>();
  #stamp: number | undefined;

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The caller, or undefined when the token is unknown, expired, or its key or user is disabled or gone. */
  byToken(token: string): Caller | undefined | Promise<Caller | undefined> {
    const stamp = this.#store.stamp();
    if (stamp === undefined || stamp !== this.#stamp || this.#known.size >= remembered) this.#known.clear();
    this.#stamp = stamp;
    const known = this.#known.get(token);
    return known ? this.#unlessExpired(known) : this.#findAndRemember(token, stamp);
  }

  async #findAndRemember(token: string, stamp: number | undefined): Promise<Caller | undefined> {
    const caller = await this.#find(token);
    if (!caller) return undefined;
    // Only what was read under the stamp that still holds may be reused.
    if (stamp !== undefined && stamp === this.#stamp) this.#known.set(token, caller);
    return this.#unlessExpired(caller);
  }

  #unlessExpired(caller: Caller): Caller | undefined {
    return caller.expiresAt > this.#clock.now() ? caller : undefined;
  }

  async #find(token: string): Promise<Caller | undefined> {
    const found = await this.#store.read
      .selectFrom('access_tokens')
      .innerJoin('api_keys', 'api_keys.id', 'access_tokens.key_id')
      .select(['api_keys.id as keyId', 'access_tokens.expires_at as expiresAt'])
      .where('access_tokens.fingerprint', '=', fingerprint('access token', token))
      .where('api_keys.enabled', '=', 1)
      .executeTakeFirst();
    return found && (await this.byKey(found.keyId, found.expiresAt));
  }

  /** What the audit log calls a token that the store knows and that is of no use: expired, or its key or user disabled. */
  async uselessOf(token: string): Promise<KnownCredential | undefined> {
    const key = await this.#store.read
      .selectFrom('access_tokens')
      .innerJoin('api_keys', 'api_keys.id', 'access_tokens.key_id')
      .select(['api_keys.id', 'api_keys.account_id'])
      .where('access_tokens.fingerprint', '=', fingerprint('access token', token))
      .executeTakeFirst();
    return key && { ownerId: key.account_id, name: `an expired or disabled token of the API key ${key.id}` };
  }

  /** The caller that a token of this key stands for; a disabled user is nobody. */
  async byKey(keyId: string, expiresAt: number): Promise<Caller | undefined> {
    const row = await this.#store.read
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .innerJoin('organizations', 'organizations.id', 'users.organization_id')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select(['users.id as userId', 'users.email', 'users.organization_role', 'api_keys.rate_limit'])
      .select(['organizations.id as organizationId', 'organizations.name as organizationName'])
      .select(['accounts.id as accountId', 'accounts.name as accountName'])
      .where('api_keys.id', '=', keyId)
      .where('users.enabled', '=', 1)
      .executeTakeFirst();
    if (!row) return undefined;
    const organizationRole = row.organization_role as OrganizationRole | null;
    const accounts = await this.#store.read
      .selectFrom('accounts')
      .leftJoin('memberships', (join) =>
        join.onRef('memberships.account_id', '=', 'accounts.id').on('memberships.user_id', '=', row.userId),
      )
      .select(['accounts.id', 'accounts.name', 'memberships.role'])
      .where('accounts.organization_id', '=', row.organizationId)
      .orderBy('accounts.name')
      .execute();
    return {
      userId: row.userId,
      email: row.email,
      keyId,
      rateLimit: row.rate_limit ?? undefined,
      organization: { id: row.organizationId, name: row.organizationName },
      organizationRole: organizationRole ?? undefined,
      home: { id: row.accountId, name: row.accountName },
      accounts: accountsWithin(organizationRole, accounts as (Account & { role: AccountRole | null })[]),
      expiresAt,
    };
  }
}
