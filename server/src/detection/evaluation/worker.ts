import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Entry } from './entry.ts';
import {
  type EvaluationResult,
  type EvaluationRow,
  type Evaluations,
  type Lease,
  LeaseLost,
} from './evaluations.ts';
import type { Evaluator } from './evaluator.ts';

export interface WorkerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly evaluations: Evaluations;
  readonly evaluator: Evaluator;
  /** Milliseconds that one evaluation may take. */
  readonly timeout: number;
  /** Called when an alert was raised or joined. */
  told(): void;
}

interface Finished {
  readonly entry: Entry;
  readonly lease: Lease;
  readonly done: EvaluationResult;
}

/** A lease that waited so long before its evaluation began is made to last longer. */
const oldLease = 10_000;
/** Evaluations that found nothing are written down together: so many, or those of so many milliseconds. */
const together = { most: 16, within: 100 };

/** Has policies judged that are leased, and writes down how it went. */
export class Worker {
  readonly #deps: WorkerDeps;
  #finished: Finished[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #lastDuration = 0;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  /** How long the last one took. */
  get lastSeconds(): number {
    return this.#lastDuration / 1_000;
  }

  async evaluate(entry: Entry, lease: Lease, stopping: AbortSignal): Promise<void> {
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

  /** Whether some of what was judged is not written down yet. */
  get hasMore(): boolean {
    return this.#finished.length > 0;
  }

  /** Resolves when all that was judged is written down. */
  async settled(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  /** Whether nothing is left to write. */
  async #evaluate(entry: Entry, lease: Lease, stopping: AbortSignal): Promise<boolean> {
    const { evaluations, evaluator, timeout, clock, told } = this.#deps;
    const { task, row } = entry;
    const time = new AbortController();
    const late = new Refusal('UNAVAILABLE', `The evaluation took more than ${timeout / 1_000} seconds.`);
    const timer = setTimeout(() => time.abort(late), timeout);
    try {
      if (clock.now() - lease.startedAt > oldLease) await evaluations.renew(lease);
      const outcome = await evaluator.evaluate(task, lease, AbortSignal.any([time.signal, stopping]));
      if (outcome.done) {
        this.#add({ entry, lease, done: outcome.done });
        return false;
      }
      entry.row = outcome.row;
      if (outcome.counts.told > 0) told();
    } catch (error) {
      // As it stays when the control store does not answer.
      entry.lose();
      if (error instanceof LeaseLost) return true;
      if (stopping.aborted) await evaluations.abandon(lease);
      else
        this.#report(
          entry,
          row.problem,
          await evaluations.fail(lease, task.basis, problemOf(error, time.signal)),
        );
    } finally {
      clearTimeout(timer);
    }
    return true;
  }

  /** Says it once, however often the same thing fails. */
  #report(entry: Entry, before: string | null, row: EvaluationRow | undefined): void {
    if (!row) return;
    const { owner_id: account, policy_id: policy, problem } = row;
    if (problem !== before) this.#deps.log.warn({ account, policy, problem }, 'a policy can not be judged');
    entry.row = row;
  }

  #add(finished: Finished): void {
    this.#finished.push(finished);
    if (this.#finished.length >= together.most) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), together.within);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const finished = this.#finished.splice(0);
    if (finished.length > 0) this.#writing = this.#writing.then(() => this.#writeAll(finished));
  }

  async #writeAll(finished: readonly Finished[]): Promise<void> {
    try {
      const rows = await this.#deps.evaluations.finishAll(finished);
      for (const [at, { entry }] of finished.entries()) {
        const row = rows[at];
        if (row) entry.row = row;
        else entry.lose();
      }
    } catch (error) {
      // Their leases run out, and then they are judged again.
      this.#deps.log.error({ error: String(error) }, 'evaluations were lost');
      for (const { entry } of finished) entry.lose();
    } finally {
      for (const { entry } of finished) entry.isRunning = false;
    }
  }
}

function problemOf(error: unknown, late: AbortSignal): string {
  if (late.aborted) return (late.reason as Error).message;
  return error instanceof Error ? error.message : String(error);
}
