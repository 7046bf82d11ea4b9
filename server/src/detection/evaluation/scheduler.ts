import type { ControlStore } from '../../control/store.ts';
import { StoreUnavailable } from '../../control/store-failure.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { type Circumstances, Entry } from './entry.ts';
import { EvaluationQueue } from './evaluation-queue.ts';
import type { Evaluations, Lease } from './evaluations.ts';
import { type Evaluator, lastBatch } from './evaluator.ts';
import type { Evidence } from './evidence.ts';
import type { Plan } from './plan.ts';
import { followedIn, type Subject } from './subject.ts';
import type { Task } from './task.ts';
import { Worker } from './worker.ts';

export interface SchedulerDeps {
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
  /** Called when an alert was raised or joined, for those who send it. */
  told?(): void;
}

/** Batches of an account that wait to be stored when it sends faster than they are. */
const backlog = 8;
/** After so long the rows are read again, which other nodes may have changed. */
const freshFor = 60_000;
/** An account without any rows is new for so long; of an older one the rows were lost, and it looks back like a new policy. */
const newFor = 86_400_000;

/** Sees to it that every policy is judged in time, a few at once. */
export class Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #worker: Worker;
  readonly #turns = new EvaluationQueue();
  #isLeasing = false;
  #entries = new Map<string, Entry>();
  #tasks: readonly Task[] | undefined;
  #readAt = -Infinity;
  #isOpened = false;
  /** Why the last work failed, unless leases were taken since. */
  #problem: string | undefined;
  #arrivals: ReadonlyMap<string, number> = new Map();
  #backlogged: ReadonlySet<string> = new Set();

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
    const told = () => {
      deps.told?.();
      this.#run(this.#storeEvidence());
    };
    this.#worker = new Worker({ ...deps, told });
  }

  /** Before the first tick of the process that a place belongs to. */
  async takeOver(): Promise<void> {
    const { evaluations, log } = this.#deps;
    await evaluations.takeOver().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable && error.isDiskFull)) throw error;
      log.warn(
        'leases of the previous process are not ended, for the disk is full: they run out by themselves',
      );
    });
  }

  /** Looks for what is due and has it judged, without waiting for that. */
  async tick(): Promise<void> {
    const { clock, plan, telemetry } = this.#deps;
    const news = await plan.news();
    const isLost = this.entries.some((entry) => entry.isLost);
    if (news || isLost || Math.abs(clock.now() - this.#readAt) >= freshFor) {
      this.#tasks = news ?? this.#tasks ?? [];
      // Should it fail, the next tick tries again.
      this.#readAt = -Infinity;
      await this.#reconcile(this.#tasks);
      await this.#storeEvidence();
    }
    this.#isOpened = await telemetry.isOpened();
    if (this.#isOpened) return this.look();
    for (const entry of this.#entries.values()) if (entry.row.sequence > 0) await this.#setBack(entry, 0);
  }

  /** Has judged what arrived, without a look at what people decided: that costs nothing and can be done all the time. */
  async look(): Promise<void> {
    if (!this.#isOpened || this.#stopping.signal.aborted) return;
    await this.#readArrivals();
    this.#start();
  }

  /** Resolves when nothing is judged any more. */
  async settled(): Promise<void> {
    do {
      await Promise.all(this.#running);
      await this.#worker.settled();
      this.#start();
    } while (this.#running.size > 0 || this.#worker.hasMore);
  }

  /** Gives up what runs; the next start begins it again. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The service stops.'));
    await this.settled();
    for (const { lease } of this.#turns.clear()) await this.#deps.evaluations.abandon(lease);
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  get circumstances(): Circumstances {
    return {
      now: this.#deps.clock.now(),
      isOpened: this.#isOpened,
      lastBatch: (account, paths) =>
        Math.max(0, ...paths.map((path) => this.#arrivals.get(`${account} ${path}`) ?? 0)),
      isBacklogged: (account) => this.#backlogged.has(account),
      resourceChanges: (account) => this.#deps.telemetry.resourceChanges(account),
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
      lastSeconds: this.#worker.lastSeconds,
    };
  }

  /** Evaluations that run, and those that are leased and wait for a slot. */
  get queue() {
    return this.#turns.gauges;
  }

  /** Gives each task a row, and takes the rows of others away. */
  async #reconcile(tasks: readonly Task[]): Promise<void> {
    const { evaluations, clock } = this.#deps;
    const wanted = new Map(tasks.map((task) => [keyOf(task.ownerId, task.policy.policyId), task]));
    const known = new Map([...this.#entries].map(([key, { row }]) => [key, row]));
    let rows = await evaluations.all();
    const surplus = rows.filter((row) => !wanted.has(keyOf(row.owner_id, row.policy_id)));
    const present = new Set(rows.map((row) => keyOf(row.owner_id, row.policy_id)));
    // Where to begin depends on the query: one that is still being read gets its row afterwards.
    const missing = [...wanted].flatMap(([key, task]) =>
      present.has(key) || task.isPending() ? [] : [task],
    );
    if (surplus.length > 0) {
      await evaluations.remove(surplus.map((row) => ({ ownerId: row.owner_id, policyId: row.policy_id })));
    }
    if (missing.length > 0) {
      const owners = new Set(rows.map((row) => row.owner_id));
      await evaluations.add(await Promise.all(missing.map((task) => this.#begun(task, owners))));
    }
    if (surplus.length + missing.length > 0) rows = await evaluations.all();
    const before = this.#entries;
    this.#entries = new Map();
    for (const row of rows) {
      const key = keyOf(row.owner_id, row.policy_id);
      const task = wanted.get(key);
      if (!task) continue;
      const entry = before.get(key) ?? new Entry(task, row);
      // What was judged meanwhile is newer than what was read.
      const isNewer = entry.isRunning || (known.has(key) && entry.row !== known.get(key));
      entry.renew(task, isNewer ? entry.row : row);
      this.#entries.set(key, entry);
    }
    this.#readAt = clock.now();
  }

  /**
   * What is there already was there before the policy; what comes to an empty place is all news, and so is what a new
   * account reported before its first rows were made. `owners` have rows already.
   */
  async #begun(task: Task, owners: ReadonlySet<string>) {
    const { telemetry, clock } = this.#deps;
    const { ownerId, policy, accountSince } = task;
    const begun = { ownerId, policyId: policy.policyId };
    const subject = subjectOf(task);
    const isNew = !owners.has(ownerId) && clock.now() - accountSince < newFor;
    const isAll = subject && (isNew || (await lastBatch(telemetry, ownerId, subject)) === 0);
    return { ...begun, followed: isAll ? followedIn(subject) : null };
  }

  async #readArrivals(): Promise<void> {
    const { telemetry } = this.#deps;
    const arrivals = new Map<string, number>();
    for (const { task, subject } of this.#entries.values()) {
      for (const path of subject ? [...subject.streams, ...subject.reported] : []) {
        const key = `${task.ownerId} ${path}`;
        if (!arrivals.has(key)) arrivals.set(key, await telemetry.lastBatch(task.ownerId, path));
      }
    }
    this.#arrivals = arrivals;
    const accounts = new Set(this.entries.map(({ task }) => task.ownerId));
    const backlogged = new Set<string>();
    for (const account of accounts)
      if ((await telemetry.waitingBatches(account)) >= backlog) backlogged.add(account);
    this.#backlogged = backlogged;
    const { circumstances } = this;
    for (const entry of this.#entries.values()) {
      const { subject, row } = entry;
      if (!subject || !entry.isFollowing || entry.isRunning) continue;
      const last = circumstances.lastBatch(row.owner_id, subject.streams);
      // Days that went took its last batch along, or other records were put in place of those that it had judged.
      if (row.sequence > last) await this.#setBack(entry, last);
    }
  }

  /** A row that says something else by now, as after a restore, is read first. */
  async #setBack(entry: Entry, sequence: number): Promise<void> {
    const { owner_id, policy_id, place, sequence: before } = entry.row;
    const { numUpdatedRows } = await this.#deps.store.housekeeping((tx) =>
      tx
        .updateTable('evaluations')
        .set({ sequence })
        .where((is) => is.and({ owner_id, policy_id, place, sequence: before }))
        .executeTakeFirstOrThrow(),
    );
    if (Number(numUpdatedRows) > 0) entry.row = { ...entry.row, sequence };
    else entry.lose();
  }

  /** Has as many judged as may run at once, and gets leases for more of what is due. */
  #start(): void {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const next = this.#turns.take();
      if (!next) break;
      this.#run(
        this.#worker.evaluate(next.entry, next.lease, signal).finally(() => {
          this.#turns.release(next);
          this.#start();
        }),
      );
    }
    if (this.#isLeasing || signal.aborted) return;
    const due = this.#turns.wanted(this.entries, this.circumstances);
    if (due.length === 0) return;
    this.#isLeasing = true;
    this.#run(
      this.#lease(due).finally(() => {
        this.#isLeasing = false;
        this.#start();
      }),
    );
  }

  #run(work: Promise<void>): void {
    const running = work
      .catch((error: unknown) => this.#report(String(error)))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Says it once: while the disk of the control store is full every attempt fails. */
  #report(problem: string): void {
    if (problem !== this.#problem) this.#deps.log.error({ error: problem }, 'an evaluation was lost');
    this.#problem = problem;
  }

  async #lease(due: readonly Entry[]): Promise<void> {
    const { circumstances } = this;
    for (const entry of due) entry.begin(circumstances);
    let leases: Lease[] = [];
    try {
      leases = await this.#deps.evaluations.leaseAll(due.map(({ row }) => row));
      this.#problem = undefined;
    } finally {
      const byKey = new Map(leases.map((lease) => [keyOf(lease.ownerId, lease.policyId), lease]));
      for (const entry of due) {
        const lease = byKey.get(keyOf(entry.row.owner_id, entry.row.policy_id));
        if (lease) this.#turns.add({ entry, lease });
        else {
          entry.isRunning = false;
          entry.lose();
        }
      }
    }
  }

  async #storeEvidence(): Promise<void> {
    const { evidence, log } = this.#deps;
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
