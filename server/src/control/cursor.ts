import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Question } from '../search/page.ts';
import { seekOwned } from './owned-row.ts';
import type { ControlStore } from './store.ts';

/** Where a search goes on: everything that the next page needs, on every node and after a restart. */
export interface Cursor<Place> {
  readonly path: string;
  readonly account: string;
  readonly question: Question;
  /** Of the records that are searched. */
  readonly epoch: string;
  /** The number of the last that the search sees, whatever it counts by. */
  readonly upTo: number;
  readonly after: Place;
  /** Records that were shown so far, and all that there are. */
  readonly shown: number;
  readonly total: number;
}

const life = 24 * 3_600_000;
const context = 'search cursor';

/** What a cursor carries: the search itself, or where it is saved. */
type Carried<Place> = Omit<Cursor<Place>, 'question'> & {
  readonly expiresAt: number;
} & ({ readonly question: Question } | { readonly saved: string });

/** Bytes of a search that fit into an address. */
const longestCarried = 2_000;

/** Cursors as clients carry them: sealed, so that nobody can read or change one, and in need of no escaping. */
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
    const expiresAt = this.#clock.now() + life;
    const text = JSON.stringify(question);
    const search =
      Buffer.byteLength(text) <= longestCarried
        ? { question }
        : { saved: await this.#save(rest.account, text) };
    return this.#keyring.seal(
      JSON.stringify({ ...rest, ...search, expiresAt } satisfies Carried<Place>),
      context,
    );
  }

  /** The cursor of this account and dataset; that of another account is as good as none. */
  async read(
    text: string,
    { path, account, epoch }: Pick<Cursor<Place>, 'path' | 'account' | 'epoch'>,
  ): Promise<Cursor<Place>> {
    const { expiresAt, ...carried } = this.#open(text);
    if (carried.account !== account || carried.path !== path)
      throw new Refusal('NOT_FOUND', 'Not found: page cursor of another search. Run the search again.');
    if (expiresAt <= this.#clock.now()) throw tooOld();
    if (carried.epoch !== epoch) {
      throw new Refusal(
        'INVALID_INPUT',
        'The page cursor is no longer valid because a backup was restored: run the search again.',
      );
    }
    if ('question' in carried) return carried;
    const { saved, ...rest } = carried;
    const row = await seekOwned(this.#store.read, 'saved_searches', { id: saved, owner_id: account });
    if (!row) throw tooOld();
    return { ...rest, question: JSON.parse(row.question) };
  }

  async forgetExpired(): Promise<void> {
    const now = this.#clock.now();
    await this.#store.housekeeping((tx) =>
      tx.deleteFrom('saved_searches').where('expires_at', '<=', now).execute(),
    );
  }

  /** The pages of one search share what is saved, until a day after the last of them was made. */
  async #save(account: string, question: string): Promise<string> {
    const id = createHash('sha256').update(`${account} ${question}`).digest('base64url');
    const expires_at = this.#clock.now() + life;
    await this.#store.housekeeping((tx) =>
      tx
        .insertInto('saved_searches')
        .values({ id, owner_id: account, question, expires_at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at }))
        .execute(),
    );
    return id;
  }

  #open(text: string): Carried<Place> {
    try {
      return JSON.parse(this.#keyring.open(text, context));
    } catch {
      throw new Refusal('INVALID_INPUT', 'Invalid page cursor: run the search again.');
    }
  }
}

function tooOld(): Refusal {
  return new Refusal('INVALID_INPUT', 'The page cursor is older than 24 hours: run the search again.');
}
