import type { ControlStore } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { accountRoles } from './account-roles.ts';
import { accessibleAccounts, type KeyCaller } from './caller.ts';
import type { OrganizationRole } from './roles.ts';
import type { KnownCredential } from './sign-in-failures.ts';

/** Cache size; when exceeded, the cache is cleared. */
const cacheSize = 10_000;

/** Resolves tokens to callers, cached while the stamp of the store is unchanged. */
export class Callers {
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #cache = new Map<string, KeyCaller>();
  #stamp: number | undefined;

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The caller, or undefined if the token is unknown or expired, or its key or user is disabled or deleted. */
  byToken(token: string): KeyCaller | undefined | Promise<KeyCaller | undefined> {
    const stamp = this.#store.stamp();
    if (stamp === undefined || stamp !== this.#stamp || this.#cache.size >= cacheSize) this.#cache.clear();
    this.#stamp = stamp;
    const cached = this.#cache.get(token);
    return cached ? this.#unlessExpired(cached) : this.#findAndCache(token, stamp);
  }

  async #findAndCache(token: string, stamp: number | undefined): Promise<KeyCaller | undefined> {
    const caller = await this.#find(token);
    if (!caller) return undefined;
    // Cache only results read under the current stamp.
    if (stamp !== undefined && stamp === this.#stamp) this.#cache.set(token, caller);
    return this.#unlessExpired(caller);
  }

  #unlessExpired(caller: KeyCaller): KeyCaller | undefined {
    return caller.expiresAt > this.#clock.now() ? caller : undefined;
  }

  async #find(token: string): Promise<KeyCaller | undefined> {
    const row = await this.#store.read
      .selectFrom('access_tokens')
      .innerJoin('api_keys', 'api_keys.id', 'access_tokens.key_id')
      .select(['api_keys.id as keyId', 'access_tokens.expires_at as expiresAt'])
      .where('access_tokens.fingerprint', '=', fingerprint('access token', token))
      .where('api_keys.enabled', '=', 1)
      .executeTakeFirst();
    return row && (await this.byKey(row.keyId, row.expiresAt));
  }

  /** Describes, for the audit log, a known token that is expired or whose key or user is disabled. */
  async describeInvalid(token: string): Promise<KnownCredential | undefined> {
    const key = await this.#store.read
      .selectFrom('access_tokens')
      .innerJoin('api_keys', 'api_keys.id', 'access_tokens.key_id')
      .select(['api_keys.id', 'api_keys.account_id'])
      .where('access_tokens.fingerprint', '=', fingerprint('access token', token))
      .executeTakeFirst();
    return key && { ownerId: key.account_id, name: `an expired or disabled token of the API key ${key.id}` };
  }

  /** The caller of a key; undefined for a disabled user. */
  async byKey(keyId: string, expiresAt: number): Promise<KeyCaller | undefined> {
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
    const accounts = await accountRoles(this.#store.read, row.organizationId, row.userId);
    return {
      userId: row.userId,
      email: row.email,
      keyId,
      rateLimit: row.rate_limit ?? undefined,
      rateOwner: row.rate_limit === null ? row.userId : keyId,
      organization: { id: row.organizationId, name: row.organizationName },
      organizationRole: organizationRole ?? undefined,
      home: { id: row.accountId, name: row.accountName },
      accounts: accessibleAccounts(organizationRole, accounts),
      expiresAt,
    };
  }
}
