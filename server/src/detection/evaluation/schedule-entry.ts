import type { ResourceChanges } from '../../telemetry/store.ts';
import type { ResourcePolicy } from './evaluated-policy.ts';
import type { EvaluationRow } from './evaluations.ts';
import type { PolicyQuery } from './policy-queries.ts';
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
  /** Changes of the account's resources; undefined if there are none yet. */
  resourceChanges(account: string): ResourceChanges | undefined;
}

/**
 * Milliseconds to wait after a new resource: a collector reads its parts one after the other, and until all are there the
 * resource would be evaluated without them. Changed resources are evaluated at once.
 */
const settleTime = 20_000;
/** Milliseconds after which a collection that goes on is evaluated nevertheless. */
const maxSettleTime = 60_000;
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
  readonly #changes = new ChangeTrigger();
  #query: PolicyQuery | undefined;
  readonly #reports = new ReportTrigger();

  constructor(task: Task, row: EvaluationRow) {
    this.task = task;
    this.row = row;
  }

  /** Undefined for an invalid query. It is scheduled like a state, and its evaluation fails. */
  get subject(): Subject | undefined {
    return this.parse()?.subject;
  }

  /** Whether its resources are evaluated, not its query alone. */
  get isOverResources(): boolean {
    return this.task.readsInventory || this.resources !== undefined;
  }

  /** How the resources of the policy are evaluated; undefined if it is evaluated by its query alone. */
  get resources(): ResourcePolicy | undefined {
    return this.parse()?.resources;
  }

  /** Undefined if the query is invalid or still being parsed. */
  parse(): PolicyQuery | undefined {
    if (this.#query) return this.#query;
    try {
      this.#query = this.task.query();
    } catch {
      return undefined;
    }
    return this.#query;
  }

  get isStream(): boolean {
    return !this.task.readsInventory && (this.subject?.streams.length ?? 0) > 0;
  }

  /** Whether the sequence number in the row applies to the streams of the query. */
  get isFollowing(): boolean {
    return this.isStream && this.subject !== undefined && followedIn(this.subject) === this.row.followed;
  }

  update(task: Task, row: EvaluationRow): void {
    if (task !== this.task) this.#query = undefined;
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
    // Before its query is parsed: most accounts have no resources of most clouds.
    if (this.task.readsInventory && !resourceChanges(ownerId)) return undefined;
    const isChanged = evaluated !== basis;
    // A longer wait can only result from a clock that was set back.
    const isDue = this.isScheduled(now);
    if (this.isStream && this.subject) {
      const isBehind = !this.isFollowing || lastBatch(ownerId, this.subject.streams) > this.row.sequence;
      this.#backlogSince = isBehind ? (this.#backlogSince ?? now) : undefined;
      if (isChanged) return Math.min(now, due);
      if (isBacklogged(ownerId) && now - (this.#backlogSince ?? now) < backlogYield) return undefined;
      return isBehind && isDue ? Math.max(this.#backlogSince ?? now, Math.min(now, due)) : undefined;
    }
    const changes = this.subject?.isInventory ? resourceChanges(ownerId) : undefined;
    if (this.resources && !changes) return undefined;
    if (isChanged || isDue) return Math.min(now, due);
    if (failures > 0) return undefined;
    if (changes && this.#isUnreported(changes)) return Math.min(now, due);
    const last = lastBatch(ownerId, this.subject?.reported ?? []);
    return (
      (changes && this.#changes.dueSince(now, changes, this.#changedAt(changes))) ??
      this.#reports.dueSince(now, last, this.row.started_at ?? -Infinity)
    );
  }

  /** Whether it is due because of the time. */
  isScheduled(now: number): boolean {
    const { due_at: due } = this.row;
    return due <= now || due - now > maxWait(this.task, this.isStream);
  }

  isOverdue(input: SchedulingInput): boolean {
    const since = this.dueSince(input);
    const limit = this.isStream ? overdueAfter.stream : overdueAfter.state;
    return since !== undefined && input.now - since > limit;
  }

  /** Records the input of the evaluation that starts. */
  begin({ lastBatch, resourceChanges }: SchedulingInput): void {
    this.#reports.begin(lastBatch(this.task.ownerId, this.subject?.reported ?? []));
    const changes = resourceChanges(this.task.ownerId);
    if (changes) this.#changes.begin(this.#changedAt(changes));
  }

  /** Whether an evaluation was interrupted before its violations became those of the alerts. */
  #isUnreported({ evaluated }: ResourceChanges): boolean {
    const { revision = 0 } = evaluated.get(this.task.policy.policyId) ?? {};
    return this.resources !== undefined && revision > this.row.sequence;
  }

  /** The position of the last change that concerns the policy; 0 if its last evaluation covers it. */
  #changedAt({ kinds, evaluated, last }: ResourceChanges): number {
    const { resources } = this;
    if (!resources) return last;
    const covered = evaluated.get(this.task.policy.policyId);
    if (covered === undefined) return last;
    const concerned = resources.readsAllKinds ? [...kinds.keys()] : resources.kinds;
    const changed = Math.max(0, ...concerned.map((kind) => kinds.get(kind) ?? 0));
    return changed > covered.position || covered.position > last ? Math.max(changed, 1) : 0;
  }
}

/** Decides when changes of resources require an evaluation. */
class ChangeTrigger {
  /** The position of the last change when the last evaluation started; unknown after a restart. */
  #evaluated = -1;
  #since: number | undefined;
  #addition = 0;
  #additionAt = -Infinity;

  begin(changedAt: number): void {
    this.#evaluated = changedAt;
    this.#since = undefined;
  }

  /** Time since which an evaluation is due; undefined if none is due. */
  dueSince(now: number, { lastAddition }: ResourceChanges, changedAt: number): number | undefined {
    if (lastAddition > this.#addition) {
      this.#addition = lastAddition;
      this.#additionAt = now;
    }
    if (changedAt === 0 || changedAt === this.#evaluated) return undefined;
    this.#since ??= now;
    const isSettled = now - this.#additionAt >= settleTime || now - this.#since >= maxSettleTime;
    return isSettled ? this.#since : undefined;
  }
}
