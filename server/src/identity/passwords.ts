import type { ControlStore } from '../control/store.ts';
import { refuseField } from '../platform/checks.ts';
import { clientNetwork } from '../platform/client-address.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import type { SessionCaller } from './caller.ts';
import type { PasswordHasher } from './password-hash.ts';
import { checkPassword } from './password-rules.ts';
import { proofLifetime } from './session-limits.ts';
import { endSessions } from './sessions.ts';
import type { KnownCredential } from './sign-in-failures.ts';

export interface VerifiedPassword {
  /** Undefined if the user is unknown or disabled, or the password is wrong. */
  readonly userId: string | undefined;
  readonly known: KnownCredential | undefined;
}

export interface PasswordChange {
  readonly password: string;
  readonly current: string | undefined;
  /** Address of the client. */
  readonly address: string;
  /** Throws the refusal, after counting the wrong password. */
  readonly rejectCurrent: (refusal: Refusal, known: KnownCredential) => never;
}

export class Passwords {
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #hasher: PasswordHasher;

  constructor(store: ControlStore, clock: Clock, hasher: PasswordHasher) {
    this.#store = store;
    this.#clock = clock;
    this.#hasher = hasher;
  }

  /** Takes the same time whether the user exists or not. */
  async verify(email: string, password: string, address: string): Promise<VerifiedPassword> {
    const user = await this.#store.read
      .selectFrom('users')
      .leftJoin('passwords', 'passwords.user_id', 'users.id')
      .select(['users.id', 'users.email', 'users.enabled', 'users.organization_id', 'passwords.hash'])
      .where('users.email', '=', email.toLowerCase())
      .executeTakeFirst();
    const stored = user?.hash ?? undefined;
    const isRight = await this.#hasher.matches(password, stored, clientNetwork(address));
    return {
      userId: isRight && user?.enabled === 1 ? user.id : undefined,
      known: user && knownPassword(user.organization_id, user.email),
    };
  }

  async isSet(userId: string): Promise<boolean> {
    return (await this.#storedHash(userId)) !== undefined;
  }

  /** Whether any user can sign in with a password. */
  async exist(): Promise<boolean> {
    const some = await this.#store.read
      .selectFrom('passwords')
      .innerJoin('users', 'users.id', 'passwords.user_id')
      .select('users.id')
      .where('users.enabled', '=', 1)
      .executeTakeFirst();
    return some !== undefined;
  }

  /** Whether the user has a session from this network, whose sign-ins guesses from elsewhere must not delay. */
  async isFamiliar(email: string, address: string): Promise<boolean> {
    const rows = await this.#store.read
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.address')
      .where('users.email', '=', email.toLowerCase())
      .execute();
    const network = clientNetwork(address);
    return rows.some((row) => clientNetwork(row.address) === network);
  }

  /** Sets the caller's own password. Ends the other sessions: someone else may have known the earlier password. */
  async change(caller: SessionCaller, change: PasswordChange): Promise<void> {
    const { userId, email, session, home } = caller;
    checkPassword(change.password, await this.#wordsOf(caller));
    const stored = await this.#storedHash(userId);
    await this.#requireProof(caller, stored, change);
    const hash = await this.#hasher.hash(change.password, clientNetwork(change.address));
    const act = stored === undefined ? 'Password Set' : 'Password Changed';
    const actor = { userName: email, ownerId: home.id, accountName: home.name, act };
    await this.#store.transaction(actor, async (tx, audit) => {
      const now = this.#clock.now();
      // The session may have ended meanwhile, for example because the user was disabled.
      const { numUpdatedRows } = await tx
        .updateTable('sessions')
        .set({ proved_at: change.current === undefined ? session.provedAt : now })
        .where('id', '=', session.id)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n)
        throw new Refusal('UNAUTHENTICATED', 'The session has ended: sign in again.');
      await tx
        .insertInto('passwords')
        .values({ user_id: userId, hash, set_at: now })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash, set_at: now }))
        .execute();
      await endSessions(tx, userId, session.id);
      audit.describe(`of ${email} from ${change.address}; other sessions ended`);
    });
  }

  async #requireProof(
    { email, organization, session }: SessionCaller,
    stored: string | undefined,
    { current, address, rejectCurrent }: PasswordChange,
  ): Promise<void> {
    const isRecent = this.#clock.now() - session.provedAt <= proofLifetime;
    if (stored === undefined) {
      if (isRecent) return;
      throw new Refusal(
        'FORBIDDEN',
        'You signed in more than ten minutes ago and have no password yet: open a new link of `npx vedette sign-in-link`.',
      );
    }
    if (current === undefined && isRecent) return;
    if (current === undefined)
      throw refuseField(
        'INVALID_INPUT',
        'current',
        'is required, because you signed in more than ten minutes ago: enter your current password.',
      );
    if (await this.#hasher.matches(current, stored, clientNetwork(address))) return;
    const wrong = refuseField('INVALID_INPUT', 'current', 'is not your current password: enter it again.');
    rejectCurrent(wrong, knownPassword(organization.id, email));
  }

  async #storedHash(userId: string): Promise<string | undefined> {
    const row = await this.#store.read
      .selectFrom('passwords')
      .select('hash')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.hash;
  }

  async #wordsOf({ userId, email, organization, accounts }: SessionCaller): Promise<string[]> {
    const user = await this.#store.read
      .selectFrom('users')
      .select(['first_name', 'last_name', 'company'])
      .where('id', '=', userId)
      .executeTakeFirst();
    const names = [user?.first_name, user?.last_name, user?.company].filter((name) => name !== undefined);
    return [email, ...names, organization.name, ...accounts.map(({ name }) => name)];
  }
}

function knownPassword(ownerId: string, email: string): KnownCredential {
  return { ownerId, name: `the password of ${email}` };
}
