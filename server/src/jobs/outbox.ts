import type { ControlStore } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

export type OutboxHandler = (payload: never) => Promise<void>;

const batch = 20;
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
  async drain(): Promise<void> {
    for (;;) {
      const messages = await this.#lease();
      for (const message of messages) await this.#handle(message);
      if (messages.length < batch) return;
    }
  }

  async #lease() {
    const now = this.#clock.now();
    const waiting = await this.#store.read
      .selectFrom('outbox')
      .select('id')
      .where('due_at', '<=', now)
      .limit(1)
      .execute();
    // Most of the time nothing waits; then nothing is written either.
    if (waiting.length === 0) return [];
    return this.#store.housekeeping((tx) =>
      tx
        .updateTable('outbox')
        .set(({ eb }) => ({ due_at: now + lease, attempts: eb('attempts', '+', 1) }))
        .where('id', 'in', (select) =>
          select
            .selectFrom('outbox')
            .select('id')
            .where('due_at', '<=', now)
            .orderBy('due_at')
            .orderBy('id')
            .limit(batch),
        )
        // Said again outside: another node may have leased the row while this statement waited for it.
        .where('due_at', '<=', now)
        .returningAll()
        .execute(),
    );
  }

  async #handle(message: { id: string; topic: string; payload: string; attempts: number }): Promise<void> {
    try {
      const handler = this.#handlers[message.topic];
      if (!handler) throw new Error(`nothing handles the topic ${message.topic}`);
      await handler(JSON.parse(message.payload) as never);
      await this.#store.housekeeping((tx) => tx.deleteFrom('outbox').where('id', '=', message.id).execute());
    } catch (error) {
      this.#log.error(
        { topic: message.topic, attempts: message.attempts, error: String(error) },
        'an outbox message failed',
      );
      const delay = Math.min(1000 * 2 ** message.attempts, longestDelay);
      await this.#store.housekeeping((tx) =>
        tx
          .updateTable('outbox')
          .set({ due_at: this.#clock.now() + delay })
          .where('id', '=', message.id)
          .execute(),
      );
    }
  }
}
