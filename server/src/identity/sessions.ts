import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { notFound, Refusal } from '../platform/errors.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { newSortableId, newToken } from '../platform/ids.ts';
import { accountRoles, homeAmong, rolesDigest } from './account-roles.ts';
import type { SessionCaller } from './caller.ts';
import { endedRetention, idleLimit, maxSessions, sessionEnd, sessionLifetime } from './session-limits.ts';

const maxUserAgent = 120;

export interface SessionSummary {
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly address: string;
  readonly userAgent: string;
}

export interface SignIn {
  readonly userId: string;
  /** What the user proved their identity with, for the audit log. */
  readonly proof: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  /** The value of the session that the browser had before. */
  readonly replaced: string | undefined;
  /** Uses up the proof in the same transaction; throws if it was used meanwhile. */
  readonly redeem?: (tx: ControlTransaction) => Promise<void>;
}

/** Sessions of the console: opaque random values in a cookie, stored as fingerprints. */
export class Sessions {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Starts a session and returns its value, always a new one. */
  async start({ userId, proof, address, userAgent, replaced, redeem }: SignIn): Promise<string> {
    const user = await this.#store.read
      .selectFrom('users')
      .innerJoin('organizations', 'organizations.id', 'users.organization_id')
      .select(['users.email', 'users.organization_role', 'organizations.id', 'organizations.name'])
      .where('users.id', '=', userId)
      .executeTakeFirst();
    if (!user) throw signedOut();
    const accounts = await accountRoles(this.#store.read, user.id, userId);
    const home = homeAmong(accounts, user);
    const actor = {
      userName: user.email,
      ownerId: home.id,
      accountName: home.name,
      act: 'Session Created',
    };
    const value = newToken();
    await this.#store.transaction(
      actor,
      async (tx, act) => {
        const now = this.#clock.now();
        await redeem?.(tx);
        const last_sign_in_at = await recordSignIn(tx, userId, now);
        if (replaced) await tx.deleteFrom('sessions').where('fingerprint', '=', printOf(replaced)).execute();
        await tx
          .insertInto('sessions')
          .values({
            id: newSortableId(now),
            fingerprint: printOf(value),
            previous_fingerprint: null,
            previous_until: null,
            user_id: userId,
            roles: rolesDigest(user.organization_role, accounts),
            created_at: now,
            last_used_at: now,
            proved_at: now,
            last_sign_in_at,
            address,
            user_agent: shortened(userAgent ?? ''),
          })
          .execute();
        await endOldest(tx, userId);
        act.describe(`with ${proof} from ${address}`);
      },
      // As for tokens: without a session, users could neither read data nor free disk space.
      { mayUseReserve: true },
    );
    return value;
  }

  /** The user's sessions that have not ended, newest first. */
  async list(userId: string): Promise<SessionSummary[]> {
    const rows = await this.#store.read
      .selectFrom('sessions')
      .select(['id', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'address'])
      .select('user_agent as userAgent')
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.filter((row) => sessionEnd(row) > this.#clock.now());
  }

  /** Ends one of the caller's sessions. */
  async end({ userId, email, home }: SessionCaller, id: string): Promise<void> {
    const actor = { userName: email, ownerId: home.id, accountName: home.name, act: 'Session Ended' };
    await this.#store.transaction(
      actor,
      async (tx, act) => {
        const ended = await tx
          .deleteFrom('sessions')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returning('address')
          .executeTakeFirst();
        if (!ended) throw notFound('session', id);
        act.describe(`session ${id} from ${ended.address}`);
      },
      { mayUseReserve: true },
    );
  }

  /** Deletes sessions some time after their end. */
  async deleteEnded(): Promise<void> {
    const before = this.#clock.now() - endedRetention;
    await this.#store.housekeeping((tx) =>
      tx
        .deleteFrom('sessions')
        .where(({ or, eb }) =>
          or([
            eb('last_used_at', '<=', before - idleLimit),
            eb('created_at', '<=', before - sessionLifetime),
          ]),
        )
        .execute(),
    );
  }
}

/** Ends the sessions and links of a user in the transaction that disables the user or changes the password. */
export async function endSessions(tx: ControlTransaction, userId: string, exceptId = ''): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', exceptId).execute();
  await tx.deleteFrom('sign_in_links').where('user_id', '=', userId).execute();
}

/** Returns the time of the sign-in before. Checked in the transaction: the user may have been disabled meanwhile. */
async function recordSignIn(tx: ControlTransaction, userId: string, now: number): Promise<number | null> {
  const before = await tx
    .selectFrom('users')
    .select('last_sign_in_at')
    .where('id', '=', userId)
    .executeTakeFirst();
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ last_sign_in_at: now })
    .where('id', '=', userId)
    .where('enabled', '=', 1)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw signedOut();
  return before?.last_sign_in_at ?? null;
}

async function endOldest(tx: ControlTransaction, userId: string): Promise<void> {
  const newest = tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSessions);
  await tx.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'not in', newest).execute();
}

function printOf(value: string): string {
  return fingerprint('session', value);
}

/** Without control characters, because it is shown. */
function shortened(userAgent: string): string {
  const clean = userAgent.replaceAll(/[^\x20-\x7e]/g, '');
  return clean.length <= maxUserAgent ? clean : `${clean.slice(0, maxUserAgent - 1)}…`;
}

function signedOut(): Refusal {
  return new Refusal('UNAUTHENTICATED', 'The user was disabled or deleted: ask an administrator.');
}
