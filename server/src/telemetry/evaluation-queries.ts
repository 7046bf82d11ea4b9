import { DerivedSearch, type DerivedSearchDeps } from './derived-search.ts';
import { evaluationRecord } from './evaluation-record.ts';
import type { FindingsQuery } from './posture-findings.ts';

/** Searches of the evaluations of cloud resources. */
export class EvaluationQueries extends DerivedSearch {
  readonly #deps: DerivedSearchDeps;

  constructor(deps: DerivedSearchDeps) {
    super(deps, {
      dataset: evaluationRecord,
      upTo: (store) => store.lastRevision(),
      first: (store, ...rest) => store.firstEvaluations(...rest),
      next: (store, ...rest) => store.nextEvaluations(...rest),
    });
    this.#deps = deps;
  }

  /** The evaluations of one cloud account as JSON: the form is `PostureFindings`; undefined if there are none. */
  findings(query: FindingsQuery, abandoned?: AbortSignal): Promise<string | undefined> {
    const { access, searches } = this.#deps;
    return access.use((store) =>
      searches.run(query.account, (signal) => store.findings(query, signal), abandoned),
    );
  }
}
