import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { FilterBody } from '../search/filter.ts';
import type { TimeRange } from '../search/time-range.ts';
import type { Place } from './duckdb/reader.ts';

/** What was asked for, as the first page understood it. */
export interface Question {
  readonly range: TimeRange;
  readonly filters: readonly FilterBody[];
  readonly returns: readonly string[] | undefined;
}

/** Where a search goes on: everything that the next page needs, on every node and after a restart. */
export interface Cursor {
  readonly path: string;
  readonly account: string;
  readonly question: Question;
  /** The last batch that the search sees. */
  readonly upTo: number;
  readonly after: Place;
  /** Records that were shown so far, and all that there are. */
  readonly shown: number;
  readonly total: number;
}

const life = 24 * 3_600_000;
const context = 'telemetry cursor';

/** Cursors as clients carry them: sealed, so that nobody can read or change one, and in need of no escaping. */
export class Cursors {
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(keyring: Keyring, clock: Clock) {
    this.#keyring = keyring;
    this.#clock = clock;
  }

  write(cursor: Cursor): string {
    const expiresAt = this.#clock.now() + life;
    return this.#keyring.seal(JSON.stringify({ ...cursor, expiresAt }), context);
  }

  /** The cursor of this account and dataset; that of another account is as good as none. */
  read(text: string, path: string, account: string): Cursor {
    const cursor = this.#open(text);
    if (cursor.account !== account || cursor.path !== path) throw new Refusal('NOT_FOUND', 'Not found');
    if (cursor.expiresAt > this.#clock.now()) return cursor;
    throw new Refusal('INVALID_INPUT', 'The address of the page is older than 24 hours: search again.');
  }

  #open(text: string): Cursor & { expiresAt: number } {
    try {
      return JSON.parse(this.#keyring.open(text, context));
    } catch {
      throw new Refusal(
        'INVALID_INPUT',
        'The address of the page is not one that a search gave: search again.',
      );
    }
  }
}
