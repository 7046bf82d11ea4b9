import { type ExpressionBuilder, sql } from 'kysely';
import type { ControlStore } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { Clock } from '../platform/clock.ts';
import { FairWorkers } from '../platform/fair-workers.ts';
import type { Log } from '../platform/log.ts';

type Message = Tables['outbox'];

export type OutboxHandler = (payload: never) => Promise<void>;

/** Concurrency: one message per account, because purging a large account may take minutes. */
const concurrency = { capacity: 2, reserve: 1 };
/** Number of accounts considered at a time: those with the oldest due messages. */
const maxAccounts = 1_000;
/** Lease of a message in milliseconds; extended while it is being handled. */
const lease = 60_000;
const maxDelay = 3_600_000;

/**
 * Processes messages of committed transactions at least once: a message is leased, handled and then deleted, so that
 * another node takes over after a crash.
 */
export class Outbox {
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #handlers: Readonly<Record<string, OutboxHandler>>;
  readonly #workers = new FairWorkers<Message>({
    limits: concurrency,
    accounts: () => this.#accounts(),
    take: (account) => this.#take(account),
    work: (message) => this.#handle(message),
    failed: (error) =>
      this.#log.error({ error: String(error) }, 'the state of an outbox message could not be stored'),
  });
  readonly #inProgress = new Set<Message>();
  /** Id of the oldest message of each account. */
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

  /** Handles all due messages. */
  drain(): Promise<void> {
    return this.#workers.drain();
  }

  /** Starts due messages without waiting for their completion. */
  poll(): Promise<void> {
    return this.#workers.poll();
  }

  /** Extends the leases of messages being handled. */
  async renewLeases(): Promise<void> {
    if (this.#inProgress.size === 0) return;
    const due_at = this.#clock.now() + lease;
    await this.#store.housekeeping(async (tx) => {
      for (const message of this.#inProgress)
        await tx.updateTable('outbox').set({ due_at }).where(hasSameLease(message)).execute();
    });
  }

  /** Starts nothing more, and resolves when all running handlers have ended. */
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
      .select(sql<number>`row_number() over (partition by owner_id order by due_at, id)`.as('position'))
      .where('due_at', '<=', this.#clock.now());
    const oldest = await this.#store.read
      .selectFrom(due.as('due'))
      .select(['id', 'owner_id'])
      .where('position', '=', 1)
      .orderBy('due_at')
      .orderBy('id')
      .limit(maxAccounts)
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
        // Another node may have leased it meanwhile.
        .where('due_at', '<=', now)
        .returningAll()
        .executeTakeFirst(),
    );
  }

  async #handle(message: Message): Promise<void> {
    this.#inProgress.add(message);
    try {
      const handler = this.#handlers[message.topic];
      if (!handler) throw new Error(`there is no handler for the topic ${message.topic}`);
      await handler(JSON.parse(message.payload) as never);
      this.#inProgress.delete(message);
      await this.#store.housekeeping((tx) => tx.deleteFrom('outbox').where('id', '=', message.id).execute());
    } catch (error) {
      this.#inProgress.delete(message);
      this.#log.error(
        { topic: message.topic, attempts: message.attempts, error: String(error) },
        'an outbox message failed',
      );
      const delay = Math.min(1000 * 2 ** message.attempts, maxDelay);
      await this.#store.housekeeping((tx) =>
        tx
          .updateTable('outbox')
          .set({ due_at: this.#clock.now() + delay })
          .where(hasSameLease(message))
          .execute(),
      );
    }
  }
}

/** Matches only the current lease: a later one has counted another attempt. */
function hasSameLease({ id, attempts }: Message) {
  return (is: ExpressionBuilder<Tables, 'outbox'>) => is.and({ id, attempts });
}
