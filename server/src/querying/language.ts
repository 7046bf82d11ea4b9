import { analyse } from '@vedette/lql/analyse';
import type { Catalogue } from '@vedette/lql/catalogue/catalogue';
import { policyProblems } from '@vedette/lql/check/policy';
import { Refusal } from '../platform/errors.ts';
import type { WorkerPool } from '../platform/worker-pool.ts';
import { attach, type DetachedQuery } from './detached-query.ts';
import { problemLines } from './problem-lines.ts';
import type { ParsedQuery } from './read-query.ts';

export type ParserPool = Pick<WorkerPool<string, DetachedQuery>, 'run'>;

/** In characters: shorter queries parse in a few milliseconds, less than a thread round trip. */
export const maxInlineLength = 4_000;

/** The query language with the datasources of this service. */
export class QueryLanguage {
  readonly #catalogue: Catalogue;
  readonly #pool: ParserPool | undefined;

  /** Without a pool, long queries are parsed in place. */
  constructor(catalogue: Catalogue, pool?: ParserPool) {
    this.#catalogue = catalogue;
    this.#pool = pool;
  }

  /**
   * Parses a trusted query in place. Rejects an invalid one with all of its problems, in the format that clients
   * know.
   */
  read(text: string): ParsedQuery {
    const { document, query, problems } = analyse(text, this.#catalogue);
    if (!document || !query) {
      throw new Refusal(
        'INVALID_QUERY',
        `Unable to translate due to: ${problemLines(text, problems).join('\n')}`,
      );
    }
    const policyIssues = policyProblems(document, query);
    return {
      text,
      id: document.id?.text,
      query,
      warnings: problemLines(text, problems),
      policyProblem: policyIssues.length > 0 ? problemLines(text, policyIssues).join('\n') : undefined,
    };
  }

  /** Parses a user's query, off the event loop if it is long. */
  async readUserQuery(account: string, text: string, abandoned?: AbortSignal): Promise<ParsedQuery> {
    if (!this.#pool || text.length <= maxInlineLength) return this.read(text);
    return attach(await this.#pool.run(account, text, abandoned), this.#catalogue);
  }
}
