import { type Hosts, hostIdOf } from '../../alerts/hosts.ts';
import { marksOf } from '../../alerts/marks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ParsedQuery } from '../../querying/read-query.ts';
import type { QueryRunner, Run } from '../../querying/runner.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { EvaluationResult, EvaluationRow, Lease } from './evaluations.ts';
import { type Row, rowsOf } from './row.ts';
import { RowViolation } from './row-violation.ts';
import { nextRun } from './schedule.ts';
import { followedIn, type Subject } from './subject.ts';
import type { Task } from './task.ts';
import { type Chunk, type Counts, type RecorderDeps, ViolationRecorder } from './violation-recorder.ts';
import type { MatchedRow } from './violations.ts';

export interface EvaluatorDeps extends RecorderDeps {
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'lastBatch' | 'firstBatchSince'>;
  readonly runner: QueryRunner;
  readonly hosts: Hosts;
}

/**
 * The outcome of an evaluation: either completely stored, or without violations and with the result left for the caller
 * to store.
 */
export type Outcome =
  | { readonly row: EvaluationRow; readonly counts: Readonly<Counts>; readonly done?: never }
  | { readonly done: EvaluationResult };

const hour = 3_600_000;
const day = 24 * hour;
/** How long violations of streams are remembered, so that repeated reports do not alert again. */
const memory = 3 * day;
/**
 * Milliseconds between two evaluations of a stream under continuous load: a multiple of the last duration within
 * bounds. The first batch after a pause is evaluated immediately, and evaluations do not slow down a backfill.
 */
const pause = { factor: 100, min: 500, max: 10_000 };
/** Maximum clock difference between the node that stores a policy and the node that ingests its data. */
const clockTolerance = 10_000;

/** Evaluates a policy by its query alone: records the rows as violations and raises the alert. */
export class Evaluator {
  readonly #deps: EvaluatorDeps;

  constructor(deps: EvaluatorDeps) {
    this.#deps = deps;
  }

  /** Safe to interrupt and repeat. */
  async evaluate(task: Task, lease: Lease, signal: AbortSignal): Promise<Outcome> {
    const { read, subject } = task.query();
    const upTo = await lastBatch(this.#deps.telemetry, task.ownerId, subject);
    const isFollowing = lease.row.followed === followedIn(subject);
    const done = isFollowing ? upTo : Math.min(upTo, await this.#lastBatchBeforePolicy(task, upTo));
    return new Evaluation(this.#deps, task, lease, subject, { upTo, done }).run(read, signal);
  }

  /**
   * The first evaluation of a new policy selects records by time. Batches that arrived since the policy was stored are
   * also evaluated by sequence number afterwards, because their records may have any time.
   */
  async #lastBatchBeforePolicy({ ownerId, decidedAt }: Task, upTo: number): Promise<number> {
    if (decidedAt === undefined) return upTo;
    const first = await this.#deps.telemetry.firstBatchSince(ownerId, decidedAt - clockTolerance);
    return first === undefined ? upTo : first - 1;
  }
}

/** Batch sequence numbers: the last one present, and the last one fully covered by this evaluation. */
interface BatchNumbers {
  readonly upTo: number;
  readonly done: number;
}

/** One evaluation of a stream of records, or of a state. */
class Evaluation {
  readonly #deps: EvaluatorDeps;
  readonly #task: Task;
  readonly #lease: Lease;
  readonly #subject: Subject;
  readonly #numbers: BatchNumbers;
  readonly #recorder: ViolationRecorder;
  readonly #beganAt: number;

  constructor(deps: EvaluatorDeps, task: Task, lease: Lease, subject: Subject, numbers: BatchNumbers) {
    this.#deps = deps;
    this.#task = task;
    this.#lease = lease;
    this.#subject = subject;
    this.#numbers = numbers;
    const repeatsAfter = this.#isState ? 0 : this.#expiresBefore;
    this.#recorder = new ViolationRecorder(deps, task, lease, subject, repeatsAfter);
    this.#beganAt = deps.clock.now();
  }

  async run(read: ParsedQuery, signal: AbortSignal): Promise<Outcome> {
    const run = this.#range();
    let last: Chunk | undefined;
    if (run) {
      for await (const rows of rowsOf(this.#deps.runner.run(read, run, signal))) {
        signal.throwIfAborted();
        if (last) await this.#recorder.record(last);
        last = await this.#chunkOf(rows);
      }
    }
    const expiry = { before: this.#expiresBefore, isResolved: this.#isState };
    if (!last && !(await this.#recorder.hasOlder(expiry.before)))
      return { done: this.#result(this.#recorder.counts) };
    for (;;) {
      signal.throwIfAborted();
      const row = await this.#recorder.finish({ chunk: last, expiry }, (counts) => this.#result(counts));
      if (row) return { row, counts: this.#recorder.counts };
      last = undefined;
    }
  }

  /** Undefined if nothing can have arrived. */
  #range(): Run | undefined {
    const now = this.#deps.clock.now();
    const { sequence, followed } = this.#lease.row;
    const account = this.#task.ownerId;
    if (this.#isState) {
      return { account, range: { start: this.#subject.isInventory ? now : now - day, end: now + 1 } };
    }
    // A new policy looks back one hour, not over all telemetry.
    if (followed !== followedIn(this.#subject))
      return { account, range: { start: now - hour, end: now + day } };
    const range = { start: now - day, end: now + 1 };
    const { upTo } = this.#numbers;
    return upTo > sequence ? { account, range, arrived: { after: sequence, upTo } } : undefined;
  }

  async #chunkOf(rows: readonly Row[]): Promise<Chunk> {
    const { exemptions, ownerId } = this.#task;
    const violations = rows.map((row) => new RowViolation(row, this.#subject));
    if (this.#subject.source === 'Agent') {
      const hosts = await this.#deps.hosts.of(ownerId, violations);
      for (const violation of violations) violation.host = hosts.get(hostIdOf(violation));
    }
    const matched = violations.map((violation): MatchedRow => {
      const marks = exemptions.length > 0 ? marksOf(violation) : undefined;
      const exception = marks && exemptions.find(({ matches }) => matches(marks));
      return { key: violation.key, name: violation.shownName, exceptionId: exception?.id };
    });
    return { violations, matched };
  }

  get #isState(): boolean {
    return this.#subject.streams.length === 0;
  }

  /** Violations last seen before this time expire. */
  get #expiresBefore(): number {
    return this.#isState ? this.#lease.startedAt : this.#lease.startedAt - memory;
  }

  get #pause(): number {
    const taken = this.#deps.clock.now() - this.#beganAt;
    return Math.min(Math.max(taken * pause.factor, pause.min), pause.max);
  }

  #result(counts: Counts): EvaluationResult {
    // The lease time is ahead if the clock was set back.
    const at = Math.min(this.#lease.startedAt, this.#deps.clock.now());
    return {
      sequence: this.#isState ? 0 : this.#numbers.done,
      followed: followedIn(this.#subject),
      due_at: this.#isState ? nextRun(this.#task, at) : at + this.#pause,
      counts: JSON.stringify(counts),
      basis: this.#task.basis,
    };
  }
}

/** Sequence number of the last batch in the streams of a policy; 0 without any. */
export async function lastBatch(
  telemetry: Pick<Telemetry, 'lastBatch'>,
  account: string,
  { streams }: Subject,
): Promise<number> {
  const last = await Promise.all(streams.map((path) => telemetry.lastBatch(account, path)));
  return Math.max(0, ...last);
}
