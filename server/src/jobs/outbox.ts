import { type ExpressionBuilder, sql } from 'kysely';
import type { ControlStore } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { Clock } from '../platform/clock.ts';
import { FairWorkers } from '../platform/fair-workers.ts';
import type { Log } from '../platform/log.ts';

type Message = Tables['outbox'];

export type OutboxHandler = (payload: never) => Promise<void>;

/** Messages that are handled at once, one of each account: to forget a large account may take minutes. */
const atOnce = { capacity: 2, reserve: 1 };
/** Accounts among which the next one is chosen: those whose oldest messages have waited longest. */
const mostSeen = 1_000;
/** A message belongs to a node for so long, and longer while it is handled. */
const lease = 60_000;
const longestDelay = 3_600_000;

/**
 * Does what a committed transaction asked for, at least once: a message is leased, handled and then deleted, so a node
 * that dies in between leaves it to the next one.
 */
export class Outbox {
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #handlers: Readonly<Record<string, OutboxHandler>>;
  readonly #workers = new FairWorkers<Message>({
    limits: atOnce,
    accounts: () => this.#accounts(),
    take: (account) => this.#take(account),
    work: (message) => this.#handle(message),
    failed: (error) => this.#log.error({ error: String(error) }, 'an outbox message was lost'),
  });
  readonly #handled = new Set<Message>();
  /** The oldest message of each account. */
  #oldest = new Map<string, string>();

  constructor(
    store: ControlStore,
    clock: Clock,
    log: Log,
    handlers: Readonly<Record<string, OutboxHandler>>,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#handlers = handlers;
  }

  /** Handles everything that is due now. */
  drain(): Promise<void> {
    return this.#workers.drain();
  }

  /** Begins what is due, without waiting for its end. */
  look(): Promise<void> {
    return this.#workers.look();
  }

  /** Tells other nodes that messages are still being handled. */
  async keep(): Promise<void> {
    if (this.#handled.size === 0) return;
    const due_at = this.#clock.now() + lease;
    await this.#store.housekeeping(async (tx) => {
      for (const message of this.#handled)
        await tx.updateTable('outbox').set({ due_at }).where(isSame(message)).execute();
    });
  }

  /** Begins nothing more, and resolves when nothing is handled any more. */
  async stop(): Promise<void> {
    this.#workers.stop();
    await this.#workers.settled();
  }

  get running(): number {
    return this.#workers.running;
  }

  async #accounts(): Promise<Iterable<string>> {
    const due = this.#store.read
      .selectFrom('outbox')
      .select(['id', 'owner_id', 'due_at'])
      .select(sql<number>`row_number() over (partition by owner_id order by due_at, id)`.as('place'))
      .where('due_at', '<=', this.#clock.now());
    const oldest = await this.#store.read
      .selectFrom(due.as('due'))
      .select(['id', 'owner_id'])
      .where('place', '=', 1)
      .orderBy('due_at')
      .orderBy('id')
      .limit(mostSeen)
      .execute();
    this.#oldest = new Map(oldest.map(({ id, owner_id }) => [owner_id, id]));
    return this.#oldest.keys();
  }

  #take(account: string): Promise<Message | undefined> {
    const now = this.#clock.now();
    return this.#store.housekeeping((tx) =>
      tx
        .updateTable('outbox')
        .set(({ eb }) => ({ due_at: now + lease, attempts: eb('attempts', '+', 1) }))
        .where('id', '=', this.#oldest.get(account) ?? '')
        // Another node may have taken it meanwhile.
        .where('due_at', '<=', now)
        .returningAll()
        .executeTakeFirst(),
    );
  }

  async #handle(message: Message): Promise<void> {
    this.#handled.add(message);
    try {
      const handler = this.#handlers[message.topic];
      if (!handler) throw new Error(`nothing handles the topic ${message.topic}`);
      await handler(JSON.parse(message.payload) as never);
      this.#handled.delete(message);
      await this.#store.housekeeping((tx) => tx.deleteFrom('outbox').where('id', '=', message.id).execute());
    } catch (error) {
      this.#handled.delete(message);
      this.#log.error(
        { topic: message.topic, attempts: message.attempts, error: String(error) },
        'an outbox message failed',
      );
      const delay = Math.min(1000 * 2 ** message.attempts, longestDelay);
      await this.#store.housekeeping((tx) =>
        tx
          .updateTable('outbox')
          .set({ due_at: this.#clock.now() + delay })
          .where(isSame(message))
          .execute(),
      );
    }
  }
}

/** As it was taken: whoever took it since has counted another attempt. */
function isSame({ id, attempts }: Message) {
  return (is: ExpressionBuilder<Tables, 'outbox'>) => is.and({ id, attempts });
}
