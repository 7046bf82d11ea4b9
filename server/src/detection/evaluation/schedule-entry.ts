import type { EvaluationRow } from './evaluations.ts';
import { ReportTrigger } from './report-trigger.ts';
import { maxWait } from './schedule.ts';
import { followedIn, type Subject } from './subject.ts';
import type { Task } from './task.ts';

/** Input for deciding whether an evaluation is due. */
export interface SchedulingInput {
  readonly now: number;
  /** Whether telemetry has a store, that is, anything to evaluate. */
  readonly isOpened: boolean;
  /** Sequence number of the last batch of the datasets; 0 if there is none. */
  lastBatch(account: string, paths: readonly string[]): number;
  /** Whether the account sends faster than its batches are stored. */
  isBacklogged(account: string): boolean;
  /** Counter of resource changes in the account. */
  resourceChanges(account: string): number;
}

/** Milliseconds to wait for further changes of an inventory. */
const settleTime = 20_000;
/** Milliseconds for which stream evaluations leave the engine to a backlog of their account, such as a backfill. */
const backlogYield = 5_000;
/** Milliseconds after which a due evaluation counts as overdue in the metrics. */
const overdueAfter = { stream: 60_000, state: 600_000 };

/** A policy in the schedule. */
export class ScheduleEntry {
  task: Task;
  row: EvaluationRow;
  /** Whether it is leased: queued or being evaluated. */
  isRunning = false;
  /** Duration of the last evaluation since the start of the process. */
  lastSeconds = 0;
  #backlogSince: number | undefined;
  /** Changes before the start of the process are unknown. */
  #changesEvaluated = -1;
  #changesSince: number | undefined;
  #subject: Subject | undefined;
  readonly #reports = new ReportTrigger();

  constructor(task: Task, row: EvaluationRow) {
    this.task = task;
    this.row = row;
  }

  /** Undefined for an invalid query. It is scheduled like a state, and its evaluation fails. */
  get subject(): Subject | undefined {
    if (this.#subject) return this.#subject;
    try {
      this.#subject = this.task.query().subject;
    } catch {
      return undefined;
    }
    return this.#subject;
  }

  get isStream(): boolean {
    return (this.subject?.streams.length ?? 0) > 0;
  }

  /** Whether the sequence number in the row applies to the streams of the query. */
  get isFollowing(): boolean {
    return this.isStream && this.subject !== undefined && followedIn(this.subject) === this.row.followed;
  }

  update(task: Task, row: EvaluationRow): void {
    if (task !== this.task) this.#subject = undefined;
    this.task = task;
    this.row = row;
  }

  /** Another node may hold the lease: nothing is attempted until the row is read again. */
  markLost(): void {
    this.row = { ...this.row, leased_until: Infinity };
  }

  get isLost(): boolean {
    return this.row.leased_until === Infinity;
  }

  /** Time since which an evaluation is due; undefined if none is due. */
  dueSince({ now, isOpened, lastBatch, isBacklogged, resourceChanges }: SchedulingInput): number | undefined {
    const { ownerId, basis } = this.task;
    const { due_at: due, basis: evaluated, leased_until: leased, failures } = this.row;
    if (!isOpened || this.isRunning || leased > now || this.task.isPending()) return undefined;
    const isChanged = evaluated !== basis;
    // A longer wait can only result from a clock that was set back.
    const isDue = due <= now || due - now > maxWait(this.task, this.isStream);
    if (this.isStream && this.subject) {
      const isBehind = !this.isFollowing || lastBatch(ownerId, this.subject.streams) > this.row.sequence;
      this.#backlogSince = isBehind ? (this.#backlogSince ?? now) : undefined;
      if (isChanged) return Math.min(now, due);
      if (isBacklogged(ownerId) && now - (this.#backlogSince ?? now) < backlogYield) return undefined;
      return isBehind && isDue ? Math.max(this.#backlogSince ?? now, Math.min(now, due)) : undefined;
    }
    if (isChanged || isDue) return Math.min(now, due);
    if (failures > 0) return undefined;
    const last = lastBatch(ownerId, this.subject?.reported ?? []);
    return (
      this.#changedSince(now, resourceChanges(ownerId)) ??
      this.#reports.dueSince(now, last, this.row.started_at ?? -Infinity)
    );
  }

  isOverdue(input: SchedulingInput): boolean {
    const since = this.dueSince(input);
    const limit = this.isStream ? overdueAfter.stream : overdueAfter.state;
    return since !== undefined && input.now - since > limit;
  }

  /** Records the input of the evaluation that starts. */
  begin({ resourceChanges, lastBatch }: SchedulingInput): void {
    this.isRunning = true;
    this.#reports.begin(lastBatch(this.task.ownerId, this.subject?.reported ?? []));
    this.#changesEvaluated = resourceChanges(this.task.ownerId);
    this.#changesSince = undefined;
  }

  /** A collector updates resources for minutes: wait until it has finished instead of evaluating after each change. */
  #changedSince(now: number, changes: number): number | undefined {
    if (!this.subject?.isInventory || changes === this.#changesEvaluated) return undefined;
    this.#changesSince ??= now;
    return now - this.#changesSince >= settleTime ? this.#changesSince : undefined;
  }
}
