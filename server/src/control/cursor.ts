import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { SearchQuery } from '../search/page.ts';
import { seekOwned } from './owned-row.ts';
import type { ControlStore } from './store.ts';

/** State of a paged search: everything the next page needs, on any node and after a restart. */
export interface Cursor<Place> {
  readonly path: string;
  readonly account: string;
  readonly question: SearchQuery;
  /** Identifies the version of the searched records; a restore changes it. */
  readonly epoch: string;
  /** Highest record number visible to the search. */
  readonly upTo: number;
  readonly after: Place;
  /** Number of records returned so far, and in total. */
  readonly shown: number;
  readonly total: number;
}

const lifetime = 24 * 3_600_000;
const context = 'search cursor';

/** Serialised cursor, with the search itself or the id of the saved one. */
type SerializedCursor<Place> = Omit<Cursor<Place>, 'question'> & {
  readonly expiresAt: number;
} & ({ readonly question: SearchQuery } | { readonly saved: string });

/** Maximum size of a search that fits into a URL. */
const maxInlineBytes = 2_000;

/** Page cursors for clients: encrypted, so that clients can neither read nor change them, and URL-safe. */
export class Cursors<Place> {
  readonly #store: ControlStore;
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor({ store, keyring, clock }: { store: ControlStore; keyring: Keyring; clock: Clock }) {
    this.#store = store;
    this.#keyring = keyring;
    this.#clock = clock;
  }

  async write({ question, ...rest }: Cursor<Place>): Promise<string> {
    const expiresAt = this.#clock.now() + lifetime;
    const json = JSON.stringify(question);
    const search =
      Buffer.byteLength(json) <= maxInlineBytes
        ? { question }
        : { saved: await this.#save(rest.account, json) };
    return this.#keyring.seal(
      JSON.stringify({ ...rest, ...search, expiresAt } satisfies SerializedCursor<Place>),
      context,
    );
  }

  /** Reads a cursor of this account and dataset; one of another account is reported as not found. */
  async read(
    token: string,
    { path, account, epoch }: Pick<Cursor<Place>, 'path' | 'account' | 'epoch'>,
  ): Promise<Cursor<Place>> {
    const { expiresAt, ...serialized } = this.#open(token);
    if (serialized.account !== account || serialized.path !== path)
      throw new Refusal('NOT_FOUND', 'Not found: page cursor of another search. Run the search again.');
    if (expiresAt <= this.#clock.now()) throw expired();
    if (serialized.epoch !== epoch) {
      throw new Refusal(
        'INVALID_INPUT',
        'The page cursor is no longer valid because a backup was restored: run the search again.',
      );
    }
    if ('question' in serialized) return serialized;
    const { saved, ...rest } = serialized;
    const row = await seekOwned(this.#store.read, 'saved_searches', { id: saved, owner_id: account });
    if (!row) throw expired();
    return { ...rest, question: JSON.parse(row.question) };
  }

  async deleteExpired(): Promise<void> {
    const now = this.#clock.now();
    await this.#store.housekeeping((tx) =>
      tx.deleteFrom('saved_searches').where('expires_at', '<=', now).execute(),
    );
  }

  /** All pages of a search share one saved row, which expires a day after the last page was served. */
  async #save(account: string, question: string): Promise<string> {
    const id = createHash('sha256').update(`${account} ${question}`).digest('base64url');
    const expires_at = this.#clock.now() + lifetime;
    await this.#store.housekeeping((tx) =>
      tx
        .insertInto('saved_searches')
        .values({ id, owner_id: account, question, expires_at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at }))
        .execute(),
    );
    return id;
  }

  #open(token: string): SerializedCursor<Place> {
    try {
      return JSON.parse(this.#keyring.open(token, context));
    } catch {
      throw new Refusal('INVALID_INPUT', 'Invalid page cursor: run the search again.');
    }
  }
}

function expired(): Refusal {
  return new Refusal('INVALID_INPUT', 'The page cursor is older than 24 hours: run the search again.');
}
