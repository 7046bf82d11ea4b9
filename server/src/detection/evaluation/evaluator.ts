import type { Alerts } from '../../alerts/alerts.ts';
import type { Violation } from '../../alerts/finding.ts';
import { type MachineTags, machineOf } from '../../alerts/machine-tags.ts';
import { marksOf } from '../../alerts/marks.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { QueryRunner, Run } from '../../querying/runner.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { ProfileReferences } from '../profiles/references.ts';
import { entitiesOf, nameOf } from './entities.ts';
import { type Done, type EvaluationRow, type Evaluations, type Lease, unread } from './evaluations.ts';
import type { Evidence } from './evidence.ts';
import { Listed } from './listed.ts';
import { keyOf, type Row, rowsOf } from './row.ts';
import type { Subject } from './subject.ts';
import type { Task } from './task.ts';
import { nextTurn } from './turn.ts';
import { type Found, type Gone, Violations } from './violations.ts';
import { titleCase, wordsOf } from './words.ts';

export interface EvaluatorParts {
  readonly store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'lastBatch'>;
  readonly runner: QueryRunner;
  readonly evaluations: Evaluations;
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
  readonly profiles: ProfileReferences;
  readonly evidence: Evidence;
  readonly machineTags: MachineTags;
  /** Told when an alert was raised and written down. */
  readonly afterAlert?: () => void;
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
  | { readonly done: Done };

const hour = 3_600_000;
const day = 24 * hour;
/** What happens on hosts and in clouds is remembered for so long, so that it is not news when it is told again. */
const remembered = 3 * day;
/** Most violations that one transaction clears or alerts of. */
const atOnce = 10_000;

/** Judges a policy once: its query, what is new about it, and the alert that tells so. */
export class Evaluator {
  readonly #parts: EvaluatorParts;

  constructor(parts: EvaluatorParts) {
    this.#parts = parts;
  }

  /**
   * May be killed anywhere and begun again. What was found is written down first; what no alert tells of then makes one,
   * in the transaction that notes which.
   */
  async judge(task: Task, lease: Lease, signal: AbortSignal): Promise<Outcome> {
    const { runner, telemetry } = this.#parts;
    const { read, subject } = task.question();
    const upTo = await lastBatch(telemetry, task.ownerId, subject);
    const counts: Counts = { violations: 0, exempt: 0, told: 0, cleared: 0 };
    const listed = new Listed<RowViolation>(task.policy.limit);
    const run = this.#runOf(task, lease, subject, upTo);
    if (run) {
      for await (const rows of rowsOf(runner.run(read, run, signal))) {
        signal.throwIfAborted();
        await this.#record(task, lease, subject, rows, listed, counts);
      }
    }
    const done = () => doneWith(task, lease, subject, upTo, counts);
    if (counts.violations === 0 && !(await this.#hasForgettable(lease, subject))) return { done: done() };
    if (subject.source === 'Agent') await this.#addTags(task, listed);
    for (;;) {
      signal.throwIfAborted();
      const row = await this.#conclude(task, lease, subject, { listed, counts, done });
      if (counts.told > 0) this.#parts.afterAlert?.();
      if (row) return { row, counts };
    }
  }

  /** Before the transaction that raises the alert, since it asks the telemetry. */
  async #addTags({ ownerId }: Task, listed: Listed<RowViolation>): Promise<void> {
    const tags = await this.#parts.machineTags.of(ownerId, listed.violations);
    for (const violation of listed.violations) violation.machineTags = tags.get(machineOf(violation));
  }

  /** Undefined when nothing can have come. */
  #runOf(
    { ownerId }: Task,
    { row }: Lease,
    { streams, isInventory }: Subject,
    upTo: number,
  ): Run | undefined {
    const now = this.#parts.clock.now();
    const account = ownerId;
    if (streams.length === 0) {
      return { account, range: { start: isInventory ? now : now - day, end: now + 1 } };
    }
    // A new policy looks back for an hour, not at all that was ever reported.
    if (row.sequence === unread) return { account, range: { start: now - hour, end: now + day } };
    const range = { start: now - day, end: now + 1 };
    return upTo > row.sequence ? { account, range, arrived: { after: row.sequence, upTo } } : undefined;
  }

  async #record(
    { policy, exemptions }: Task,
    lease: Lease,
    subject: Subject,
    rows: readonly Row[],
    listed: Listed<RowViolation>,
    counts: Counts,
  ): Promise<void> {
    const { store, evaluations } = this.#parts;
    const violations = rows.map((row) => new RowViolation(row, subject));
    const found = violations.map((violation): Found => {
      const marks = exemptions.length > 0 ? marksOf(violation) : undefined;
      const exception = marks && exemptions.find(({ matches }) => matches(marks));
      return { key: violation.key, name: violation.name, exceptionId: exception?.id };
    });
    const exempt = found.filter(({ exceptionId }) => exceptionId !== undefined).map(({ key }) => key);
    const untold = await store.housekeeping(async (tx) => {
      await evaluations.hold(tx, lease);
      const state = new Violations(tx, lease);
      await this.#clear(tx, lease, await state.toldAmong(exempt), 'excepted');
      return state.record(found);
    });
    counts.violations += found.length;
    counts.exempt += exempt.length;
    if (!policy.alertEnabled) return;
    for (const violation of violations) if (untold.has(violation.key)) listed.add(violation);
  }

  /** Whether there is something that was found before and may go. */
  async #hasForgettable(lease: Lease, subject: Subject): Promise<boolean> {
    const { owner_id, policy_id, place } = lease.row;
    const query = this.#parts.store.read
      .selectFrom('violations')
      .select('key')
      .where((is) => is.and({ owner_id, policy_id, place }))
      .where('last_at', '<', momentOf(lease, subject))
      .limit(1);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /** Undefined as long as there is more to do than one transaction takes. */
  #conclude(
    task: Task,
    lease: Lease,
    subject: Subject,
    { listed, counts, done }: { listed: Listed<RowViolation>; counts: Counts; done: () => Done },
  ): Promise<EvaluationRow | undefined> {
    const { store, evaluations } = this.#parts;
    return store.housekeeping(async (tx) => {
      await evaluations.hold(tx, lease);
      const state = new Violations(tx, lease);
      const { gone, total } = await state.forgetBefore(momentOf(lease, subject), atOnce);
      if (isState(subject)) {
        await this.#clear(tx, lease, gone, 'mended');
        counts.cleared += total;
      }
      if (total === atOnce) return undefined;
      const untold = listed.isEmpty ? undefined : await state.untold(atOnce);
      if (untold && untold.total > 0) {
        const alertId = await this.#raise(tx, task, lease, subject, listed.take(), untold.total);
        await state.tell(alertId, untold);
        counts.told += untold.total;
      }
      return untold?.total === atOnce ? undefined : evaluations.finish(tx, lease, done());
    });
  }

  async #raise(
    tx: ControlTransaction,
    { ownerId, policy }: Task,
    { startedAt }: Lease,
    subject: Subject,
    listed: readonly Violation[],
    total: number,
  ): Promise<number> {
    const { alerts, profiles, evidence } = this.#parts;
    const reference = policy.alertProfile;
    const resolved = reference ? await profiles.resolveTemplate(tx, ownerId, reference) : undefined;
    const words = wordsOf({ policy, resolved, row: listed[0]?.row ?? {}, total });
    const windowStart = Math.floor(startedAt / hour) * hour;
    const { alertId } = await alerts.raise(tx, {
      ...{ ownerId, policyId: policy.policyId, limit: policy.limit, severity: titleCase(policy.severity) },
      ...words,
      ...{ category: 'Policy', subCategory: subject.subCategory, source: subject.source },
      ...{ windowStart, listed, total },
    });
    const rows = listed.map(({ row }) => row);
    const { alertType } = words;
    await evidence.keep(tx, { ownerId, alertId, alertType, windowStart, subject, rows, total });
    return alertId;
  }

  async #clear(
    tx: ControlTransaction,
    { ownerId }: Lease,
    gone: readonly Gone[],
    because: 'mended' | 'excepted',
  ): Promise<void> {
    for (const each of gone) await this.#parts.alerts.clear(tx, { ownerId, ...each, because });
  }
}

function isState({ streams }: Subject): boolean {
  return streams.length === 0;
}

/** What was not found since then is forgotten. */
function momentOf({ startedAt }: Lease, subject: Subject): number {
  return isState(subject) ? startedAt : startedAt - remembered;
}

function doneWith(task: Task, { startedAt }: Lease, subject: Subject, upTo: number, counts: Counts): Done {
  return {
    sequence: isState(subject) ? 0 : upTo,
    due_at: isState(subject) ? nextTurn(task, startedAt) : startedAt,
    counts: JSON.stringify(counts),
    basis: task.basis,
  };
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
  machineTags: Violation['machineTags'];
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

  get entities(): Violation['entities'] {
    this.#entities ??= entitiesOf(this.row, this.#subject);
    return this.#entities;
  }
}
