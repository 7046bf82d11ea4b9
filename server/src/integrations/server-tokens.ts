import type { Kysely } from 'kysely';
import { sealingContext } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { IntegrationCatalogue } from './catalogue.ts';
import type { IntegrationFamily } from './declaration.ts';
import type { IntegrationState } from './state.ts';

export interface StateReport {
  readonly ok: boolean;
  readonly message: string;
}

/** Authenticates remote programs by their server token, with which they report their state. */
export class ServerTokens {
  readonly #store: ControlStore;
  readonly #catalogue: IntegrationCatalogue;
  readonly #clock: Clock;

  constructor(store: ControlStore, catalogue: IntegrationCatalogue, clock: Clock) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#clock = clock;
  }

  /** The integration of a token, and whether it may report its state; undefined for an unknown token. */
  async find(token: string): Promise<{ id: string; ownerId: string; mayReport: boolean } | undefined> {
    const row = await this.#store.read
      .selectFrom('integrations')
      .select(['id', 'owner_id', 'family', 'type', 'subtype', 'enabled'])
      .where('server_token_fingerprint', '=', fingerprint('server token', token))
      .executeTakeFirst();
    return row && { id: row.id, ownerId: row.owner_id, mayReport: row.enabled === 1 && this.#mayReport(row) };
  }

  report(token: string, { ok, message }: StateReport): Promise<IntegrationState> {
    const tokenFingerprint = fingerprint('server token', token);
    return this.#store.housekeeping(async (tx) => {
      // Updating the row first locks it, so that no concurrent change is lost.
      await tx
        .updateTable('integrations')
        .set({ server_token_fingerprint: tokenFingerprint })
        .where('server_token_fingerprint', '=', tokenFingerprint)
        .execute();
      const row = await tx
        .selectFrom('integrations')
        .select(['id', 'family', 'type', 'subtype', 'enabled', 'state'])
        .where('server_token_fingerprint', '=', tokenFingerprint)
        .executeTakeFirst();
      // The same response for unknown tokens, other types and disabled integrations.
      if (row?.enabled !== 1 || !this.#mayReport(row)) throw wrongServerToken();
      const now = this.#clock.now();
      const before = JSON.parse(row.state ?? '{}') as Partial<IntegrationState>;
      const state: IntegrationState = {
        ok,
        lastUpdatedTime: now,
        lastSuccessfulTime: ok ? now : (before.lastSuccessfulTime ?? 0),
        details: { message },
      };
      await tx
        .updateTable('integrations')
        .set({ state: JSON.stringify(state) })
        .where('id', '=', row.id)
        .execute();
      return state;
    });
  }

  #mayReport({
    family,
    type,
    subtype,
  }: Pick<Tables['integrations'], 'family' | 'type' | 'subtype'>): boolean {
    return this.#catalogue.get(family as IntegrationFamily, type, subtype).reportsState ?? false;
  }
}

/** Adds fingerprints to tokens of earlier releases; not a migration, because decryption needs the keyring. */
export async function fingerprintServerTokens(db: Kysely<Tables>, keyring: Keyring): Promise<void> {
  const rows = await db
    .selectFrom('integrations')
    .select(['id', 'server_token'])
    .where('server_token', 'is not', null)
    .where('server_token_fingerprint', 'is', null)
    .execute();
  for (const { id, server_token } of rows) {
    const token = keyring.open(server_token as string, sealingContext('integrations', 'server_token', id));
    await db
      .updateTable('integrations')
      .set({ server_token_fingerprint: fingerprint('server token', token) })
      .where('id', '=', id)
      .execute();
  }
}

export function wrongServerToken(): Refusal {
  return new Refusal(
    'UNAUTHENTICATED',
    'Authorization must be the server token of an enabled integration that reports its state.',
  );
}
