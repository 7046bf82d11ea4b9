import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { newKeyId, newKeySecret } from '../platform/ids.ts';
import { quoted } from '../platform/quoted.ts';
import type { Account } from './caller.ts';
import type { Directory } from './directory.ts';

const maxKeysPerUser = 20;

export interface KeySummary {
  readonly keyId: string;
  readonly user: string;
  readonly account: string;
  readonly enabled: boolean;
  readonly rateLimit: number | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface NewKey {
  readonly keyId: string;
  /** Returned once: only its fingerprint is stored. */
  readonly secret: string;
  readonly account: string;
}

export class Keys {
  readonly #store: ControlStore;
  readonly #directory: Directory;
  readonly #clock: Clock;

  constructor(store: ControlStore, directory: Directory, clock: Clock) {
    this.#store = store;
    this.#directory = directory;
    this.#clock = clock;
  }

  async list(email?: string): Promise<KeySummary[]> {
    const rows = await this.#store.read
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select(['api_keys.id as keyId', 'users.email as user', 'accounts.name as account', 'api_keys.enabled'])
      .select(['api_keys.rate_limit as rateLimit', 'api_keys.created_at as createdAt'])
      .select('api_keys.last_used_at as lastUsedAt')
      .$if(email !== undefined, (query) => query.where('users.email', '=', (email as string).toLowerCase()))
      .orderBy('api_keys.created_at')
      .orderBy('api_keys.id')
      .execute();
    return rows.map((row) => ({ ...row, enabled: row.enabled === 1 }));
  }

  async create(email: string, options: { account?: string; rateLimit?: number } = {}): Promise<NewKey> {
    const user = await this.#directory.user(email);
    const account = options.account
      ? await this.#directory.account(options.account)
      : await this.#homeOf(user.id);
    const [keyId, secret] = [newKeyId(account.name), newKeySecret()];
    await this.#store.transaction(this.#directory.actor('API Key Created', account), async (tx, act) => {
      // Updating the user's row serialises concurrent creations, so that they cannot exceed the limit.
      await tx.updateTable('users').set({ email: user.email }).where('id', '=', user.id).execute();
      const { count } = await tx
        .selectFrom('api_keys')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow();
      if (count >= maxKeysPerUser) {
        throw new Refusal(
          'CONFLICT',
          `${user.email} already has ${maxKeysPerUser} API keys, the maximum for a user: delete one first.`,
        );
      }
      const row = keyRow({ keyId, secret, userId: user.id, accountId: account.id, now: this.#clock.now() });
      await tx
        .insertInto('api_keys')
        .values({ ...row, rate_limit: options.rateLimit ?? null })
        .execute();
      act.describe(`API key ${keyId} of ${user.email}`);
    });
    return { keyId, secret, account: account.name };
  }

  /** Disabling deletes the key's tokens permanently: enabling the key does not restore them. */
  async disable(keyId: string): Promise<void> {
    await this.#change(keyId, 'API Key Disabled', async (tx) => {
      await tx.updateTable('api_keys').set({ enabled: 0 }).where('id', '=', keyId).execute();
      await tx.deleteFrom('access_tokens').where('key_id', '=', keyId).execute();
    });
  }

  async enable(keyId: string): Promise<void> {
    await this.#change(keyId, 'API Key Enabled', (tx) =>
      tx.updateTable('api_keys').set({ enabled: 1 }).where('id', '=', keyId).execute(),
    );
  }

  async delete(keyId: string): Promise<void> {
    await this.#change(keyId, 'API Key Deleted', (tx) =>
      tx.deleteFrom('api_keys').where('id', '=', keyId).execute(),
    );
  }

  async #change(
    keyId: string,
    act: string,
    work: (tx: ControlTransaction) => Promise<unknown>,
  ): Promise<void> {
    const key = await this.#store.read
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select(['accounts.id', 'accounts.name', 'users.email'])
      .where('api_keys.id', '=', keyId)
      .executeTakeFirst();
    if (!key)
      throw new Refusal(
        'NOT_FOUND',
        `Not found: API key ${quoted(keyId)}. \`vedette key list\` lists the keys.`,
      );
    await this.#store.transaction(this.#directory.actor(act, key), async (tx, audit) => {
      await work(tx);
      audit.describe(`API key ${keyId} of ${key.email}`);
    });
  }

  /** Default account of a key: one the user administers, else any of the user's, else the primary account. */
  async #homeOf(userId: string): Promise<Account> {
    const membership = await this.#store.read
      .selectFrom('memberships')
      .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
      .select(['accounts.id', 'accounts.name'])
      .where('memberships.user_id', '=', userId)
      .orderBy('memberships.role')
      .orderBy('accounts.name')
      .executeTakeFirst();
    return membership ?? this.#directory.account((await this.#directory.organization()).name);
  }
}

/** The row of a new, enabled key. */
export function keyRow(key: {
  keyId: string;
  secret: string;
  userId: string;
  accountId: string;
  now: number;
}): Tables['api_keys'] {
  return {
    id: key.keyId,
    user_id: key.userId,
    account_id: key.accountId,
    secret_fingerprint: fingerprint('key secret', key.secret),
    enabled: 1,
    rate_limit: null,
    created_at: key.now,
    last_used_at: null,
  };
}
