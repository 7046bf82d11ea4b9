import type { EvaluationRow } from './evaluations.ts';
import { ReportWatch } from './report-watch.ts';
import { longestWait } from './schedule.ts';
import { followedIn, type Subject } from './subject.ts';
import type { Task } from './task.ts';

/** What decides whether something is due. */
export interface Circumstances {
  readonly now: number;
  /** Whether there is anything to judge. */
  readonly isOpened: boolean;
  /** The sequence number of the last batch of the datasets; 0 when there is none. */
  lastBatch(account: string, paths: readonly string[]): number;
  /** Whether the account sends faster than its batches are stored. */
  isBacklogged(account: string): boolean;
  /** Grows when resources of the account change. */
  resourceChanges(account: string): number;
}

/** Milliseconds for which further changes of an inventory are waited for. */
const patience = 20_000;
/** Milliseconds for which evaluations of a stream leave the engine to a backlog of its account, such as a backfill. */
const backlogPatience = 5_000;
/** How long what is due may wait before somebody should look after it. */
const overdueAfter = { stream: 60_000, state: 600_000 };

/** A policy that is judged again and again. */
export class Entry {
  task: Task;
  row: EvaluationRow;
  /** Whether it is leased, and judged or about to be. */
  isRunning = false;
  /** How long it took the last time, since the start. */
  lastSeconds = 0;
  #behindSince: number | undefined;
  /** Nobody knows what changed before the start. */
  #changesEvaluated = -1;
  #changesSince: number | undefined;
  #subject: Subject | undefined;
  readonly #reports = new ReportWatch();

  constructor(task: Task, row: EvaluationRow) {
    this.task = task;
    this.row = row;
  }

  /** Undefined for what can not be read, which is judged like a state, and fails. */
  get subject(): Subject | undefined {
    if (this.#subject) return this.#subject;
    try {
      this.#subject = this.task.question().subject;
    } catch {
      return undefined;
    }
    return this.#subject;
  }

  get isStream(): boolean {
    return (this.subject?.streams.length ?? 0) > 0;
  }

  /** Whether what it follows is what was judged up to the number in its row. */
  get isFollowing(): boolean {
    return this.isStream && this.subject !== undefined && followedIn(this.subject) === this.row.followed;
  }

  /** Takes over what changed. */
  renew(task: Task, row: EvaluationRow): void {
    if (task !== this.task) this.#subject = undefined;
    this.task = task;
    this.row = row;
  }

  /** Somebody else may have it: nothing is tried before the row was read anew. */
  lose(): void {
    this.row = { ...this.row, leased_until: Infinity };
  }

  get isLost(): boolean {
    return this.row.leased_until === Infinity;
  }

  /** Since when it should be judged; undefined when there is no reason to. */
  dueSince({ now, isOpened, lastBatch, isBacklogged, resourceChanges }: Circumstances): number | undefined {
    const { ownerId, basis } = this.task;
    const { due_at: due, basis: evaluated, leased_until: leased, failures } = this.row;
    if (!isOpened || this.isRunning || leased > now || this.task.isPending()) return undefined;
    const isChanged = evaluated !== basis;
    // Nothing waits for longer, unless the clock was set back.
    const isDue = due <= now || due - now > longestWait(this.task, this.isStream);
    if (this.isStream && this.subject) {
      const isBehind = !this.isFollowing || lastBatch(ownerId, this.subject.streams) > this.row.sequence;
      this.#behindSince = isBehind ? (this.#behindSince ?? now) : undefined;
      if (isChanged) return Math.min(now, due);
      if (isBacklogged(ownerId) && now - (this.#behindSince ?? now) < backlogPatience) return undefined;
      return isBehind && isDue ? Math.max(this.#behindSince ?? now, Math.min(now, due)) : undefined;
    }
    if (isChanged || isDue) return Math.min(now, due);
    if (failures > 0) return undefined;
    const last = lastBatch(ownerId, this.subject?.reported ?? []);
    return (
      this.#changedSince(now, resourceChanges(ownerId)) ??
      this.#reports.dueSince(now, last, this.row.started_at ?? -Infinity)
    );
  }

  isOverdue(circumstances: Circumstances): boolean {
    const since = this.dueSince(circumstances);
    const patient = this.isStream ? overdueAfter.stream : overdueAfter.state;
    return since !== undefined && circumstances.now - since > patient;
  }

  /** What it is about to be judged by. */
  begin({ resourceChanges, lastBatch }: Circumstances): void {
    this.isRunning = true;
    this.#reports.begin(lastBatch(this.task.ownerId, this.subject?.reported ?? []));
    this.#changesEvaluated = resourceChanges(this.task.ownerId);
    this.#changesSince = undefined;
  }

  /** A collector takes minutes for all kinds of resources: policies need not run after each. */
  #changedSince(now: number, changes: number): number | undefined {
    if (!this.subject?.isInventory || changes === this.#changesEvaluated) return undefined;
    this.#changesSince ??= now;
    return now - this.#changesSince >= patience ? this.#changesSince : undefined;
  }
}
