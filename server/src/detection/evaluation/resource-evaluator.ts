import { marksOf } from '../../alerts/marks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DuePolicy, PolicyEvaluation, ViolationChange } from '../../telemetry/evaluation.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { serviceOfTags } from '../policies/service-tag.ts';
import { titleCase } from './alert-text.ts';
import type { EvaluationResult, Lease } from './evaluations.ts';
import type { Outcome } from './evaluator.ts';
import { parseExact } from './exact-json.ts';
import { type Row, resourceKeyOf } from './row.ts';
import { RowViolation } from './row-violation.ts';
import { nextRun } from './schedule.ts';
import type { Task } from './task.ts';
import { type Chunk, type Counts, type RecorderDeps, ViolationRecorder } from './violation-recorder.ts';

export interface ResourceEvaluatorDeps extends RecorderDeps {
  readonly clock: Clock;
  /** Whether the violations of a first evaluation share an alert for each severity, or have alerts of their own. */
  readonly firstEvaluation: 'summary' | 'alerts';
  readonly telemetry: Pick<Telemetry, 'evaluate' | 'violationChanges' | 'lastRevision'>;
}

/** A leased policy whose resources are evaluated. */
export interface LeasedPolicy {
  readonly task: Task;
  readonly lease: Lease;
  readonly isScheduled: boolean;
}

/** Changes of violations per transaction. */
const pageSize = 500;

/**
 * Evaluates policies over cloud resources together: the engine stores the result for each resource, and the violations that
 * began or ended become those of the alerts.
 */
export class ResourceEvaluator {
  readonly #deps: ResourceEvaluatorDeps;

  constructor(deps: ResourceEvaluatorDeps) {
    this.#deps = deps;
  }

  /** Of policies of one account, which share a transaction. Safe to interrupt and repeat. */
  async evaluate(leased: readonly LeasedPolicy[], signal: AbortSignal): Promise<readonly PolicyEvaluation[]> {
    const [first] = leased;
    if (!first) return [];
    const account = first.task.ownerId;
    // Strictly increasing for each policy, as leases are.
    const at = Math.max(...leased.map(({ lease }) => lease.startedAt));
    const lastRevision = await this.#deps.telemetry.lastRevision();
    const policies = leased.flatMap((one) => duePolicy(one, at, reportedOf(one, lastRevision)) ?? []);
    return this.#deps.telemetry.evaluate(account, policies, at, signal);
  }

  /** Takes over the changes of an evaluation: records violations and raises the alert. */
  async report(
    { task, lease }: LeasedPolicy,
    evaluation: PolicyEvaluation | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { telemetry } = this.#deps;
    const { subject } = task.query();
    const revision = reportedOf({ task, lease }, evaluation?.revision ?? 0);
    const isComplete = revision === 0;
    const recorder = new ViolationRecorder(this.#deps, task, lease, subject, 0);
    const expiry = isComplete ? { before: lease.startedAt, isResolved: true } : undefined;
    const hasOlder = isComplete && (await recorder.hasOlder(lease.startedAt));
    if (!evaluation?.hasChanges && !hasOlder)
      return { done: this.#result(task, lease, evaluation, recorder.counts) };
    let isInitial = this.#deps.firstEvaluation === 'summary';
    for (let after = 0; evaluation; ) {
      signal.throwIfAborted();
      const since = { policyId: task.policy.policyId, revision, after, limit: pageSize };
      const { changes, isLast } = await telemetry.violationChanges(task.ownerId, since);
      const last = changes.at(-1);
      isInitial &&= changes.every((change) => change.isInitial || change.row === undefined);
      if (last) await recorder.record(chunkOf(changes, task));
      if (!last || isLast) break;
      after = last.id;
    }
    for (;;) {
      signal.throwIfAborted();
      const row = await recorder.finish({ expiry, isInitial }, (counts) =>
        this.#result(task, lease, evaluation, counts),
      );
      if (row) return { row, counts: recorder.counts };
    }
  }

  #result(
    task: Task,
    lease: Lease,
    evaluation: PolicyEvaluation | undefined,
    { told, cleared }: Readonly<Counts>,
  ): EvaluationResult {
    const at = Math.min(lease.startedAt, this.#deps.clock.now());
    const { NonCompliant = 0, Suppressed = 0 } = evaluation?.counts ?? {};
    return {
      sequence: evaluation?.revision ?? 0,
      followed: null,
      due_at: nextRun(task, at),
      counts: JSON.stringify({ violations: NonCompliant + Suppressed, exempt: Suppressed, told, cleared }),
      basis: task.basis,
    };
  }
}

/**
 * The revision of which the violations are those of the alerts; 0 to take over all. A higher one than the last is of
 * evaluations that a restore has replaced.
 */
function reportedOf({ task, lease: { row } }: Pick<LeasedPolicy, 'task' | 'lease'>, last: number): number {
  return row.basis === task.basis && row.sequence <= last ? row.sequence : 0;
}

function duePolicy({ task, isScheduled }: LeasedPolicy, at: number, reported: number): DuePolicy | undefined {
  const { policy, exemptions, ownerId: account, basis } = task;
  const run = { account, at };
  const { subject, resources } = task.query();
  if (!resources) return undefined;
  return {
    ...{ id: policy.policyId, title: policy.title, severity: titleCase(policy.severity) },
    section: serviceOfTags(policy.tags) ?? '',
    ...{ basis, isScheduled, reported },
    ...resources,
    resources: (changed) => resources.resources(run, changed),
    violations: (changed) => resources.violations(run, changed),
    ...(exemptions.length > 0 && {
      exceptionsOf: (rows) =>
        rows.map((row) => {
          const marks = marksOf(new RowViolation(parseExact(row) as Row, subject));
          return exemptions.find(({ matches }) => matches(marks))?.id;
        }),
    }),
  };
}

function chunkOf(changes: readonly ViolationChange[], task: Task): Chunk {
  const { subject } = task.query();
  const begun = changes.flatMap(({ row, exceptionId }) => {
    if (row === undefined) return [];
    const violation = new RowViolation(parseExact(row) as Row, subject);
    return [{ violation, exceptionId }];
  });
  return {
    violations: begun.map(({ violation }) => violation),
    matched: begun.map(({ violation, exceptionId }) => ({
      ...{ key: violation.key, name: violation.shownName, exceptionId },
    })),
    resolved: changes.flatMap(({ key, row }) => (row === undefined ? [resourceKeyOf(key)] : [])),
  };
}
