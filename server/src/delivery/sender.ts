import type { AlertMessage } from '../alerts/alert-message.ts';
import type { Router } from '../alerts/routing.ts';
import { seekOwned } from '../control/owned-row.ts';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { IntegrationRow } from '../integrations/record.ts';
import { FairShare } from '../platform/fair-share.ts';
import { type AttemptDeps, attempt, type Outcome } from './attempt.ts';
import type { External } from './channel.ts';
import { tidyCircuits } from './circuit.ts';
import { finish } from './outcome.ts';
import { channelsDue, type DeliveryRow, hurryChanged, leaseOf, overdue, recall, renew } from './queue.ts';

export interface SenderDeps extends AttemptDeps {
  readonly store: ControlStore;
  readonly router: Pick<Router, 'closed'>;
}

/** Slow channels must not hold up others, and one channel not be overrun. */
const mostOfChannel = 4;
/** Messages on their way at once: one account alone gets half of the slots, and others always find some free. */
const mostAtOnce = { capacity: 64, reserve: 'its own' } as const;
/** What is still on its way when the service stops; what takes longer is sent again after the next start. */
const patience = 10_000;

/**
 * Sends what waits in the table of deliveries, at least once: a message is leased, sent outside of any transaction and
 * then marked. A node that dies in between leaves it to the next one, which sends it again with the same delivery id.
 */
export class Sender {
  readonly #deps: SenderDeps;
  readonly #onTheWay = new Map<string, { channelId: string; done: Promise<void> }>();
  readonly #share = new FairShare(mostAtOnce);
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Messages on their way. */
  get running(): number {
    return this.#onTheWay.size;
  }

  /** Something may be due: somebody wrote a delivery, or time has passed. */
  wake(): void {
    this.look().catch((error: unknown) => {
      this.#deps.log.error({ error: String(error) }, 'the deliveries that are due could not be read');
    });
  }

  /** Takes what is due and can be sent now, and sends it meanwhile. */
  look(): Promise<void> {
    this.#again = this.#looking !== undefined;
    this.#looking ??= this.#takeAll().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Resolves when nothing is due any more and nothing is on its way. */
  async drain(): Promise<void> {
    do {
      await this.look();
      await Promise.all([...this.#onTheWay.values()].map(({ done }) => done));
    } while (
      this.#onTheWay.size > 0 ||
      (await channelsDue(this.#deps.store.read, this.#now(), [])).length > 0
    );
  }

  /** What takes longer than a lease stays with this node. */
  async keep(): Promise<void> {
    const ids = [...this.#onTheWay.keys()];
    if (ids.length > 0) await this.#deps.store.housekeeping((tx) => renew(tx, ids, this.#now()));
  }

  /** Puts right what a clock that was set back, or a channel that is gone or changed, left behind. */
  async tidy(): Promise<void> {
    const now = this.#now();
    await this.#deps.store.housekeeping(async (tx) => {
      await recall(tx, now);
      await tidyCircuits(tx, now);
      await hurryChanged(tx, now);
    });
  }

  /** Gives up what its channel never let through. */
  async bury(): Promise<void> {
    const message = 'The channel failed all the time that the message had.';
    for (const delivery of await overdue(this.#deps.store.read, this.#now())) {
      const channel = await this.#channel(delivery);
      await this.#finish(delivery, channel, { problem: { message, isFinal: true, isUntried: true } });
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#looking?.catch(() => {});
    const all = Promise.all([...this.#onTheWay.values()].map(({ done }) => done));
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([all, enough]);
    clearTimeout(timer);
  }

  #now(): number {
    return this.#deps.clock.now();
  }

  async #takeAll(): Promise<void> {
    do {
      this.#again = false;
      await this.#take();
    } while (this.#again && !this.#stopped);
  }

  async #take(): Promise<void> {
    const { store } = this.#deps;
    const now = this.#now();
    const full = [...this.#busy()].filter(([, count]) => count >= mostOfChannel).map(([id]) => id);
    const due = await channelsDue(store.read, now, full);
    while (!this.#stopped) {
      const account = this.#share.next(new Set(due.map(({ owner_id }) => owner_id)));
      const at = due.findIndex(({ owner_id }) => owner_id === account);
      const [next] = at < 0 ? [] : due.splice(at, 1);
      if (!next) return;
      const free = Math.min(
        mostOfChannel - (this.#busy().get(next.channel_id) ?? 0),
        this.#share.roomFor(next.owner_id),
      );
      if (free <= 0) continue;
      const taken = await store.housekeeping((tx) => leaseOf(tx, next, free, now));
      for (const delivery of taken) this.#start(delivery);
    }
  }

  /** How many messages are on their way to each channel. */
  #busy(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { channelId } of this.#onTheWay.values())
      counts.set(channelId, (counts.get(channelId) ?? 0) + 1);
    return counts;
  }

  #start(delivery: DeliveryRow): void {
    // Its lease ran out while this process was held up, but it is still at it.
    if (this.#onTheWay.has(delivery.id)) return;
    this.#share.take(delivery.owner_id);
    const done = this.#send(delivery)
      .catch((error: unknown) =>
        this.#deps.log.error(
          { delivery: delivery.id, error: String(error) },
          'a delivery could not be marked',
        ),
      )
      .finally(() => {
        this.#onTheWay.delete(delivery.id);
        this.#share.release(delivery.owner_id);
        if (!this.#stopped) this.wake();
      });
    this.#onTheWay.set(delivery.id, { channelId: delivery.channel_id, done });
  }

  async #send(delivery: DeliveryRow): Promise<void> {
    const startedAt = this.#now();
    const channel = await this.#channel(delivery);
    if (channel?.enabled !== 1) {
      const message = `The channel is ${channel ? 'disabled' : 'deleted'}.`;
      return this.#finish(delivery, channel, { problem: { message, isFinal: true, isUntried: true } });
    }
    if (delivery.occasion === 'updated' && (await this.#isClosed(delivery))) {
      const message = 'The alert was closed before the message was sent.';
      return this.#finish(delivery, channel, { problem: { message, isFinal: true, isUntried: true } });
    }
    const message = JSON.parse(delivery.message) as AlertMessage;
    const outcome = await attempt(channel, message, await this.#earlier(delivery), this.#deps);
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
      if (!outcome.problem && delivery.occasion === 'opened') await this.#tellIfClosed(tx, delivery);
    });
  }

  /** A message that was dead when its alert was closed, and sent again later, must not be the last that is heard of it. */
  async #tellIfClosed(tx: ControlTransaction, { owner_id, alert_id }: DeliveryRow): Promise<void> {
    const alert = await seekOwned(tx, 'alerts', { owner_id, id: alert_id });
    if (alert?.status === 'Closed') await this.#deps.router.closed(tx, alert);
  }

  /** What joined an alert is no news after its end, and would begin an incident anew on the other side. */
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

  /** What the first message about the alert became there. */
  async #earlier({ owner_id, alert_id, channel_id, occasion }: DeliveryRow): Promise<External | undefined> {
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
