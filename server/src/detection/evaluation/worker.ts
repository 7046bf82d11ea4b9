import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import {
  type EvaluationResult,
  type EvaluationRow,
  type Evaluations,
  type Lease,
  LeaseLost,
} from './evaluations.ts';
import type { Evaluator } from './evaluator.ts';
import type { ScheduleEntry } from './schedule-entry.ts';

export interface WorkerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly evaluations: Evaluations;
  readonly evaluator: Evaluator;
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

  /** Whether results are still to be stored. */
  get hasMore(): boolean {
    return this.#finished.length > 0;
  }

  /** Resolves when all results are stored. */
  async settled(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  /** Returns true if nothing is left to store. */
  async #evaluate(entry: ScheduleEntry, lease: Lease, stopping: AbortSignal): Promise<boolean> {
    const { evaluations, evaluator, timeout, clock, onAlert } = this.#deps;
    const { task, row } = entry;
    const timeLimit = new AbortController();
    const timeoutError = new Refusal(
      'UNAVAILABLE',
      `The evaluation took more than ${timeout / 1_000} seconds.`,
    );
    const timer = setTimeout(() => timeLimit.abort(timeoutError), timeout);
    try {
      if (clock.now() - lease.startedAt > maxLeaseAge) await evaluations.renew(lease);
      const outcome = await evaluator.evaluate(task, lease, AbortSignal.any([timeLimit.signal, stopping]));
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
    } finally {
      clearTimeout(timer);
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

function problemOf(error: unknown, late: AbortSignal): string {
  if (late.aborted) return (late.reason as Error).message;
  return error instanceof Error ? error.message : String(error);
}
