import { analyse } from '@vedette/lql/analyse';
import type { Catalogue } from '@vedette/lql/catalogue/catalogue';
import { policyProblems } from '@vedette/lql/check/policy';
import { Refusal } from '../platform/errors.ts';
import type { WorkerPool } from '../platform/worker-pool.ts';
import { complaints } from './complaint.ts';
import { attach, type Detached } from './detached-query.ts';
import type { ReadQuery } from './read-query.ts';

export type ReadingPool = Pick<WorkerPool<string, Detached>, 'run'>;

/** In characters: a text that is no longer takes a few milliseconds, less than asking a thread. */
export const longestInline = 4_000;

/** The query language with the datasources of this service. */
export class QueryLanguage {
  readonly #catalogue: Catalogue;
  readonly #pool: ReadingPool | undefined;

  /** Without a pool long texts are read in place. */
  constructor(catalogue: Catalogue, pool?: ReadingPool) {
    this.#catalogue = catalogue;
    this.#pool = pool;
  }

  /**
   * Reads a text of the service itself in place. Refuses one that is no query with all that is wrong with it, in the words
   * that clients know.
   */
  read(text: string): ReadQuery {
    const { document, query, problems } = analyse(text, this.#catalogue);
    if (!document || !query) {
      throw new Refusal(
        'INVALID_QUERY',
        `Unable to translate due to: ${complaints(text, problems).join('\n')}`,
      );
    }
    const unfit = policyProblems(document, query);
    return {
      text,
      id: document.id?.text,
      query,
      warnings: complaints(text, problems),
      policyComplaint: unfit.length > 0 ? complaints(text, unfit).join('\n') : undefined,
    };
  }

  /** Reads a text that somebody of the account wrote: a long one off the event loop. */
  async readGiven(account: string, text: string, abandoned?: AbortSignal): Promise<ReadQuery> {
    if (!this.#pool || text.length <= longestInline) return this.read(text);
    return attach(await this.#pool.run(account, text, abandoned), this.#catalogue);
  }
}
