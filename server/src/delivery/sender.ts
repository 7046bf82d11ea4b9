import type { AlertMessage } from '../alerts/alert-message.ts';
import type { Router } from '../alerts/routing.ts';
import { seekOwned } from '../control/owned-row.ts';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { IntegrationRow } from '../integrations/record.ts';
import { FairShare } from '../platform/fair-share.ts';
import type { ReportComposer } from '../reports/scheduled/composer.ts';
import type { ReportMessage } from '../reports/scheduled/report-message.ts';
import { type AttemptDeps, attempt, attemptReport, type Outcome } from './attempt.ts';
import type { External } from './channel.ts';
import { repairCircuits } from './circuit.ts';
import { finish } from './outcome.ts';
import {
  channelsDue,
  type DeliveryRow,
  expired,
  isReport,
  leaseMessages,
  renew,
  resetFutureMessages,
  retryChangedChannels,
} from './queue.ts';

export interface SenderDeps extends AttemptDeps {
  readonly store: ControlStore;
  readonly router: Pick<Router, 'closed'>;
  readonly reports: Pick<ReportComposer, 'compose'>;
}

/** Concurrent messages per channel, so that a slow channel does not delay others and no receiver is overloaded. */
const maxPerChannel = 4;
/** Concurrent reports per account, after which no more are leased: writing them is slow, and alerts need the slots. */
const maxReports = 4;
/** Concurrent messages: one account gets at most half of the slots, so that others always find free ones. */
const concurrency = { capacity: 64, reserve: 'its own' } as const;
/** Milliseconds to wait for messages in flight at shutdown; slower ones are sent again after the next start. */
const shutdownTimeout = 10_000;

/**
 * Sends waiting deliveries with at-least-once semantics: a message is leased, sent outside any transaction and then
 * marked. If the node dies in between, another one sends it again with the same delivery id.
 */
export class Sender {
  readonly #deps: SenderDeps;
  readonly #inFlight = new Map<string, { delivery: DeliveryRow; done: Promise<void> }>();
  readonly #share = new FairShare(concurrency);
  #leasing: Promise<void> | undefined;
  #repeat = false;
  #stopped = false;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Number of messages in flight. */
  get running(): number {
    return this.#inFlight.size;
  }

  /** Call when a delivery was enqueued or time has passed. */
  wake(): void {
    this.poll().catch((error: unknown) => {
      this.#deps.log.error({ error: String(error) }, 'due deliveries could not be read');
    });
  }

  /** Leases due messages and starts sending them. */
  poll(): Promise<void> {
    this.#repeat = this.#leasing !== undefined;
    this.#leasing ??= this.#leaseAll().finally(() => {
      this.#leasing = undefined;
    });
    return this.#leasing;
  }

  /** Resolves when no message is due or in flight. */
  async drain(): Promise<void> {
    do {
      await this.poll();
      await Promise.all([...this.#inFlight.values()].map(({ done }) => done));
    } while (this.#inFlight.size > 0 || (await channelsDue(this.#deps.store.read, this.#now())).length > 0);
  }

  /** Renews the leases of messages in flight. */
  async renewLeases(): Promise<void> {
    const ids = [...this.#inFlight.keys()];
    if (ids.length > 0) await this.#deps.store.housekeeping((tx) => renew(tx, ids, this.#now()));
  }

  /** Repairs deliveries and circuits after the clock was set back or a channel was deleted or changed. */
  async repair(): Promise<void> {
    const now = this.#now();
    await this.#deps.store.housekeeping(async (tx) => {
      await resetFutureMessages(tx, now);
      await repairCircuits(tx, now);
      await retryChangedChannels(tx, now);
    });
  }

  /** Gives up messages that expired while the circuit of their channel was open. */
  async expire(): Promise<void> {
    const message = 'The channel failed until the message expired.';
    for (const delivery of await expired(this.#deps.store.read, this.#now())) {
      const channel = await this.#channel(delivery);
      await this.#finish(delivery, channel, { problem: { message, isFinal: true, isUntried: true } });
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#leasing?.catch(() => {});
    const all = Promise.all([...this.#inFlight.values()].map(({ done }) => done));
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, shutdownTimeout);
    });
    await Promise.race([all, timeout]);
    clearTimeout(timer);
  }

  #now(): number {
    return this.#deps.clock.now();
  }

  async #leaseAll(): Promise<void> {
    do {
      this.#repeat = false;
      await this.#leaseDue();
    } while (this.#repeat && !this.#stopped);
  }

  async #leaseDue(): Promise<void> {
    const { store } = this.#deps;
    const now = this.#now();
    const channels = [...this.#inFlightByChannel()]
      .filter(([, count]) => count >= maxPerChannel)
      .map(([id]) => id);
    const due = await channelsDue(store.read, now, { channels, reportsOf: this.#accountsWithReports() });
    while (!this.#stopped) {
      const account = this.#share.next(new Set(due.map(({ owner_id }) => owner_id)));
      const at = due.findIndex(({ owner_id }) => owner_id === account);
      const [next] = at < 0 ? [] : due.splice(at, 1);
      if (!next) return;
      const free = Math.min(
        maxPerChannel - (this.#inFlightByChannel().get(next.channel_id) ?? 0),
        this.#share.roomFor(next.owner_id),
      );
      if (free <= 0) continue;
      const withReports = !this.#accountsWithReports().includes(next.owner_id);
      const limits = { wanted: free, withReports };
      const taken = await store.housekeeping((tx) => leaseMessages(tx, next, limits, now));
      for (const delivery of taken) this.#start(delivery);
    }
  }

  /** Messages in flight per channel. */
  #inFlightByChannel(): Map<string, number> {
    return countedBy([...this.#inFlight.values()].map(({ delivery }) => delivery.channel_id));
  }

  /** Accounts with as many reports in flight as they may have. */
  #accountsWithReports(): string[] {
    const reports = [...this.#inFlight.values()].filter(({ delivery }) => isReport(delivery));
    const counts = countedBy(reports.map(({ delivery }) => delivery.owner_id));
    return [...counts].filter(([, count]) => count >= maxReports).map(([account]) => account);
  }

  #start(delivery: DeliveryRow): void {
    // The lease expired while this process was suspended, but the message is still in flight.
    if (this.#inFlight.has(delivery.id)) return;
    this.#share.take(delivery.owner_id);
    const done = this.#send(delivery)
      .catch((error: unknown) =>
        this.#deps.log.error(
          { delivery: delivery.id, error: String(error) },
          'the outcome of a delivery could not be stored',
        ),
      )
      .finally(() => {
        this.#inFlight.delete(delivery.id);
        this.#share.release(delivery.owner_id);
        if (!this.#stopped) this.wake();
      });
    this.#inFlight.set(delivery.id, { delivery, done });
  }

  async #send(delivery: DeliveryRow): Promise<void> {
    const startedAt = this.#now();
    const channel = await this.#channel(delivery);
    if (channel?.enabled !== 1) {
      const message = `The channel is ${channel ? 'disabled' : 'deleted'}.`;
      return this.#finish(delivery, channel, { problem: { message, isFinal: true, isUntried: true } });
    }
    if (isReport(delivery)) {
      const report = JSON.parse(delivery.message) as ReportMessage;
      return this.#finish(delivery, channel, await attemptReport(channel, report, this.#deps), startedAt);
    }
    if (delivery.occasion === 'updated' && (await this.#isClosed(delivery))) {
      const message = 'The alert was closed before the message was sent.';
      return this.#finish(delivery, channel, { problem: { message, isFinal: true, isUntried: true } });
    }
    const message = JSON.parse(delivery.message) as AlertMessage;
    const outcome = await attempt(channel, message, await this.#openingExternal(delivery), this.#deps);
    return this.#finish(delivery, channel, outcome, startedAt);
  }

  #finish(
    delivery: DeliveryRow,
    channel: IntegrationRow | undefined,
    outcome: Outcome,
    startedAt = this.#now(),
  ): Promise<void> {
    return this.#deps.store.housekeeping(async (tx) => {
      await finish(tx, delivery, channel, outcome, { startedAt, now: this.#now() });
      if (!outcome.problem && delivery.occasion === 'opened') await this.#sendClosingIfClosed(tx, delivery);
    });
  }

  /** An alert closed while its message was a dead letter needs a closing message once that is resent. */
  async #sendClosingIfClosed(tx: ControlTransaction, { owner_id, alert_id }: DeliveryRow): Promise<void> {
    const alert = await seekOwned(tx, 'alerts', { owner_id, id: alert_id });
    if (alert?.status === 'Closed') await this.#deps.router.closed(tx, alert);
  }

  /** Announcing entities after the closing message would reopen the incident at the receiver. */
  async #isClosed({ owner_id, alert_id }: DeliveryRow): Promise<boolean> {
    const alert = await this.#deps.store.read
      .selectFrom('alerts')
      .select('status')
      .where('owner_id', '=', owner_id)
      .where('id', '=', alert_id)
      .executeTakeFirst();
    return alert?.status === 'Closed';
  }

  #channel({ channel_id }: DeliveryRow): Promise<IntegrationRow | undefined> {
    return this.#deps.store.read
      .selectFrom('integrations')
      .selectAll()
      .where('id', '=', channel_id)
      .where('family', '=', 'AlertChannels')
      .executeTakeFirst();
  }

  /** The external record of the opening message. */
  async #openingExternal({
    owner_id,
    alert_id,
    channel_id,
    occasion,
  }: DeliveryRow): Promise<External | undefined> {
    if (occasion === 'opened') return undefined;
    const key = { owner_id, alert_id, channel_id, occasion: 'opened' };
    const row = await this.#deps.store.read
      .selectFrom('deliveries')
      .select('external')
      .where((is) => is.and(key))
      .executeTakeFirst();
    return row?.external ? (JSON.parse(row.external) as External) : undefined;
  }
}

function countedBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
