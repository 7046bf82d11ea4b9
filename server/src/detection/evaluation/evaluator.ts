import type { Alerts } from '../../alerts/alerts.ts';
import type { Violation } from '../../alerts/finding.ts';
import { type Host, type Hosts, hostIdOf } from '../../alerts/hosts.ts';
import { marksOf } from '../../alerts/marks.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ParsedQuery } from '../../querying/read-query.ts';
import type { QueryRunner, Run } from '../../querying/runner.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { ProfileReferences } from '../profiles/references.ts';
import { summaryOf } from '../summary/summary.ts';
import { alertTextOf, titleCase } from './alert-text.ts';
import { entitiesOf, hostnameIn, nameOf, shownNameOf } from './entities.ts';
import type { EvaluationResult, EvaluationRow, Evaluations, Lease } from './evaluations.ts';
import { eventTimeOf } from './event-time.ts';
import type { Evidence } from './evidence.ts';
import { ListedViolations } from './listed-violations.ts';
import { keyOf, type Row, rowsOf } from './row.ts';
import { nextRun } from './schedule.ts';
import { followedIn, type Subject } from './subject.ts';
import type { Task } from './task.ts';
import { type ClearedViolation, type MatchedRow, Violations } from './violations.ts';

export interface EvaluatorDeps {
  readonly store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'lastBatch' | 'firstBatchSince'>;
  readonly runner: QueryRunner;
  readonly evaluations: Evaluations;
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
  readonly profiles: ProfileReferences;
  readonly evidence: Evidence;
  readonly hosts: Hosts;
}

export interface Counts {
  violations: number;
  exempt: number;
  /** Violations in an alert. */
  told: number;
  cleared: number;
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
/** Maximum number of violations that one transaction clears or alerts on. */
const batchSize = 10_000;

/** Evaluates a policy: runs its query, records the violations and raises the alert. */
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

/** A batch of matched rows, ready to be stored. */
interface Chunk {
  readonly violations: readonly RowViolation[];
  readonly matched: readonly MatchedRow[];
  readonly exempt: readonly string[];
}

/**
 * One evaluation. Violations are stored first; those without an alert are then raised in the transaction that links
 * them to it. Transactions may be retried, so fields only change after a commit.
 */
class Evaluation {
  readonly #deps: EvaluatorDeps;
  readonly #task: Task;
  readonly #lease: Lease;
  readonly #subject: Subject;
  readonly #numbers: BatchNumbers;
  #counts: Counts = { violations: 0, exempt: 0, told: 0, cleared: 0 };
  #listed: ListedViolations;
  readonly #beganAt: number;

  constructor(deps: EvaluatorDeps, task: Task, lease: Lease, subject: Subject, numbers: BatchNumbers) {
    this.#deps = deps;
    this.#task = task;
    this.#lease = lease;
    this.#subject = subject;
    this.#numbers = numbers;
    this.#listed = new ListedViolations(task.policy.limit);
    this.#beganAt = deps.clock.now();
  }

  async run(read: ParsedQuery, signal: AbortSignal): Promise<Outcome> {
    const run = this.#range();
    let last: Chunk | undefined;
    if (run) {
      for await (const rows of rowsOf(this.#deps.runner.run(read, run, signal))) {
        signal.throwIfAborted();
        if (last) await this.#record(last);
        last = await this.#chunkOf(rows);
      }
    }
    if (!last && !(await this.#hasExpired())) return { done: this.#result(this.#counts) };
    for (;;) {
      signal.throwIfAborted();
      const row = await this.#finish(last);
      if (row) return { row, counts: this.#counts };
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
    const exempt = matched.flatMap(({ key, exceptionId }) => (exceptionId === undefined ? [] : [key]));
    return { violations, matched, exempt };
  }

  async #record(chunk: Chunk): Promise<void> {
    const { store, evaluations } = this.#deps;
    const { counts, listed } = await store.housekeeping(async (tx) => {
      await evaluations.hold(tx, this.#lease);
      return this.#write(tx, chunk);
    });
    this.#counts = counts;
    this.#listed = listed;
  }

  async #write(
    tx: ControlTransaction,
    chunk: Chunk | undefined,
  ): Promise<{ counts: Counts; listed: ListedViolations }> {
    const { violations, matched, exempt } = chunk ?? { violations: [], matched: [], exempt: [] };
    const counts = { ...this.#counts };
    const listed = this.#listed.copy();
    if (matched.length > 0) {
      const state = new Violations(tx, this.#lease);
      await this.#clear(tx, await state.alertedAmong(exempt), 'excepted');
      const unalerted = await state.record(matched, this.#isState ? 0 : this.#expiresBefore);
      counts.violations += matched.length;
      counts.exempt += exempt.length;
      if (this.#task.policy.alertEnabled)
        for (const violation of violations)
          if (unalerted.has(violation.key)) listed.add(violation, eventTimeOf(violation.row));
    }
    return { counts, listed };
  }

  /** Whether there are violations to expire. */
  async #hasExpired(): Promise<boolean> {
    const { owner_id, policy_id, place } = this.#lease.row;
    const query = this.#deps.store.read
      .selectFrom('violations')
      .select('key')
      .where((is) => is.and({ owner_id, policy_id, place }))
      .where('last_at', '<', this.#expiresBefore)
      .limit(1);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /**
   * Stores the last chunk, expires violations and raises the alert; undefined if more than one transaction is needed.
   */
  async #finish(chunk: Chunk | undefined): Promise<EvaluationRow | undefined> {
    const { store, evaluations } = this.#deps;
    const { row, counts, listed } = await store.housekeeping(async (tx) => {
      await evaluations.hold(tx, this.#lease);
      const { counts, listed } = await this.#write(tx, chunk);
      const state = new Violations(tx, this.#lease);
      const { cleared, total } = await state.deleteBefore(this.#expiresBefore, batchSize);
      if (this.#isState) {
        await this.#clear(tx, cleared, 'resolved');
        counts.cleared += total;
      }
      if (total === batchSize) return { row: undefined, counts, listed };
      const unalerted = listed.isEmpty ? undefined : await state.unalerted(batchSize);
      if (unalerted && unalerted.total > 0) {
        await state.linkToAlert(await this.#raise(tx, listed, unalerted.total), unalerted);
        counts.told += unalerted.total;
      }
      if (unalerted?.total === batchSize) return { row: undefined, counts, listed };
      return { row: await evaluations.finish(tx, this.#lease, this.#result(counts)), counts, listed };
    });
    this.#counts = counts;
    this.#listed = listed;
    return row;
  }

  async #raise(tx: ControlTransaction, violations: ListedViolations, total: number): Promise<number> {
    const { listed, ...eventTimes } = violations.take();
    const { alerts, profiles, evidence } = this.#deps;
    const { ownerId, policy } = this.#task;
    const subject = this.#subject;
    const reference = policy.alertProfile;
    const resolved = reference ? await profiles.resolveTemplate(tx, ownerId, reference) : undefined;
    const { row = {}, hostname, shownName = '', key } = listed[0] ?? {};
    const summary = summaryOf({ row, subject, hostname, name: shownName === key ? '' : shownName });
    const text = alertTextOf({ policy, resolved, row, summary, total });
    const windowStart = Math.floor(this.#lease.startedAt / hour) * hour;
    const { alertId, added } = await alerts.raise(tx, {
      ...{ ownerId, policyId: policy.policyId, limit: policy.limit, severity: titleCase(policy.severity) },
      ...text,
      ...{ category: 'Policy', subCategory: subject.subCategory, source: subject.source },
      ...{ windowStart, listed, total, ...eventTimes },
    });
    const rows = listed.slice(0, added).map(({ row }) => row);
    const { alertType } = text;
    await evidence.keep(tx, { ownerId, alertId, alertType, windowStart, subject, rows, total });
    return alertId;
  }

  async #clear(
    tx: ControlTransaction,
    cleared: readonly ClearedViolation[],
    because: 'resolved' | 'excepted',
  ): Promise<void> {
    const { ownerId } = this.#lease;
    for (const each of cleared) await this.#deps.alerts.clear(tx, { ownerId, ...each, because });
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

/** Computes names and entities lazily: most violations are already in an alert. */
class RowViolation implements Violation {
  readonly key: string;
  readonly row: Row;
  host: Host | undefined;
  readonly #subject: Subject;
  #entities: Violation['entities'] | undefined;

  constructor(row: Row, subject: Subject) {
    this.row = row;
    this.key = keyOf(row, subject);
    this.#subject = subject;
  }

  get name(): string {
    return nameOf(this.row, this.#subject, this.key);
  }

  get shownName(): string {
    return shownNameOf(this.row, this.#subject, this.key, this.hostname);
  }

  get hostname(): string | undefined {
    return this.host?.name ?? hostnameIn(this.row, this.#subject);
  }

  get machineTags(): Violation['machineTags'] {
    // Tags in the row take precedence.
    return this.row.TAGS === undefined ? this.host?.tags : undefined;
  }

  get entities(): Violation['entities'] {
    this.#entities ??= entitiesOf(this.row, this.#subject);
    return this.#entities;
  }
}
