import type { ControlStore } from '../../control/store.ts';
import { StoreUnavailable } from '../../control/store-failure.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ResourceChanges } from '../../telemetry/store.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { EvaluationQueue, type LeasedEntry } from './evaluation-queue.ts';
import type { Evaluations, Lease } from './evaluations.ts';
import { type Evaluator, lastBatch } from './evaluator.ts';
import type { Evidence } from './evidence.ts';
import { parseInTurns } from './parse-in-turns.ts';
import type { Plan } from './plan.ts';
import type { ResourceEvaluator } from './resource-evaluator.ts';
import { ResourceTurns } from './resource-turns.ts';
import { ScheduleEntry, type SchedulingInput } from './schedule-entry.ts';
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
  readonly resourceEvaluator: ResourceEvaluator;
  readonly evidence: Evidence;
  /** Timeout of one evaluation, in milliseconds. */
  readonly timeout: number;
  /** Called after an alert was opened or joined, to trigger its delivery. */
  onAlert?(): void;
}

/** Queued batches from which on an account counts as backlogged. */
const backlogThreshold = 8;
/** Milliseconds after which rows are read again, because other nodes may have changed them. */
const rowLifetime = 60_000;
/**
 * Milliseconds for which an account without rows counts as new. An older account has lost its rows, and its policies
 * look back like new ones.
 */
const newAccountPeriod = 86_400_000;

/** Evaluates every policy on time, with limited concurrency. */
export class Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #worker: Worker;
  readonly #queue = new EvaluationQueue();
  #isLeasing = false;
  #entries = new Map<string, ScheduleEntry>();
  #tasks: readonly Task[] | undefined;
  #readAt = -Infinity;
  #isOpened = false;
  /** The last logged error, until leases succeed again. */
  #problem: string | undefined;
  #arrivals: ReadonlyMap<string, number> = new Map();
  #changes: ReadonlyMap<string, ResourceChanges> = new Map();
  readonly #turns = new ResourceTurns();
  #isEvaluatingResources = false;
  #isWoken = false;
  #backlogged: ReadonlySet<string> = new Set();

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
    const onAlert = () => {
      deps.onAlert?.();
      this.#run(this.#storeEvidence());
    };
    this.#worker = new Worker({ ...deps, onAlert: onAlert });
  }

  /** Call before the first tick of the process. */
  async takeOver(): Promise<void> {
    const { evaluations, log } = this.#deps;
    await evaluations.takeOver().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable && error.isDiskFull)) throw error;
      log.warn('disk full: leases of the previous process were not released and will expire');
    });
  }

  /** Starts due evaluations without waiting for them. */
  async tick(): Promise<void> {
    const { clock, plan, telemetry } = this.#deps;
    const tasks = await plan.changedTasks();
    const isLost = this.entries.some((entry) => entry.isLost);
    if (tasks || isLost || Math.abs(clock.now() - this.#readAt) >= rowLifetime) {
      this.#tasks = tasks ?? this.#tasks ?? [];
      // Makes the next tick retry if this one fails.
      this.#readAt = -Infinity;
      await this.#reconcile(this.#tasks);
      await this.#storeEvidence();
    }
    this.#isOpened = await telemetry.isOpened();
    if (this.#isOpened) return this.poll();
    for (const entry of this.#entries.values())
      if (entry.row.sequence > 0) await this.#resetSequence(entry, 0);
  }

  /** Starts evaluations of arrived data without reading the plan; cheap enough to call continuously. */
  async poll(): Promise<void> {
    if (!this.#isOpened || this.#stopping.signal.aborted) return;
    await this.#readArrivals();
    this.#start();
  }

  /** Evaluates changed resources now instead of at the next poll. A running evaluation is followed by a poll anyway. */
  wake(): void {
    if (this.#isWoken || this.#isEvaluatingResources) return;
    this.#isWoken = true;
    this.#run(
      this.poll().finally(() => {
        this.#isWoken = false;
      }),
    );
  }

  /** Resolves when no evaluation is running. */
  async settled(): Promise<void> {
    do {
      await Promise.all(this.#running);
      await this.#worker.settled();
      this.#start();
    } while (this.#running.size > 0 || this.#worker.hasMore);
  }

  /** Aborts running evaluations; the next start repeats them. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The service stops.'));
    await this.settled();
    for (const { lease } of this.#queue.clear()) await this.#deps.evaluations.abandon(lease);
  }

  get entries(): readonly ScheduleEntry[] {
    return [...this.#entries.values()];
  }

  get circumstances(): SchedulingInput {
    return {
      now: this.#deps.clock.now(),
      isOpened: this.#isOpened,
      lastBatch: (account, paths) =>
        Math.max(0, ...paths.map((path) => this.#arrivals.get(`${account} ${path}`) ?? 0)),
      isBacklogged: (account) => this.#backlogged.has(account),
      resourceChanges: (account) => this.#changes.get(account),
    };
  }

  /** For metrics; without account names. */
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

  /** Numbers of running evaluations and of leases waiting for a slot. */
  get queue() {
    return this.#queue.gauges;
  }

  /** Inserts rows for new tasks and deletes rows without a task. */
  async #reconcile(tasks: readonly Task[]): Promise<void> {
    const { evaluations, clock } = this.#deps;
    const wanted = new Map(tasks.map((task) => [keyOf(task.ownerId, task.policy.policyId), task]));
    const known = new Map([...this.#entries].map(([key, { row }]) => [key, row]));
    let rows = await evaluations.all();
    const surplus = rows.filter((row) => !wanted.has(keyOf(row.owner_id, row.policy_id)));
    const present = new Set(rows.map((row) => keyOf(row.owner_id, row.policy_id)));
    // The start position depends on the query, so a pending query gets its row later.
    const missing = [...wanted].flatMap(([key, task]) =>
      present.has(key) || task.isPending() ? [] : [task],
    );
    if (surplus.length > 0) {
      await evaluations.remove(surplus.map((row) => ({ ownerId: row.owner_id, policyId: row.policy_id })));
    }
    if (missing.length > 0) {
      const owners = new Set(rows.map((row) => row.owner_id));
      await evaluations.add(await Promise.all(missing.map((task) => this.#initialRow(task, owners))));
    }
    if (surplus.length + missing.length > 0) rows = await evaluations.all();
    const before = this.#entries;
    this.#entries = new Map();
    for (const row of rows) {
      const key = keyOf(row.owner_id, row.policy_id);
      const task = wanted.get(key);
      if (!task) continue;
      const entry = before.get(key) ?? new ScheduleEntry(task, row);
      // A row evaluated meanwhile is newer than the one read.
      const isNewer = entry.isRunning || (known.has(key) && entry.row !== known.get(key));
      entry.update(task, isNewer ? entry.row : row);
      this.#entries.set(key, entry);
    }
    this.#readAt = clock.now();
  }

  /**
   * Existing data precedes a new policy and is not evaluated by sequence number. Without existing data, or in a new
   * account, everything is evaluated. `owners` already have rows.
   */
  async #initialRow(task: Task, owners: ReadonlySet<string>) {
    const { telemetry, clock } = this.#deps;
    const { ownerId, policy, accountSince } = task;
    const id = { ownerId, policyId: policy.policyId };
    const subject = task.readsInventory ? undefined : subjectOf(task);
    const isNew = !owners.has(ownerId) && clock.now() - accountSince < newAccountPeriod;
    const readsEverything = subject && (isNew || (await lastBatch(telemetry, ownerId, subject)) === 0);
    return { ...id, followed: readsEverything ? followedIn(subject) : null };
  }

  async #readArrivals(): Promise<void> {
    const { telemetry } = this.#deps;
    const arrivals = new Map<string, number>();
    const following = this.entries.filter(({ task }) => !task.readsInventory);
    for (const { task, subject } of following) {
      for (const path of subject ? [...subject.streams, ...subject.reported] : []) {
        const key = `${task.ownerId} ${path}`;
        if (!arrivals.has(key)) arrivals.set(key, await telemetry.lastBatch(task.ownerId, path));
      }
    }
    this.#arrivals = arrivals;
    const accounts = new Set(this.entries.map(({ task }) => task.ownerId));
    const backlogged = new Set<string>();
    for (const account of accounts)
      if ((await telemetry.waitingBatches(account)) >= backlogThreshold) backlogged.add(account);
    this.#backlogged = backlogged;
    this.#changes = await this.#readChanges();
    const { circumstances } = this;
    for (const entry of following) {
      const { subject, row } = entry;
      if (!subject || !entry.isFollowing || entry.isRunning) continue;
      const last = circumstances.lastBatch(row.owner_id, subject.streams);
      // Retention or a restore removed the last evaluated batch.
      if (row.sequence > last) await this.#resetSequence(entry, last);
    }
  }

  async #readChanges(): Promise<ReadonlyMap<string, ResourceChanges>> {
    const changes = new Map<string, ResourceChanges>();
    const accounts = new Map<string, boolean>();
    for (const { task, row } of this.#entries.values())
      accounts.set(task.ownerId, accounts.get(task.ownerId) || (task.readsInventory && row.sequence > 0));
    for (const [account, isEvaluated] of accounts) {
      const ofAccount = await this.#deps.telemetry.resourceChanges(account);
      // What was evaluated before a restore removed all resources is evaluated once more.
      if (ofAccount && (ofAccount.kinds.size > 0 || isEvaluated)) changes.set(account, ofAccount);
    }
    await parseInTurns(this.entries.filter(({ task }) => changes.has(task.ownerId)));
    return changes;
  }

  /** If the row changed, for example by a restore, it is read again first. */
  async #resetSequence(entry: ScheduleEntry, sequence: number): Promise<void> {
    const { owner_id, policy_id, place, sequence: before } = entry.row;
    const { numUpdatedRows } = await this.#deps.store.housekeeping((tx) =>
      tx
        .updateTable('evaluations')
        .set({ sequence })
        .where((is) => is.and({ owner_id, policy_id, place, sequence: before }))
        .executeTakeFirstOrThrow(),
    );
    if (Number(numUpdatedRows) > 0) entry.row = { ...entry.row, sequence };
    else entry.markLost();
  }

  /** Starts as many evaluations as may run, and leases further due entries. */
  #start(): void {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const next = this.#queue.take();
      if (!next) break;
      this.#run(
        this.#worker.evaluate(next.entry, next.lease, signal).finally(() => {
          this.#queue.release(next);
          this.#start();
        }),
      );
    }
    this.#startResources();
    if (this.#isLeasing || signal.aborted) return;
    const others = this.entries.filter(({ isOverResources }) => !isOverResources);
    const due = this.#queue.nextToLease(others, this.circumstances);
    if (due.length === 0) return;
    this.#isLeasing = true;
    const lease = async () => {
      for (const leased of await this.#lease(due)) this.#queue.add(leased);
    };
    this.#run(
      lease().finally(() => {
        this.#isLeasing = false;
        this.#start();
      }),
    );
  }

  /** Evaluates due policies over cloud resources, one account at a time: the engine takes one after the other anyway. */
  #startResources(): void {
    const { signal } = this.#stopping;
    if (this.#isEvaluatingResources || signal.aborted) return;
    const due = this.#turns.next(this.entries, this.circumstances);
    if (due.length === 0) return;
    this.#isEvaluatingResources = true;
    const evaluate = async () => {
      const leased = await this.#lease(due);
      const began = performance.now();
      const evaluated = await this.#worker.evaluateResources(leased, signal);
      this.#turns.note(due, evaluated, performance.now() - began);
    };
    this.#run(
      evaluate().finally(() => {
        this.#isEvaluatingResources = false;
        this.#run(this.poll());
      }),
    );
  }

  #run(work: Promise<void>): void {
    const running = work
      .catch((error: unknown) => this.#logOnce(String(error)))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Logs a repeated error once, for example while the disk of the control store is full. */
  #logOnce(problem: string): void {
    if (problem !== this.#problem) this.#deps.log.error({ error: problem }, 'evaluation scheduling failed');
    this.#problem = problem;
  }

  /** Those of the entries that no other node has leased. */
  async #lease(due: readonly ScheduleEntry[]): Promise<LeasedEntry[]> {
    const { circumstances } = this;
    for (const entry of due) entry.isRunning = true;
    let leases: Lease[] = [];
    try {
      leases = await this.#deps.evaluations.leaseAll(due.map(({ row }) => row));
      this.#problem = undefined;
    } finally {
      const held = new Set(leases.map((lease) => keyOf(lease.ownerId, lease.policyId)));
      for (const entry of due) {
        if (held.has(keyOf(entry.row.owner_id, entry.row.policy_id))) {
          entry.begin(circumstances);
          continue;
        }
        entry.isRunning = false;
        entry.markLost();
      }
    }
    const byKey = new Map(leases.map((lease) => [keyOf(lease.ownerId, lease.policyId), lease]));
    return due.flatMap((entry) => {
      const lease = byKey.get(keyOf(entry.row.owner_id, entry.row.policy_id));
      return lease ? [{ entry, lease }] : [];
    });
  }

  async #storeEvidence(): Promise<void> {
    const { evidence, log } = this.#deps;
    await evidence.store().catch((error: unknown) => {
      log.error({ error: String(error) }, 'alert evidence could not be stored, it is retried');
    });
  }
}

function keyOf(ownerId: string, policyId: string): string {
  return `${ownerId} ${policyId}`;
}

function subjectOf(task: Task): Subject | undefined {
  try {
    return task.query().subject;
  } catch {
    return undefined;
  }
}
