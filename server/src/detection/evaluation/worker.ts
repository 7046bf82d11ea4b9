import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { LeasedEntry } from './evaluation-queue.ts';
import {
  type EvaluationResult,
  type EvaluationRow,
  type Evaluations,
  type Lease,
  LeaseLost,
} from './evaluations.ts';
import type { Evaluator, Outcome } from './evaluator.ts';
import type { LeasedPolicy, ResourceEvaluator } from './resource-evaluator.ts';
import type { ScheduleEntry } from './schedule-entry.ts';

export interface WorkerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly evaluations: Evaluations;
  readonly evaluator: Evaluator;
  readonly resourceEvaluator: Pick<ResourceEvaluator, 'evaluate' | 'report'>;
  /** Timeout of one evaluation, in milliseconds. */
  readonly timeout: number;
  /** Called after an alert was opened or joined. */
  onAlert(): void;
}

interface FinishedEvaluation {
  readonly entry: ScheduleEntry;
  readonly lease: Lease;
  readonly done: EvaluationResult;
}

/** Milliseconds in the queue after which a lease is renewed before its evaluation. */
const maxLeaseAge = 10_000;
/** Evaluations without violations are stored together: up to a number or a delay in milliseconds. */
const batch = { maxSize: 16, maxDelay: 100 };

/** Runs leased evaluations and stores their outcome. */
export class Worker {
  readonly #deps: WorkerDeps;
  #finished: FinishedEvaluation[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #lastDuration = 0;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  /** Duration of the last evaluation. */
  get lastSeconds(): number {
    return this.#lastDuration / 1_000;
  }

  async evaluate(entry: ScheduleEntry, lease: Lease, stopping: AbortSignal): Promise<void> {
    const began = performance.now();
    let isFinished = true;
    try {
      isFinished = await this.#evaluate(entry, lease, stopping);
    } finally {
      this.#lastDuration = performance.now() - began;
      entry.lastSeconds = this.lastSeconds;
      if (isFinished) entry.isRunning = false;
    }
  }

  /**
   * Evaluates policies over the resources of one account together. If that fails, each half is tried again, so that one
   * policy does not block the others. If it takes too long, they are left for smaller batches, because other accounts
   * wait. Returns how many had to be evaluated.
   */
  async evaluateResources(leased: readonly LeasedEntry[], stopping: AbortSignal): Promise<number> {
    const began = performance.now();
    const timeLimit = this.#timeLimit();
    const signal = AbortSignal.any([timeLimit.signal, stopping]);
    const { resourceEvaluator, clock } = this.#deps;
    const policies = new Map(leased.map((one) => [one, leasedPolicy(one, clock.now())]));
    try {
      const results = await resourceEvaluator.evaluate([...policies.values()], signal);
      const byPolicy = new Map(results.map((result) => [result.policyId, result]));
      for (const [{ entry, lease }, policy] of policies) {
        const report = () => resourceEvaluator.report(policy, byPolicy.get(lease.policyId), signal);
        if (await this.#settle(entry, lease, report, timeLimit, stopping)) entry.isRunning = false;
      }
      return results.filter(({ extent }) => extent !== 'none').length;
    } catch (error) {
      timeLimit.end();
      if (leased.length > 1 && timeLimit.signal.aborted) {
        for (const { entry, lease } of leased) {
          entry.markLost();
          await this.#deps.evaluations.abandon(lease);
          entry.isRunning = false;
        }
        return leased.length;
      }
      if (leased.length > 1 && !stopping.aborted) {
        const half = Math.ceil(leased.length / 2);
        const first = await this.evaluateResources(leased.slice(0, half), stopping);
        return first + (await this.evaluateResources(leased.slice(half), stopping));
      }
      const fail = () => Promise.reject(error);
      for (const { entry, lease } of leased) {
        await this.#settle(entry, lease, fail, timeLimit, stopping);
        entry.isRunning = false;
      }
      return leased.length;
    } finally {
      timeLimit.end();
      this.#lastDuration = performance.now() - began;
    }
  }

  /** Whether results are still to be stored. */
  get hasMore(): boolean {
    return this.#finished.length > 0;
  }

  /** Resolves when all results are stored. */
  async settled(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  async #evaluate(entry: ScheduleEntry, lease: Lease, stopping: AbortSignal): Promise<boolean> {
    const { evaluations, evaluator, clock } = this.#deps;
    const timeLimit = this.#timeLimit();
    const evaluate = async () => {
      if (clock.now() - lease.startedAt > maxLeaseAge) await evaluations.renew(lease);
      return evaluator.evaluate(entry.task, lease, AbortSignal.any([timeLimit.signal, stopping]));
    };
    return this.#settle(entry, lease, evaluate, timeLimit, stopping).finally(() => timeLimit.end());
  }

  #timeLimit(): TimeLimit {
    const { timeout } = this.#deps;
    const controller = new AbortController();
    const message = `The evaluation took more than ${timeout / 1_000} seconds.`;
    const timer = setTimeout(() => controller.abort(new Refusal('UNAVAILABLE', message)), timeout);
    return { signal: controller.signal, end: () => clearTimeout(timer) };
  }

  /** Stores the outcome of an evaluation. Returns true if nothing is left to store. */
  async #settle(
    entry: ScheduleEntry,
    lease: Lease,
    evaluate: () => Promise<Outcome>,
    timeLimit: TimeLimit,
    stopping: AbortSignal,
  ): Promise<boolean> {
    const { evaluations, onAlert } = this.#deps;
    const { task, row } = entry;
    try {
      const outcome = await evaluate();
      if (outcome.done) {
        this.#add({ entry, lease, done: outcome.done });
        return false;
      }
      entry.row = outcome.row;
      if (outcome.counts.told > 0) onAlert();
    } catch (error) {
      // The default if the control store does not respond.
      entry.markLost();
      if (error instanceof LeaseLost) return true;
      if (stopping.aborted) await evaluations.abandon(lease);
      else
        this.#report(
          entry,
          row.problem,
          await evaluations.fail(lease, task.basis, problemOf(error, timeLimit.signal)),
        );
    }
    return true;
  }

  /** Logs a repeated problem once. */
  #report(entry: ScheduleEntry, before: string | null, row: EvaluationRow | undefined): void {
    if (!row) return;
    const { owner_id: account, policy_id: policy, problem } = row;
    if (problem !== before) this.#deps.log.warn({ account, policy, problem }, 'policy evaluation failed');
    entry.row = row;
  }

  #add(finished: FinishedEvaluation): void {
    this.#finished.push(finished);
    if (this.#finished.length >= batch.maxSize) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), batch.maxDelay);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const finished = this.#finished.splice(0);
    if (finished.length > 0) this.#writing = this.#writing.then(() => this.#writeAll(finished));
  }

  async #writeAll(finished: readonly FinishedEvaluation[]): Promise<void> {
    try {
      const rows = await this.#deps.evaluations.finishAll(finished);
      for (const [at, { entry }] of finished.entries()) {
        const row = rows[at];
        if (row) entry.row = row;
        else entry.markLost();
      }
    } catch (error) {
      // Their leases expire, and they are evaluated again.
      this.#deps.log.error({ error: String(error) }, 'evaluation results could not be stored');
      for (const { entry } of finished) entry.markLost();
    } finally {
      for (const { entry } of finished) entry.isRunning = false;
    }
  }
}

interface TimeLimit {
  readonly signal: AbortSignal;
  end(): void;
}

function leasedPolicy({ entry, lease }: LeasedEntry, now: number): LeasedPolicy {
  return { task: entry.task, lease, isScheduled: entry.isScheduled(now) };
}

function problemOf(error: unknown, late: AbortSignal): string {
  if (late.aborted) return (late.reason as Error).message;
  return error instanceof Error ? error.message : String(error);
}
