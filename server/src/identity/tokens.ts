import type { Act, ControlStore, ControlTransaction } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { fingerprint, sameFingerprint } from '../platform/fingerprint.ts';
import { newToken } from '../platform/ids.ts';
import { type KeyCaller, mayHoldToken } from './caller.ts';
import type { Callers } from './callers.ts';
import type { KnownCredential } from './sign-in-failures.ts';

export interface VerifiedKey {
  readonly caller: KeyCaller | undefined;
  readonly known: KnownCredential | undefined;
}

/** Bearer tokens: opaque and random, stored as fingerprints, deleted with their key. */
export class Tokens {
  readonly #store: ControlStore;
  readonly #callers: Callers;
  readonly #clock: Clock;

  constructor(store: ControlStore, callers: Callers, clock: Clock) {
    this.#store = store;
    this.#callers = callers;
    this.#clock = clock;
  }

  /** The caller of a key and secret; for a wrong secret of a known key, only its description for the audit log. */
  async verify(keyId: string, secret: string): Promise<VerifiedKey> {
    const key = await this.#store.read
      .selectFrom('api_keys')
      .select(['secret_fingerprint', 'enabled', 'account_id'])
      .where('id', '=', keyId)
      .executeTakeFirst();
    const matches = sameFingerprint(key?.secret_fingerprint ?? '', fingerprint('key secret', secret));
    const known = key && { ownerId: key.account_id, name: `the API key ${keyId}` };
    if (!key || !matches || key.enabled !== 1) return { caller: undefined, known };
    return { caller: await this.#callers.byKey(keyId, this.#clock.now()), known };
  }

  async issue(caller: KeyCaller, seconds: number): Promise<{ token: string; expiresAt: number }> {
    if (!mayHoldToken(caller)) {
      throw new Refusal(
        'FORBIDDEN',
        'Account users can not create tokens: use the API key of an administrator.',
      );
    }
    const { keyId } = caller;
    const now = this.#clock.now();
    const expiresAt = now + seconds * 1000;
    const token = newToken();
    const actor = {
      userName: caller.email,
      ownerId: caller.home.id,
      accountName: caller.home.name,
      act: 'Access Token Created',
    };
    const change = async (tx: ControlTransaction, act: Act) => {
      // Checked again in the transaction: the key may have been disabled or deleted meanwhile.
      const { numUpdatedRows } = await tx
        .updateTable('api_keys')
        .set({ last_used_at: now })
        .where('id', '=', keyId)
        .where('enabled', '=', 1)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw wrongKey();
      const row = { fingerprint: fingerprint('access token', token), key_id: keyId, created_at: now };
      await tx
        .insertInto('access_tokens')
        .values({ ...row, expires_at: expiresAt })
        .execute();
      act.describe(`with the API key ${keyId}, valid for ${seconds} seconds`);
    };
    // Without a token, users could neither read data nor free disk space.
    await this.#store.transaction(actor, change, { mayUseReserve: true });
    return { token, expiresAt };
  }

  /** Deletes tokens a day after their expiry, to distinguish clients with an expired token from guesses. */
  async deleteExpired(): Promise<void> {
    const dayAgo = this.#clock.now() - 86_400_000;
    await this.#store.housekeeping((tx) =>
      tx.deleteFrom('access_tokens').where('expires_at', '<=', dayAgo).execute(),
    );
  }
}

/** The same error for an unknown, a disabled and a wrong key, so that callers cannot find out which keys exist. */
export function wrongKey(): Refusal {
  return new Refusal(
    'UNAUTHENTICATED',
    'keyId and the secret in X-LW-UAKS do not match an enabled API key: check both.',
  );
}
