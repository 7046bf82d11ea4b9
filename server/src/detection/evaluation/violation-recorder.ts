import type { Alerts } from '../../alerts/alerts.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { ProfileReferences } from '../profiles/references.ts';
import { summaryOf } from '../summary/summary.ts';
import { alertTextOf, initialAlertText, initialPolicyId, titleCase } from './alert-text.ts';
import type { EvaluationResult, EvaluationRow, Evaluations, Lease } from './evaluations.ts';
import { eventTimeOf } from './event-time.ts';
import type { Evidence } from './evidence.ts';
import { ListedViolations } from './listed-violations.ts';
import type { RowViolation } from './row-violation.ts';
import type { Subject } from './subject.ts';
import type { Task } from './task.ts';
import { type ClearedViolation, type MatchedRow, Violations } from './violations.ts';

export interface RecorderDeps {
  readonly store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly evaluations: Evaluations;
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
  readonly profiles: ProfileReferences;
  readonly evidence: Evidence;
}

export interface Counts {
  violations: number;
  exempt: number;
  /** Violations in an alert. */
  told: number;
  cleared: number;
}

/** A batch of matched rows, ready to be stored. */
export interface Chunk {
  readonly violations: readonly RowViolation[];
  readonly matched: readonly MatchedRow[];
  /** Keys of violations that are resolved. */
  readonly resolved?: readonly string[];
}

/** How an evaluation ends. */
interface Finish {
  readonly chunk?: Chunk | undefined;
  /** Violations last seen before this time expire. */
  readonly expiry?: { readonly before: number; readonly isResolved: boolean } | undefined;
  /** Whether all its violations were there when their cloud accounts were evaluated for the first time. */
  readonly isInitial?: boolean;
}

/** Maximum number of violations that one transaction clears or alerts on. */
const batchSize = 10_000;
const hour = 3_600_000;

/**
 * Records the violations of one evaluation. They are stored first; those without an alert are then raised in the
 * transaction that links them to it. Transactions may be retried, so fields only change after a commit.
 */
export class ViolationRecorder {
  readonly #deps: RecorderDeps;
  readonly #task: Task;
  readonly #lease: Lease;
  readonly #subject: Subject;
  readonly #repeatsAfter: number;
  #counts: Counts = { violations: 0, exempt: 0, told: 0, cleared: 0 };
  #listed: ListedViolations;

  /** Violations last seen before `repeatsAfter` count as new even if they are still stored. */
  constructor(deps: RecorderDeps, task: Task, lease: Lease, subject: Subject, repeatsAfter: number) {
    this.#deps = deps;
    this.#task = task;
    this.#lease = lease;
    this.#subject = subject;
    this.#repeatsAfter = repeatsAfter;
    this.#listed = new ListedViolations(task.policy.limit);
  }

  get counts(): Readonly<Counts> {
    return this.#counts;
  }

  async record(chunk: Chunk): Promise<void> {
    const { store, evaluations } = this.#deps;
    const { counts, listed } = await store.housekeeping(async (tx) => {
      await evaluations.hold(tx, this.#lease);
      return this.#write(tx, chunk);
    });
    this.#counts = counts;
    this.#listed = listed;
  }

  /** Whether there are violations last seen before the time. */
  async hasOlder(than: number): Promise<boolean> {
    const { owner_id, policy_id, place } = this.#lease.row;
    const query = this.#deps.store.read
      .selectFrom('violations')
      .select('key')
      .where((is) => is.and({ owner_id, policy_id, place }))
      .where('last_at', '<', than)
      .limit(1);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /** Stores the last chunk, expires violations and raises the alert; undefined if more than one transaction is needed. */
  async finish(
    { chunk, expiry, isInitial = false }: Finish,
    resultOf: (counts: Readonly<Counts>) => EvaluationResult,
  ): Promise<EvaluationRow | undefined> {
    const { store, evaluations } = this.#deps;
    const { row, counts, listed } = await store.housekeeping(async (tx) => {
      await evaluations.hold(tx, this.#lease);
      const { counts, listed } = await this.#write(tx, chunk);
      const state = new Violations(tx, this.#lease);
      if (expiry) {
        const { cleared, total } = await state.deleteBefore(expiry.before, batchSize);
        if (expiry.isResolved) {
          await this.#clear(tx, cleared, 'resolved');
          counts.cleared += total;
        }
        if (total === batchSize) return { row: undefined, counts, listed };
      }
      const unalerted = listed.isEmpty ? undefined : await state.unalerted(batchSize);
      if (unalerted && unalerted.total > 0) {
        await state.linkToAlert(await this.#raise(tx, listed, unalerted.total, isInitial), unalerted);
        counts.told += unalerted.total;
      }
      if (unalerted?.total === batchSize) return { row: undefined, counts, listed };
      return { row: await evaluations.finish(tx, this.#lease, resultOf(counts)), counts, listed };
    });
    this.#counts = counts;
    this.#listed = listed;
    return row;
  }

  async #write(
    tx: ControlTransaction,
    chunk: Chunk | undefined,
  ): Promise<{ counts: Counts; listed: ListedViolations }> {
    const { violations, matched, resolved = [] } = chunk ?? { violations: [], matched: [] };
    const counts = { ...this.#counts };
    const listed = this.#listed.copy();
    const state = new Violations(tx, this.#lease);
    if (matched.length > 0) {
      const exempt = matched.flatMap(({ key, exceptionId }) => (exceptionId === undefined ? [] : [key]));
      await this.#clear(tx, await state.alertedAmong(exempt), 'excepted');
      const unalerted = await state.record(matched, this.#repeatsAfter);
      counts.violations += matched.length;
      counts.exempt += exempt.length;
      if (this.#task.policy.alertEnabled)
        for (const violation of violations)
          if (unalerted.has(violation.key)) listed.add(violation, eventTimeOf(violation.row));
    }
    if (resolved.length > 0) {
      const { cleared, total } = await state.delete(resolved);
      await this.#clear(tx, cleared, 'resolved');
      counts.cleared += total;
    }
    return { counts, listed };
  }

  async #raise(
    tx: ControlTransaction,
    violations: ListedViolations,
    total: number,
    isInitial: boolean,
  ): Promise<number> {
    const { listed, ...eventTimes } = violations.take();
    const { alerts, profiles, evidence } = this.#deps;
    const { ownerId, policy } = this.#task;
    const subject = this.#subject;
    const reference = policy.alertProfile;
    const resolved = reference ? await profiles.resolveTemplate(tx, ownerId, reference) : undefined;
    const { row = {}, hostname, shownName = '', key } = listed[0] ?? {};
    const summary = summaryOf({ row, subject, hostname, name: shownName === key ? '' : shownName });
    const text = isInitial
      ? initialAlertText(policy)
      : alertTextOf({ policy, resolved, row, summary, total });
    const policyId = isInitial ? initialPolicyId(policy) : policy.policyId;
    const windowStart = Math.floor(this.#lease.startedAt / hour) * hour;
    const { alertId, added } = await alerts.raise(tx, {
      ...{ ownerId, policyId, limit: policy.limit, severity: titleCase(policy.severity) },
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
}
