import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { newSortableId } from '../platform/ids.ts';
import type { Actor } from './actor.ts';
import {
  type ControlDialect,
  connectForReading,
  connectForWriting,
  dialectOf,
  sqliteFile,
} from './connect.ts';
import type { DiskReserve } from './disk-reserve.ts';
import { migrate } from './migrate.ts';
import { openForReading } from './sqlite/open.ts';
import { StoreUnavailable, storeFailure, unreachable, withoutReserve } from './store-failure.ts';
import type { Tables } from './tables.ts';

/** Monitors wait for ten seconds and often less. */
const pingTimeout = 5_000;

export type ControlTransaction = Transaction<Tables>;

/** What a change may add to itself: the sentence of its audit entry and messages for after the commit. */
export interface Act {
  describe(sentence: string): void;
  /** A message about something of an owner, whose messages take turns with those of others. */
  publish(topic: string, ownerId: string, payload: unknown): Promise<void>;
}

export interface ChangeOptions {
  /** Whether a full disk gives its reserve for this change: only for what nobody can do without, such as signing in. */
  readonly mayUseReserve?: boolean;
}

/** What people decided. Reads see committed data only; every change is audited in its own transaction. */
export class ControlStore {
  readonly url: string;
  readonly dialect: ControlDialect;
  readonly read: Kysely<Tables>;
  readonly #write: Kysely<Tables>;
  readonly #clock: Clock;
  readonly #readStamp: () => number | undefined;
  #stamp: number | undefined;
  #reserve: DiskReserve | undefined;
  readonly #closers: (() => void | Promise<void>)[];

  private constructor(url: string, write: Kysely<Tables>, read: Kysely<Tables>, clock: Clock) {
    this.url = url;
    this.dialect = dialectOf(url);
    this.read = read;
    this.#write = write;
    this.#clock = clock;
    this.#closers = [() => write.destroy()];
    this.#readStamp = () => undefined;
    if (this.dialect === 'postgres') return;
    const watch = openForReading(sqliteFile(url));
    const version = watch.prepare('pragma data_version');
    this.#readStamp = () => {
      try {
        return (version.get() as { data_version: number }).data_version;
      } catch (error) {
        throw storeFailure(error);
      }
    };
    this.#closers.unshift(
      () => read.destroy(),
      () => watch.close(),
    );
  }

  static async open(url: string, clock: Clock): Promise<ControlStore> {
    const write = await connectForWriting<Tables>(url);
    await migrate(write as Kysely<unknown>, dialectOf(url));
    const read = dialectOf(url) === 'postgres' ? write : await connectForReading<Tables>(url);
    return new ControlStore(url, write, read, clock);
  }

  /**
   * A number that is different after anyone committed anything, this process or another, so that what was read
   * before can be reused while it stays the same. Undefined where the store can not tell without a round trip. It is
   * read once in a turn of the event loop, which costs a busy server a fifth of its time less.
   */
  stamp(): number | undefined {
    if (this.#stamp === undefined) {
      this.#stamp = this.#readStamp();
      setImmediate(this.#forgetStamp);
    }
    return this.#stamp;
  }

  readonly #forgetStamp = (): void => {
    this.#stamp = undefined;
  };

  /** The one way to change what people decided: the change, its audit entry and its messages commit together. */
  transaction<Result>(
    actor: Actor,
    work: (tx: ControlTransaction, act: Act) => Promise<Result>,
    options: ChangeOptions = {},
  ): Promise<Result> {
    const change = async (tx: ControlTransaction) => {
      const now = this.#clock.now();
      let sentence = '';
      const result = await work(tx, {
        describe: (text) => {
          sentence = text;
        },
        publish: async (topic, owner_id, payload) => {
          const message = { id: newSortableId(now), owner_id, topic, payload: JSON.stringify(payload) };
          await tx
            .insertInto('outbox')
            .values({ ...message, created_at: now, due_at: now, attempts: 0 })
            .execute();
        },
      });
      const entry = {
        id: newSortableId(now),
        owner_id: actor.ownerId,
        created_at: now,
        account_name: actor.accountName.toUpperCase(),
        user_name: actor.userName,
        event_name: actor.act,
        user_action: actor.act,
        event_description: sentence
          ? `${actor.act} by ${actor.userName}: ${sentence}`
          : `${actor.act} by ${actor.userName}`,
      };
      await tx.insertInto('audit_log').values(entry).execute();
      return result;
    };
    return this.#commit(change, options);
  }

  /** The service tidying up after itself, or a machine saying how it is. Nobody decided it, so nothing is audited. */
  housekeeping<Result>(work: (tx: ControlTransaction) => Promise<Result>): Promise<Result> {
    return this.#commit(work);
  }

  /** From now on changes are refused while the disk is too full for the reserve to be there. */
  keepReserve(reserve: DiskReserve): void {
    this.#reserve = reserve;
  }

  /** Whether only what may use the reserve is written. */
  get isDiskFull(): boolean {
    return this.#reserve?.hold() === false;
  }

  /** Two changes that contradict each other at the same moment: the second one is refused, not failed. */
  async #commit<Result>(
    work: (tx: ControlTransaction) => Promise<Result>,
    { mayUseReserve = false }: ChangeOptions = {},
    triesLeft = 3,
  ): Promise<Result> {
    if (!mayUseReserve && this.isDiskFull) throw withoutReserve();
    try {
      return await this.#write.transaction().execute(work);
    } catch (error) {
      // Two changes waited for each other and PostgreSQL rolled this one back: nothing of it happened, so it starts again.
      if (triesLeft > 0 && isDeadlock(error)) return this.#commit(work, { mayUseReserve }, triesLeft - 1);
      const isFull = error instanceof StoreUnavailable && error.isDiskFull;
      if (isFull && mayUseReserve && this.#reserve?.release()) return this.#commit(work, { mayUseReserve });
      if (!isUniqueViolation(error)) throw error;
      throw new Refusal(
        'CONFLICT',
        'It already exists because another request created it at the same time: read it again.',
      );
    }
  }

  /** Reads everything as it is at one moment, on a connection of its own, however long it takes. */
  async snapshot<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    const db = await connectForReading<Tables>(this.url, { connections: 1 });
    try {
      return await db
        .transaction()
        .setAccessMode('read only')
        .setIsolationLevel('repeatable read')
        .execute(work);
    } finally {
      await db.destroy();
    }
  }

  /** Whether it answers, and soon. */
  async ping(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unreachable(new Error('no answer to a ping'))), pingTimeout);
    });
    await Promise.race([sql`select 1`.execute(this.read), late]).finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    // Leaves one whole file behind, which is what a person copies.
    if (this.dialect === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(this.#write);
    for (const close of this.#closers) await close();
  }
}

function isDeadlock(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '40P01' || code === '40001';
}

function isUniqueViolation(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '23505' || String(message).startsWith('UNIQUE constraint failed');
}
