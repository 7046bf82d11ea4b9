import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { type Circumstances, Entry } from './entry.ts';
import { type EvaluationRow, type Evaluations, LeaseLost, unread } from './evaluations.ts';
import { type Evaluator, lastBatch } from './evaluator.ts';
import type { Evidence } from './evidence.ts';
import type { Plan } from './plan.ts';
import type { Subject } from './subject.ts';
import type { Task } from './task.ts';

export interface SchedulerParts {
  readonly store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly plan: Plan;
  readonly evaluations: Evaluations;
  readonly evaluator: Evaluator;
  readonly evidence: Evidence;
  /** Milliseconds that one evaluation may take. */
  readonly timeout: number;
}

/** Searches of people go first. */
const mostRunning = 2;
/** So that what arrives never waits for two long judgements of states. */
const mostStates = 1;
/** After so long the rows are read again, which other nodes may have changed. */
const freshFor = 60_000;

/** Sees to it that every policy is judged in time, one or two at once. */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #entries = new Map<string, Entry>();
  #tasks: readonly Task[] | undefined;
  #readAt = -Infinity;
  #isOpened = false;
  #arrivals: ReadonlyMap<string, number> = new Map();
  /** Milliseconds that the last one took. */
  #lastDuration: number | undefined;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Looks for what is due and has it judged, without waiting for that. */
  async tick(): Promise<void> {
    const { clock, plan, telemetry } = this.#parts;
    const news = await plan.news();
    if (news || clock.now() - this.#readAt >= freshFor) {
      this.#tasks = news ?? this.#tasks ?? [];
      await this.#reconcile(this.#tasks);
      await this.#storeEvidence();
    }
    this.#isOpened = await telemetry.isOpened();
    if (this.#isOpened) {
      await this.#readArrivals();
      this.#start();
    } else {
      for (const entry of this.#entries.values()) if (entry.row.sequence > 0) await this.#setBack(entry, 0);
    }
  }

  /** Resolves when nothing is judged any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Gives up what runs; the next start begins it again. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The service stops.'));
    await this.settled();
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  get circumstances(): Circumstances {
    return {
      now: this.#parts.clock.now(),
      isOpened: this.#isOpened,
      lastBatch: (account, { streams }) =>
        Math.max(0, ...streams.map((path) => this.#arrivals.get(`${account} ${path}`) ?? 0)),
      resourceChanges: (account) => this.#parts.telemetry.resourceChanges(account),
    };
  }

  /** For monitors; it tells nothing about accounts. */
  get gauges() {
    const { entries, circumstances } = this;
    return {
      policies: entries.length,
      overdue: entries.filter((entry) => entry.isOverdue(circumstances)).length,
      failing: entries.filter(({ row }) => row.failures > 0).length,
      running: entries.filter(({ isRunning }) => isRunning).length,
      lastSeconds: (this.#lastDuration ?? 0) / 1_000,
    };
  }

  /** Gives each task a row, and takes the rows of others away. */
  async #reconcile(tasks: readonly Task[]): Promise<void> {
    const { evaluations, clock } = this.#parts;
    const wanted = new Map(tasks.map((task) => [keyOf(task.ownerId, task.policy.policyId), task]));
    let rows = await evaluations.all();
    const surplus = rows.filter((row) => !wanted.has(keyOf(row.owner_id, row.policy_id)));
    const present = new Set(rows.map((row) => keyOf(row.owner_id, row.policy_id)));
    const missing = [...wanted].flatMap(([key, task]) => (present.has(key) ? [] : [task]));
    if (surplus.length > 0) {
      await evaluations.remove(surplus.map((row) => ({ ownerId: row.owner_id, policyId: row.policy_id })));
    }
    if (missing.length > 0) {
      await evaluations.add(await Promise.all(missing.map((task) => this.#begun(task))));
    }
    if (surplus.length + missing.length > 0) rows = await evaluations.all();
    const before = this.#entries;
    this.#entries = new Map();
    for (const row of rows) {
      const key = keyOf(row.owner_id, row.policy_id);
      const task = wanted.get(key);
      if (!task) continue;
      const entry = before.get(key) ?? new Entry(task, row);
      entry.renew(task, entry.isRunning ? entry.row : row);
      this.#entries.set(key, entry);
    }
    this.#readAt = clock.now();
  }

  /** What is there already was there before the policy; what comes to an empty place is all news. */
  async #begun(task: Task) {
    const { telemetry } = this.#parts;
    const { ownerId, policy } = task;
    const begun = { ownerId, policyId: policy.policyId };
    if (!(await telemetry.isOpened())) return { ...begun, sequence: 0 };
    const subject = subjectOf(task);
    const last = subject ? await lastBatch(telemetry, ownerId, subject) : 0;
    return { ...begun, sequence: last > 0 ? unread : 0 };
  }

  async #readArrivals(): Promise<void> {
    const { telemetry } = this.#parts;
    const arrivals = new Map<string, number>();
    for (const { task, subject } of this.#entries.values()) {
      for (const path of subject?.streams ?? []) {
        const key = `${task.ownerId} ${path}`;
        if (!arrivals.has(key)) arrivals.set(key, await telemetry.lastBatch(task.ownerId, path));
      }
    }
    this.#arrivals = arrivals;
    const { circumstances } = this;
    for (const entry of this.#entries.values()) {
      const { subject, row } = entry;
      if (!entry.isStream || !subject || entry.isRunning) continue;
      const last = circumstances.lastBatch(row.owner_id, subject);
      // Days that went took its last batch along, or other records were put in place of those that it had judged.
      if (row.sequence > last) await this.#setBack(entry, last);
    }
  }

  async #setBack(entry: Entry, sequence: number): Promise<void> {
    const { owner_id, policy_id, place } = entry.row;
    await this.#parts.store.housekeeping((tx) =>
      tx
        .updateTable('evaluations')
        .set({ sequence })
        .where((is) => is.and({ owner_id, policy_id, place }))
        .execute(),
    );
    entry.row = { ...entry.row, sequence };
  }

  #start(): void {
    while (this.#running.size < mostRunning && !this.#stopping.signal.aborted) {
      const entry = this.#next();
      if (!entry) return;
      entry.begin(this.circumstances);
      const work = this.#judge(entry).finally(() => {
        entry.isRunning = false;
        this.#running.delete(work);
        this.#start();
      });
      this.#running.add(work);
    }
  }

  /** Of what is due, first what arrives, then what has waited longest. */
  #next(): Entry | undefined {
    const { circumstances } = this;
    const all = [...this.#entries.values()];
    const states = all.filter((entry) => entry.isRunning && !entry.isStream).length;
    let best: { readonly entry: Entry; readonly since: number } | undefined;
    for (const entry of all) {
      if (!entry.isStream && (states >= mostStates || best?.entry.isStream)) continue;
      const since = entry.dueSince(circumstances);
      if (since === undefined) continue;
      if (!best || (entry.isStream && !best.entry.isStream) || since < best.since) best = { entry, since };
    }
    return best?.entry;
  }

  async #judge(entry: Entry): Promise<void> {
    const { log } = this.#parts;
    try {
      await this.#judgeLeased(entry);
    } catch (error) {
      // The control store does not answer: the lease runs out, and then it is tried again.
      log.error({ policy: entry.row.policy_id, error: String(error) }, 'an evaluation was lost');
      entry.row = { ...entry.row, leased_until: this.#parts.clock.now() + freshFor };
    }
  }

  async #judgeLeased(entry: Entry): Promise<void> {
    const { evaluations, evaluator, timeout } = this.#parts;
    const { task } = entry;
    const lease = await evaluations.lease(entry.row);
    if (!lease) return this.#reread(entry);
    const began = performance.now();
    const time = new AbortController();
    const late = new Refusal('UNAVAILABLE', `It took longer than ${timeout / 1_000} seconds.`);
    const timer = setTimeout(() => time.abort(late), timeout);
    try {
      const signal = AbortSignal.any([time.signal, this.#stopping.signal]);
      const { row, counts } = await evaluator.judge(task, lease, signal);
      entry.row = row;
      this.#lastDuration = performance.now() - began;
      if (counts.told > 0) await this.#storeEvidence();
    } catch (error) {
      if (error instanceof LeaseLost) return this.#reread(entry);
      if (this.#stopping.signal.aborted) await evaluations.abandon(lease);
      else this.#report(entry, await evaluations.fail(lease, task.basis, problemOf(error, time.signal)));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Says it once, however often the same thing fails. */
  #report(entry: Entry, row: EvaluationRow | undefined): void {
    if (!row) return;
    const { owner_id: account, policy_id: policy, problem } = row;
    if (problem !== entry.row.problem)
      this.#parts.log.warn({ account, policy, problem }, 'a policy can not be judged');
    entry.row = row;
  }

  async #reread(entry: Entry): Promise<void> {
    const rows = await this.#parts.evaluations.all();
    const { owner_id, policy_id } = entry.row;
    const row = rows.find((other) => other.owner_id === owner_id && other.policy_id === policy_id);
    if (row) entry.row = row;
    else this.#entries.delete(keyOf(owner_id, policy_id));
  }

  async #storeEvidence(): Promise<void> {
    const { evidence, log } = this.#parts;
    await evidence.store().catch((error: unknown) => {
      log.error({ error: String(error) }, 'the evidence of an alert waits to be stored');
    });
  }
}

function keyOf(ownerId: string, policyId: string): string {
  return `${ownerId} ${policyId}`;
}

function subjectOf(task: Task): Subject | undefined {
  try {
    return task.question().subject;
  } catch {
    return undefined;
  }
}

function problemOf(error: unknown, late: AbortSignal): string {
  if (late.aborted) return (late.reason as Error).message;
  return error instanceof Error ? error.message : String(error);
}
