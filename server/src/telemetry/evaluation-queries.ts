import { DerivedSearch, type DerivedSearchDeps } from './derived-search.ts';
import { evaluationRecord } from './evaluation-record.ts';

/** Searches of the evaluations of cloud resources. */
export class EvaluationQueries extends DerivedSearch {
  constructor(deps: DerivedSearchDeps) {
    super(deps, {
      dataset: evaluationRecord,
      upTo: (store) => store.lastRevision(),
      first: (store, ...rest) => store.firstEvaluations(...rest),
      next: (store, ...rest) => store.nextEvaluations(...rest),
    });
  }
}
