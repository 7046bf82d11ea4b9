import type { Alerts } from '../../alerts/alerts.ts';
import type { Violation } from '../../alerts/finding.ts';
import { type Host, type Hosts, hostIdOf } from '../../alerts/hosts.ts';
import { marksOf } from '../../alerts/marks.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadQuery } from '../../querying/read-query.ts';
import type { QueryRunner, Run } from '../../querying/runner.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { ProfileReferences } from '../profiles/references.ts';
import { summaryOf } from '../summary/summary.ts';
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
import { titleCase, wordsOf } from './words.ts';

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

/** What an evaluation found, in numbers. */
export interface Counts {
  violations: number;
  exempt: number;
  /** Of which an alert was raised. */
  told: number;
  cleared: number;
}

/** What became of an evaluation: all of it is written down, or nothing but that it is done is left to write. */
export type Outcome =
  | { readonly row: EvaluationRow; readonly counts: Readonly<Counts>; readonly done?: never }
  | { readonly done: EvaluationResult };

const hour = 3_600_000;
const day = 24 * hour;
/** What happens on hosts and in clouds is remembered for so long, so that it is not news when it is told again. */
const remembered = 3 * day;
/**
 * Milliseconds between two evaluations of a stream that never rests: a hundred times what the last one took, within these
 * bounds. The first batch after a rest is evaluated at once, and a backfill is not slowed down by its own evaluations.
 */
const pause = { factor: 100, least: 500, most: 10_000 };
/** Clocks of nodes differ by less: one decides about a policy, another receives what it follows. */
const clockTolerance = 10_000;
/** Most violations that one transaction clears or alerts of. */
const atOnce = 10_000;

/** Judges a policy once: its query, what is new about it, and the alert that tells so. */
export class Evaluator {
  readonly #deps: EvaluatorDeps;

  constructor(deps: EvaluatorDeps) {
    this.#deps = deps;
  }

  /** May be killed anywhere and begun again. */
  async evaluate(task: Task, lease: Lease, signal: AbortSignal): Promise<Outcome> {
    const { read, subject } = task.question();
    const upTo = await lastBatch(this.#deps.telemetry, task.ownerId, subject);
    const isFollowing = lease.row.followed === followedIn(subject);
    const done = isFollowing ? upTo : Math.min(upTo, await this.#lastUndecided(task, upTo));
    return new Evaluation(this.#deps, task, lease, subject, { upTo, done }).run(read, signal);
  }

  /**
   * A policy that is new somewhere looks back by the time of records. What arrived since it was decided is judged by its
   * number all the same, next: some of it may be about any time.
   */
  async #lastUndecided({ ownerId, decidedAt }: Task, upTo: number): Promise<number> {
    if (decidedAt === undefined) return upTo;
    const first = await this.#deps.telemetry.firstBatchSince(ownerId, decidedAt - clockTolerance);
    return first === undefined ? upTo : first - 1;
  }
}

/** Numbers of batches: the last that is there, and the last that needs no further evaluation after this one. */
interface Numbers {
  readonly upTo: number;
  readonly done: number;
}

/** Some of what was found, ready to be written down. */
interface Chunk {
  readonly violations: readonly RowViolation[];
  readonly found: readonly MatchedRow[];
  readonly exempt: readonly string[];
}

/**
 * One evaluation. What was found is written down first; what no alert tells of then makes one, in the transaction that
 * notes which. Transactions may be tried twice, so only what was committed is remembered here.
 */
class Evaluation {
  readonly #deps: EvaluatorDeps;
  readonly #task: Task;
  readonly #lease: Lease;
  readonly #subject: Subject;
  readonly #numbers: Numbers;
  #counts: Counts = { violations: 0, exempt: 0, told: 0, cleared: 0 };
  #listed: ListedViolations;
  readonly #beganAt: number;

  constructor(deps: EvaluatorDeps, task: Task, lease: Lease, subject: Subject, numbers: Numbers) {
    this.#deps = deps;
    this.#task = task;
    this.#lease = lease;
    this.#subject = subject;
    this.#numbers = numbers;
    this.#listed = new ListedViolations(task.policy.limit);
    this.#beganAt = deps.clock.now();
  }

  async run(read: ReadQuery, signal: AbortSignal): Promise<Outcome> {
    const run = this.#range();
    let last: Chunk | undefined;
    if (run) {
      for await (const rows of rowsOf(this.#deps.runner.run(read, run, signal))) {
        signal.throwIfAborted();
        if (last) await this.#record(last);
        last = await this.#chunkOf(rows);
      }
    }
    if (!last && !(await this.#hasForgettable())) return { done: this.#done(this.#counts) };
    for (;;) {
      signal.throwIfAborted();
      const row = await this.#conclude(last);
      if (row) return { row, counts: this.#counts };
      last = undefined;
    }
  }

  /** Undefined when nothing can have come. */
  #range(): Run | undefined {
    const now = this.#deps.clock.now();
    const { sequence, followed } = this.#lease.row;
    const account = this.#task.ownerId;
    if (this.#isState) {
      return { account, range: { start: this.#subject.isInventory ? now : now - day, end: now + 1 } };
    }
    // Where it is new the policy looks back for an hour, not at all that was ever reported.
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
    const found = violations.map((violation): MatchedRow => {
      const marks = exemptions.length > 0 ? marksOf(violation) : undefined;
      const exception = marks && exemptions.find(({ matches }) => matches(marks));
      return { key: violation.key, name: violation.shownName, exceptionId: exception?.id };
    });
    const exempt = found.flatMap(({ key, exceptionId }) => (exceptionId === undefined ? [] : [key]));
    return { violations, found, exempt };
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
    const { violations, found, exempt } = chunk ?? { violations: [], found: [], exempt: [] };
    const counts = { ...this.#counts };
    const listed = this.#listed.copy();
    if (found.length > 0) {
      const state = new Violations(tx, this.#lease);
      await this.#clear(tx, await state.alertedAmong(exempt), 'excepted');
      const unalerted = await state.record(found, this.#isState ? 0 : this.#forgottenBefore);
      counts.violations += found.length;
      counts.exempt += exempt.length;
      if (this.#task.policy.alertEnabled)
        for (const violation of violations)
          if (unalerted.has(violation.key)) listed.add(violation, eventTimeOf(violation.row));
    }
    return { counts, listed };
  }

  /** Whether there is something that was found before and may go. */
  async #hasForgettable(): Promise<boolean> {
    const { owner_id, policy_id, place } = this.#lease.row;
    const query = this.#deps.store.read
      .selectFrom('violations')
      .select('key')
      .where((is) => is.and({ owner_id, policy_id, place }))
      .where('last_at', '<', this.#forgottenBefore)
      .limit(1);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /** The last of what was found and all that follows; undefined as long as that is more than one transaction takes. */
  async #conclude(chunk: Chunk | undefined): Promise<EvaluationRow | undefined> {
    const { store, evaluations } = this.#deps;
    const { row, counts, listed } = await store.housekeeping(async (tx) => {
      await evaluations.hold(tx, this.#lease);
      const { counts, listed } = await this.#write(tx, chunk);
      const state = new Violations(tx, this.#lease);
      const { gone, total } = await state.forgetBefore(this.#forgottenBefore, atOnce);
      if (this.#isState) {
        await this.#clear(tx, gone, 'mended');
        counts.cleared += total;
      }
      if (total === atOnce) return { row: undefined, counts, listed };
      const unalerted = listed.isEmpty ? undefined : await state.unalerted(atOnce);
      if (unalerted && unalerted.total > 0) {
        await state.tell(await this.#raise(tx, listed, unalerted.total), unalerted);
        counts.told += unalerted.total;
      }
      if (unalerted?.total === atOnce) return { row: undefined, counts, listed };
      return { row: await evaluations.finish(tx, this.#lease, this.#done(counts)), counts, listed };
    });
    this.#counts = counts;
    this.#listed = listed;
    return row;
  }

  async #raise(tx: ControlTransaction, found: ListedViolations, total: number): Promise<number> {
    const { listed, ...eventTimes } = found.take();
    const { alerts, profiles, evidence } = this.#deps;
    const { ownerId, policy } = this.#task;
    const subject = this.#subject;
    const reference = policy.alertProfile;
    const resolved = reference ? await profiles.resolveTemplate(tx, ownerId, reference) : undefined;
    const { row = {}, hostname, shownName = '', key } = listed[0] ?? {};
    const summary = summaryOf({ row, subject, hostname, name: shownName === key ? '' : shownName });
    const words = wordsOf({ policy, resolved, row, summary, total });
    const windowStart = Math.floor(this.#lease.startedAt / hour) * hour;
    const { alertId, added } = await alerts.raise(tx, {
      ...{ ownerId, policyId: policy.policyId, limit: policy.limit, severity: titleCase(policy.severity) },
      ...words,
      ...{ category: 'Policy', subCategory: subject.subCategory, source: subject.source },
      ...{ windowStart, listed, total, ...eventTimes },
    });
    const rows = listed.slice(0, added).map(({ row }) => row);
    const { alertType } = words;
    await evidence.keep(tx, { ownerId, alertId, alertType, windowStart, subject, rows, total });
    return alertId;
  }

  async #clear(
    tx: ControlTransaction,
    gone: readonly ClearedViolation[],
    because: 'mended' | 'excepted',
  ): Promise<void> {
    const { ownerId } = this.#lease;
    for (const each of gone) await this.#deps.alerts.clear(tx, { ownerId, ...each, because });
  }

  get #isState(): boolean {
    return this.#subject.streams.length === 0;
  }

  /** What was not found since then. */
  get #forgottenBefore(): number {
    return this.#isState ? this.#lease.startedAt : this.#lease.startedAt - remembered;
  }

  get #pause(): number {
    const taken = this.#deps.clock.now() - this.#beganAt;
    return Math.min(Math.max(taken * pause.factor, pause.least), pause.most);
  }

  #done(counts: Counts): EvaluationResult {
    // Of a clock that was set back the lease is ahead.
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

/** The number of the last batch of what a policy follows; 0 when it follows nothing. */
export async function lastBatch(
  telemetry: Pick<Telemetry, 'lastBatch'>,
  account: string,
  { streams }: Subject,
): Promise<number> {
  const last = await Promise.all(streams.map((path) => telemetry.lastBatch(account, path)));
  return Math.max(0, ...last);
}

/** What it is about is only worked out where somebody wants to know. */
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
    // What the row itself says counts.
    return this.row.TAGS === undefined ? this.host?.tags : undefined;
  }

  get entities(): Violation['entities'] {
    this.#entities ??= entitiesOf(this.row, this.#subject);
    return this.#entities;
  }
}
