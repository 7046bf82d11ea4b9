import type { ControlStore } from '../control/store.ts';
import { StoreUnavailable } from '../control/store-failure.ts';
import type { Clock } from '../platform/clock.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { newToken } from '../platform/ids.ts';
import { accountRoles, homeAmong, rolesDigest } from './account-roles.ts';
import { accessibleAccounts, type SessionCaller } from './caller.ts';
import type { OrganizationRole } from './roles.ts';
import { renewalGrace, sessionEnd, touchInterval } from './session-limits.ts';
import type { KnownCredential } from './sign-in-failures.ts';

/** Cache size; when exceeded, the cache is cleared. */
const cacheSize = 10_000;

export interface ResolvedSession {
  readonly caller: SessionCaller;
  /** The new value for the cookie, after the roles of the user changed. */
  readonly renewed?: string | undefined;
}

/** Resolves the values of session cookies to callers, cached while the stamp of the store is unchanged. */
export class SessionCallers {
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #rateLimit: number | undefined;
  readonly #cache = new Map<string, ResolvedSession>();
  readonly #touching = new Map<string, Promise<void>>();
  #stamp: number | undefined;

  /** `rateLimit`: requests per hour, user and functionality; undefined for the general limit. */
  constructor(store: ControlStore, clock: Clock, rateLimit: number | undefined) {
    this.#store = store;
    this.#clock = clock;
    this.#rateLimit = rateLimit;
  }

  /** Undefined if the session is unknown or has ended, or its user is disabled. */
  resolve(value: string): ResolvedSession | undefined | Promise<ResolvedSession | undefined> {
    const stamp = this.#store.stamp();
    if (stamp === undefined || stamp !== this.#stamp || this.#cache.size >= cacheSize) this.#cache.clear();
    this.#stamp = stamp;
    const cached = this.#cache.get(value);
    if (!cached) return this.#findAndCache(value, stamp);
    const { expiresAt, session } = cached.caller;
    const now = this.#clock.now();
    if (expiresAt <= now) return undefined;
    return now - session.lastUsedAt < touchInterval ? cached : this.#touched(cached);
  }

  /** Describes, for the audit log, a session that has ended or whose user is disabled. */
  async describeEnded(value: string): Promise<KnownCredential | undefined> {
    const row = await this.#store.read
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['users.organization_id', 'users.email'])
      .where('sessions.fingerprint', '=', fingerprint('session', value))
      .executeTakeFirst();
    return row && { ownerId: row.organization_id, name: `an ended session of ${row.email}` };
  }

  async #findAndCache(value: string, stamp: number | undefined): Promise<ResolvedSession | undefined> {
    const found = await this.#find(value);
    if (!found || found.caller.expiresAt <= this.#clock.now()) return undefined;
    // Cache only results read under the current stamp.
    if (stamp !== undefined && stamp === this.#stamp && !found.renewed) this.#cache.set(value, found);
    return this.#clock.now() - found.caller.session.lastUsedAt < touchInterval ? found : this.#touched(found);
  }

  /** Records the use. Concurrent requests share one write. */
  async #touched(resolved: ResolvedSession): Promise<ResolvedSession> {
    const { id } = resolved.caller.session;
    const touching = this.#touching.get(id) ?? this.#touch(id).finally(() => this.#touching.delete(id));
    this.#touching.set(id, touching);
    await touching;
    return resolved;
  }

  #touch(id: string): Promise<void> {
    const now = this.#clock.now();
    return this.#unlessFull(async () => {
      await this.#store.housekeeping((tx) =>
        tx
          .updateTable('sessions')
          .set({ last_used_at: now })
          .where('id', '=', id)
          .where('last_used_at', '<', now)
          .execute(),
      );
    });
  }

  async #find(value: string): Promise<ResolvedSession | undefined> {
    const print = fingerprint('session', value);
    const row = await this.#store.read
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .innerJoin('organizations', 'organizations.id', 'users.organization_id')
      .select(['sessions.id', 'sessions.fingerprint', 'sessions.roles', 'sessions.previous_until'])
      .select(['sessions.created_at as createdAt', 'sessions.last_used_at as lastUsedAt'])
      .select(['sessions.proved_at as provedAt', 'sessions.last_sign_in_at as lastSignInAt'])
      .select(['users.id as userId', 'users.email', 'users.organization_role as role'])
      .select(['organizations.id as organizationId', 'organizations.name as organizationName'])
      .where('users.enabled', '=', 1)
      .where(({ or, and, eb }) =>
        or([
          eb('sessions.fingerprint', '=', print),
          and([
            eb('sessions.previous_fingerprint', '=', print),
            eb('sessions.previous_until', '>', this.#clock.now()),
          ]),
        ]),
      )
      .executeTakeFirst();
    if (!row) return undefined;
    const accounts = await accountRoles(this.#store.read, row.organizationId, row.userId);
    const organization = { id: row.organizationId, name: row.organizationName };
    const { id, createdAt, lastUsedAt, provedAt, lastSignInAt } = row;
    const digest = rolesDigest(row.role, accounts);
    const isCurrent = row.fingerprint === print;
    const end = sessionEnd(row);
    return {
      caller: {
        userId: row.userId,
        email: row.email,
        rateLimit: this.#rateLimit,
        rateOwner: `session of ${row.userId}`,
        organization,
        organizationRole: (row.role as OrganizationRole | null) ?? undefined,
        home: homeAmong(accounts, organization),
        accounts: accessibleAccounts(row.role as OrganizationRole | null, accounts),
        expiresAt: isCurrent ? end : Math.min(end, row.previous_until ?? 0),
        session: { id, createdAt, lastUsedAt, provedAt, lastSignInAt: lastSignInAt ?? undefined },
      },
      ...(isCurrent && digest !== row.roles && { renewed: await this.#renew(id, print, digest) }),
    };
  }

  /** Undefined if a concurrent request has renewed the session, whose response then sets the cookie. */
  #renew(id: string, print: string, roles: string): Promise<string | undefined> {
    const value = newToken();
    const until = this.#clock.now() + renewalGrace;
    return this.#unlessFull(async () => {
      const { numUpdatedRows } = await this.#store.housekeeping((tx) =>
        tx
          .updateTable('sessions')
          .set({ fingerprint: fingerprint('session', value), roles })
          .set({ previous_fingerprint: print, previous_until: until })
          .where('id', '=', id)
          .where('fingerprint', '=', print)
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows === 0n ? undefined : value;
    });
  }

  /** A full disk must not keep users from reading. */
  async #unlessFull<Result>(write: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof StoreUnavailable && error.isDiskFull) return undefined;
      throw error;
    }
  }
}
