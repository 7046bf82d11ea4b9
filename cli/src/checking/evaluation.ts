import { titleCase } from '@vedette/server/detection/evaluation/alert-text';
import { BatchSize } from '@vedette/server/detection/evaluation/batch-size';
import { serviceOfTags } from '@vedette/server/detection/policies/service-tag';
import type { DuePolicy, PolicyEvaluation } from '@vedette/server/telemetry/evaluation';
import type { Telemetry } from '@vedette/server/telemetry/telemetry';
import type { CheckedPolicy } from './check-result.ts';
import { checkAccount } from './check-store.ts';
import type { SelectedPolicy } from './policy-selection.ts';

const noCounts = { Compliant: 0, NonCompliant: 0, Suppressed: 0, CouldNotAssess: 0 };

/** Evaluates policies over what was collected, as the server does. */
export class Evaluation {
  readonly #telemetry: Telemetry;
  readonly #at: number;

  /** `at` must be after the end of the collection. */
  constructor(telemetry: Telemetry, at: number) {
    this.#telemetry = telemetry;
    this.#at = at;
  }

  /** In the order of the policies. `onProgress` gets the number of those that are done. */
  async run(
    policies: readonly SelectedPolicy[],
    onProgress: (done: number) => void,
  ): Promise<readonly CheckedPolicy[]> {
    const outcomes = new Map<string, PolicyEvaluation | Error>();
    const byKind = policies.toSorted((one, other) =>
      one.resources.kind < other.resources.kind ? -1 : one.resources.kind > other.resources.kind ? 1 : 0,
    );
    const size = new BatchSize();
    while (byKind.length > 0) {
      const batch = byKind.splice(0, size.current);
      const began = performance.now();
      for (const [id, outcome] of await this.#evaluate(batch)) outcomes.set(id, outcome);
      size.note(batch.length, performance.now() - began);
      onProgress(policies.length - byKind.length);
    }
    return policies.map((selected) => checkedPolicy(selected, outcomes.get(selected.policy.id)));
  }

  /** If one of several policies can not be evaluated, the others are. */
  async #evaluate(batch: readonly SelectedPolicy[]): Promise<[string, PolicyEvaluation | Error][]> {
    const due = batch.map((selected) => this.#due(selected));
    const { signal } = new AbortController();
    try {
      const results = await this.#telemetry.evaluate(checkAccount, due, this.#at, signal);
      return results.map((result) => [result.policyId, result]);
    } catch (error) {
      const [only] = batch;
      if (only && batch.length === 1) return [[only.policy.id, error as Error]];
      const single = [];
      for (const one of batch) single.push(...(await this.#evaluate([one])));
      return single;
    }
  }

  #due({ policy, resources }: SelectedPolicy): DuePolicy {
    const run = { account: checkAccount, at: this.#at };
    return {
      ...{ id: policy.id, title: policy.title, severity: titleCase(policy.severity) },
      ...{ section: serviceOfTags(policy.tags) ?? '', basis: policy.id, isScheduled: true, reported: 0 },
      ...resources,
      resources: (changed) => resources.resources(run, changed),
      violations: (changed) => resources.violations(run, changed),
    };
  }
}

function checkedPolicy(
  { policy }: SelectedPolicy,
  outcome: PolicyEvaluation | Error | undefined,
): CheckedPolicy {
  const own = { policy, service: serviceOfTags(policy.tags) ?? '' };
  if (outcome === undefined || outcome instanceof Error) {
    const error = outcome?.message ?? 'Nothing was collected.';
    return { ...own, status: 'not assessed', counts: noCounts, error };
  }
  const { counts } = outcome;
  const unassessed = counts.CouldNotAssess > 0 ? 'not assessed' : 'passed';
  return { ...own, counts, status: counts.NonCompliant > 0 ? 'failed' : unassessed };
}
