import { randomUUID } from 'node:crypto';
import type { ControlStore } from '../../control/store.ts';
import { dataOf, type IntegrationRow } from '../../integrations/record.ts';
import { recordState } from '../../integrations/state.ts';
import type { Clock } from '../../platform/clock.ts';
import { FairShare } from '../../platform/fair-share.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { BudgetUsage } from '../inventory/budget.ts';
import { CollectionRun } from './collection-run.ts';
import { type CollectionProgress, type CollectionRow, Collections, leaseDuration } from './collections.ts';

export interface CollectorDeps {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly log: Log;
  /** Unique name of the data directory. */
  readonly place: string;
  readonly allowsPrivate: boolean;
  readonly share: number;
}

/** Each collection is a process. */
const concurrency = 2;
const maxCrashes = 3;

/** Collects the cloud accounts of integrations: after they are created, then once a day, and on request. */
export class Collector {
  readonly #deps: CollectorDeps;
  readonly #collections: Collections;
  readonly #slots = new FairShare({ capacity: concurrency, reserve: 0 });
  readonly #running = new Map<string, CollectionRun>();
  readonly #settled = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(deps: CollectorDeps) {
    this.#deps = deps;
    this.#collections = new Collections({ ...deps, node: `${deps.place} ${randomUUID()}` });
  }

  get running(): number {
    return this.#running.size;
  }

  /** The calls of the running collections. */
  usage(): BudgetUsage[] {
    return [...this.#running.values()].flatMap(({ usage }) => usage);
  }

  takeOver(): Promise<void> {
    return this.#collections.takeOver(this.#deps.place);
  }

  /** Starts due collections, round robin by account, without waiting for their end. */
  async poll(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    await this.#collections.synchronize();
    for (const account of await this.#collections.accounts()) {
      if (!this.#slots.mayTake(account)) continue;
      const taken = await this.#collections.take(account);
      if (!taken || this.#stopping.signal.aborted) continue;
      this.#slots.take(account);
      const work = this.#collect(taken.row, taken.integration)
        .catch((error: unknown) =>
          this.#deps.log.error(
            { integration: taken.row.integration_id, error: String(error) },
            'a collection failed',
          ),
        )
        .finally(() => {
          this.#slots.release(account);
          this.#settled.delete(work);
        });
      this.#settled.add(work);
    }
  }

  /** Interrupts the collections; they go on where they were, here or on another node. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#settled);
  }

  /** Resolves when all running collections have ended. */
  async idle(): Promise<void> {
    while (this.#settled.size > 0) await Promise.all(this.#settled);
  }

  async #collect(row: CollectionRow, integration: IntegrationRow): Promise<void> {
    const { keyring, telemetry, allowsPrivate, share, log } = this.#deps;
    const progress = JSON.parse(row.progress) as Partial<CollectionProgress>;
    const { done = {}, summary: saved, crashes = 0 } = progress;
    const data = dataOf(integration, keyring);
    const task = { type: integration.type, data, allowsPrivate, share, done };
    const run = new CollectionRun({ account: row.owner_id, telemetry, task, saved });
    this.#running.set(integration.id, run);
    const lost = new AbortController();
    const renewing = setInterval(() => {
      const renewed = this.#collections.renew(integration.id, { ...run.progress, crashes });
      renewed.then(
        (isOwn) => isOwn || lost.abort(),
        () => undefined,
      );
    }, leaseDuration / 8);
    try {
      const isComplete = await run.run(AbortSignal.any([this.#stopping.signal, lost.signal]));
      if (lost.signal.aborted) return;
      if (this.#stopping.signal.aborted && !isComplete)
        return await this.#collections.release(integration.id, { ...run.progress, crashes });
      // Killed, or out of memory: it goes on with what is left, unless that ends it again and again.
      if (!isComplete && run.summary.isUndisturbed && crashes < maxCrashes)
        return await this.#collections.release(integration.id, { ...run.progress, crashes: crashes + 1 });
      if (!isComplete)
        run.summary.addProblem({ status: 'failed', reason: 'The collector ended before it was complete.' });
      await this.#ended(row, integration, run);
      log.info({ integration: integration.id, isComplete }, 'a collection ended');
    } finally {
      clearInterval(renewing);
      this.#running.delete(integration.id);
    }
  }

  async #ended(
    row: CollectionRow,
    { id, owner_id }: IntegrationRow,
    { summary }: CollectionRun,
  ): Promise<void> {
    const { store, clock } = this.#deps;
    if (!(await this.#collections.ended(id, row.started_at ?? clock.now()))) return;
    await store.housekeeping((tx) =>
      recordState(tx, { id, owner_id }, summary.outcome(), { now: clock.now() }),
    );
  }
}
