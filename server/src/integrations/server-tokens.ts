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

/** What the programs at the other end of integrations may do with their server token: say whether they work. */
export class ServerTokens {
  readonly #store: ControlStore;
  readonly #catalogue: IntegrationCatalogue;
  readonly #clock: Clock;

  constructor(store: ControlStore, catalogue: IntegrationCatalogue, clock: Clock) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#clock = clock;
  }

  /** The integration that a token belongs to, and whether it may report; undefined for an unknown token. Nothing is written. */
  async find(token: string): Promise<{ id: string; ownerId: string; mayReport: boolean } | undefined> {
    const row = await this.#store.read
      .selectFrom('integrations')
      .select(['id', 'owner_id', 'family', 'type', 'subtype', 'enabled'])
      .where('server_token_fingerprint', '=', fingerprint('server token', token))
      .executeTakeFirst();
    return row && { id: row.id, ownerId: row.owner_id, mayReport: row.enabled === 1 && this.#mayReport(row) };
  }

  report(token: string, { ok, message }: StateReport): Promise<IntegrationState> {
    const print = fingerprint('server token', token);
    return this.#store.housekeeping(async (tx) => {
      // Writing the row before reading it makes a change of the integration wait, so that none is lost.
      await tx
        .updateTable('integrations')
        .set({ server_token_fingerprint: print })
        .where('server_token_fingerprint', '=', print)
        .execute();
      const row = await tx
        .selectFrom('integrations')
        .select(['id', 'family', 'type', 'subtype', 'enabled', 'state'])
        .where('server_token_fingerprint', '=', print)
        .executeTakeFirst();
      // One answer for an unknown token, one of another type and one of a disabled integration.
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

/** Tokens from before there were fingerprints, in this store or in an archive, get theirs: only the keyring opens them. */
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
