import type { ControlStore } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { fingerprint, sameFingerprint } from '../platform/fingerprint.ts';
import { newToken } from '../platform/ids.ts';
import { mayHoldToken } from './caller.ts';
import type { Callers } from './callers.ts';

/** Bearer tokens: opaque, random, kept as fingerprints, gone with their key. */
export class Tokens {
  readonly #store: ControlStore;
  readonly #callers: Callers;
  readonly #clock: Clock;

  constructor(store: ControlStore, callers: Callers, clock: Clock) {
    this.#store = store;
    this.#callers = callers;
    this.#clock = clock;
  }

  async issue(keyId: string, secret: string, seconds: number): Promise<{ token: string; expiresAt: number }> {
    await this.#checkSecret(keyId, secret);
    const now = this.#clock.now();
    const expiresAt = now + seconds * 1000;
    const caller = await this.#callers.byKey(keyId, expiresAt);
    if (!caller) throw wrongKey();
    if (!mayHoldToken(caller)) {
      throw new Refusal(
        'FORBIDDEN',
        'An account user may not create tokens: use the key of an administrator.',
      );
    }
    const token = newToken();
    const actor = {
      userName: caller.email,
      ownerId: caller.home.id,
      accountName: caller.home.name,
      act: 'Access Token Created',
    };
    await this.#store.transaction(actor, async (tx, act) => {
      // Said again inside: the key may have been disabled or deleted since it was checked.
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
    });
    return { token, expiresAt };
  }

  async forgetExpired(): Promise<void> {
    await this.#store.housekeeping((tx) =>
      tx.deleteFrom('access_tokens').where('expires_at', '<=', this.#clock.now()).execute(),
    );
  }

  async #checkSecret(keyId: string, secret: string): Promise<void> {
    const key = await this.#store.read
      .selectFrom('api_keys')
      .select(['secret_fingerprint', 'enabled'])
      .where('id', '=', keyId)
      .executeTakeFirst();
    const matches = sameFingerprint(key?.secret_fingerprint ?? '', fingerprint('key secret', secret));
    // One answer for an unknown, a disabled and a wrong key, so that nobody can find out which keys exist.
    if (!key || !matches || key.enabled !== 1) throw wrongKey();
  }
}

function wrongKey(): Refusal {
  return new Refusal(
    'UNAUTHENTICATED',
    'keyId and the secret in X-LW-UAKS do not belong to an enabled API key.',
  );
}
