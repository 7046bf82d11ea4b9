import { isDeepStrictEqual } from 'node:util';
import type { ControlStore } from '../../control/store.ts';
import { heldSince } from '../../delivery/hold.ts';
import { dataOf, type IntegrationRow } from '../../integrations/record.ts';
import { type IntegrationOutcome, type IntegrationState, recordState } from '../../integrations/state.ts';
import type { Clock } from '../../platform/clock.ts';
import { FairWorkers } from '../../platform/fair-workers.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import { LruMap } from '../../platform/lru-map.ts';
import { accountTargets } from './account-targets.ts';
import { type AuditCounts, newAuditCounts } from './audit-metrics.ts';
import { type Lease, Leases } from './leases.ts';
import { Ledger } from './ledger.ts';
import { LogIntake, type LogIntakeDeps } from './log-intake.ts';
import { QueueRun } from './queue-run.ts';
import { RunStatus } from './run-status.ts';
import type { AuditSourceType } from './source.ts';

export interface AuditCollectorDeps extends LogIntakeDeps {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly log: Log;
  /** By type of integration. */
  readonly sources: Readonly<Record<string, AuditSourceType>>;
  /** Unique name of the data directory. */
  readonly node: string;
  /** Milliseconds; shorter in tests. */
  readonly heartbeat?: number | undefined;
}

/** Queues read at a time; most only wait for messages. */
const concurrency = { capacity: 64, reserve: 8 };
/** Then the queue is read again in its turn. */
const maxRounds = 500;
/** The state is written at the end of a run, and during a long one every so often. */
const reportInterval = 10_000;
const unchangedInterval = 60_000;
const maxReported = 10_000;

interface Reported {
  readonly at: number;
  readonly outcome: IntegrationOutcome;
}

/** Reads the queues of all integrations that bring audit logs, each by one node. */
export class AuditCollector {
  readonly counts: AuditCounts = newAuditCounts();
  readonly logs: LogIntake;
  readonly #deps: AuditCollectorDeps;
  readonly #leases: Leases;
  readonly #ledger: Ledger;
  readonly #workers: FairWorkers<Lease>;
  readonly #running = new Map<Lease, AbortController>();
  /** By integration and its settings. */
  readonly #reported = new LruMap<Reported>(maxReported);

  constructor(deps: AuditCollectorDeps) {
    this.#deps = deps;
    this.logs = new LogIntake(deps);
    this.#leases = new Leases({ ...deps, types: Object.keys(deps.sources) });
    this.#ledger = new Ledger(deps);
    this.#workers = new FairWorkers({
      limits: concurrency,
      // A restored copy must not take messages from the queues of the original.
      accounts: async () => ((await heldSince(deps.store.read)) === undefined ? this.#leases.accounts() : []),
      take: (account) => this.#leases.take(account),
      work: (lease) => this.#work(lease),
      failed: (error) => deps.log.error({ error: String(error) }, 'an audit log could not be collected'),
    });
  }

  get running(): number {
    return this.#workers.running;
  }

  /** Releases the leases of the previous process. */
  takeOver(): Promise<void> {
    return this.#leases.takeOver();
  }

  /** Starts to read queues that are due. */
  poll(): Promise<void> {
    return this.#workers.poll();
  }

  settled(): Promise<void> {
    return this.#workers.settled();
  }

  /** A run whose lease another node has taken is ended. */
  async renewLeases(): Promise<void> {
    for (const [lease, run] of this.#running)
      if (!(await this.#leases.renew(lease))) run.abort(new Error('The lease is lost.'));
  }

  async deleteExpired(): Promise<void> {
    await this.#ledger.deleteExpired();
    await this.#leases.deleteOrphans();
  }

  /** Stops waiting for messages. Those whose logs are not stored yet are given back to their queue. */
  stop(): void {
    this.#workers.stop();
    for (const run of this.#running.values()) run.abort(new Error('The service stops.'));
  }

  async #work(lease: Lease): Promise<void> {
    const run = new AbortController();
    this.#running.set(lease, run);
    try {
      await this.#read(lease, run.signal);
    } finally {
      this.#running.delete(lease);
    }
  }

  async #read(lease: Lease, signal: AbortSignal): Promise<void> {
    const { sources, log } = this.#deps;
    const { integration } = lease;
    const { steps, pause, open } = sources[integration.type] as AuditSourceType;
    let status = new RunStatus(steps);
    try {
      const runs = await this.#prepare(integration, open);
      let reportedAt = this.#deps.clock.now();
      for (let round = 0; round < maxRounds && !signal.aborted; round++) {
        const isBusy = await runs.next(status, signal);
        if (round === 0) await runs.follow(status, signal);
        if (!isBusy || signal.aborted || !(await this.#leases.isCurrent(lease))) break;
        // The next messages may take long to come.
        if (round === 0) await this.#report(integration, status);
        const now = this.#deps.clock.now();
        if (now - reportedAt < reportInterval) continue;
        await this.#report(integration, status);
        reportedAt = now;
        status = new RunStatus(steps);
      }
    } catch (error) {
      if (!signal.aborted) {
        status.fail('receive', error);
        log.warn({ integration: integration.id, error: String(error) }, 'an audit log could not be read');
      }
    }
    if (!signal.aborted) await this.#report(integration, status);
    // Only a queue that can not be read waits; messages of failed objects wait in the queue by themselves.
    const isFailed = status.isUnreadable;
    await this.#leases.release(lease, { isFailed, pause: signal.aborted ? 0 : pause });
  }

  async #prepare(integration: IntegrationRow, open: AuditSourceType['open']): Promise<QueueRun> {
    const { store, keyring, clock, log, heartbeat } = this.#deps;
    const data = dataOf(integration, keyring);
    return new QueueRun({
      ...{ integration, source: open(data), accountOf: await accountTargets(store, integration, data) },
      ...{ logs: this.logs, ledger: this.#ledger, counts: this.counts, clock, log, heartbeat },
    });
  }

  /** An unchanged state is written rarely. */
  async #report(integration: IntegrationRow, status: RunStatus): Promise<void> {
    const { store, clock } = this.#deps;
    const key = `${integration.id} ${integration.updated_at}`;
    const before = this.#reported.get(key) ?? storedOutcome(integration);
    const problem = await this.#ledger.problem(integration);
    if (problem !== undefined) status.note('get', problem);
    const outcome = status.outcome(await this.#ledger.setAside(integration), before.outcome.details);
    const now = clock.now();
    if (isDeepStrictEqual(outcome, before.outcome) && now - before.at < unchangedInterval) return;
    await store.housekeeping((tx) =>
      recordState(tx, integration, outcome, { now, updatedAt: integration.updated_at }),
    );
    this.#reported.set(key, { at: now, outcome });
  }
}

function storedOutcome({ state }: IntegrationRow): Reported {
  const {
    ok = false,
    lastUpdatedTime = 0,
    details = {},
  } = JSON.parse(state ?? '{}') as Partial<IntegrationState>;
  return { at: lastUpdatedTime, outcome: { ok, details } };
}
