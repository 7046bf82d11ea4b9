import { analyse } from '@vedette/lql/analyse';
import type { Catalogue } from '@vedette/lql/catalogue/catalogue';
import type { CheckedQuery } from '@vedette/lql/check/checked';
import { policyProblems } from '@vedette/lql/check/policy';
import type { Document } from '@vedette/lql/syntax/tree';
import type { Problem } from '@vedette/lql/text/problem';
import { Refusal } from '../platform/errors.ts';
import { complaints } from './complaint.ts';

/** A text that was read and found right. */
export interface ReadQuery {
  readonly text: string;
  readonly document: Document;
  readonly query: CheckedQuery;
  /** What is probably not meant. */
  readonly warnings: readonly Problem[];
}

/** The query language with the datasources of this service. */
export class QueryLanguage {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Refuses a text that is no query with all that is wrong with it, in the words that clients know. */
  read(text: string): ReadQuery {
    const { document, query, problems } = analyse(text, this.#catalogue);
    if (!document || !query) {
      throw new Refusal(
        'INVALID_QUERY',
        `Unable to translate due to: ${complaints(text, problems).join('\n')}`,
      );
    }
    return { text, document, query, warnings: problems };
  }
}

/** What keeps the query from being that of a policy, or undefined. */
export function policyComplaint({ text, document, query }: ReadQuery): string | undefined {
  const problems = policyProblems(document, query);
  return problems.length > 0 ? complaints(text, problems).join('\n') : undefined;
}
