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
import { reserveMissing, StoreUnavailable, storeFailure, unreachable } from './store-failure.ts';
import type { Tables } from './tables.ts';

/** Health checks usually time out after ten seconds or less. */
const pingTimeout = 5_000;

export type ControlTransaction = Transaction<Tables>;

/** The audit description of a change, and messages to publish after its commit. */
export interface Act {
  describe(sentence: string): void;
  /** Queues a message of an owner; owners are served round-robin. */
  publish(topic: string, ownerId: string, payload: unknown): Promise<void>;
}

export interface ChangeOptions {
  /** Whether this change may use the disk reserve: only for essential operations such as signing in. */
  readonly mayUseReserve?: boolean;
}

/**
 * The control store: users, configuration and policies. Reads see committed data only; every change is audited in its
 * transaction.
 */
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
   * Changes with every commit of any process, so that cached reads can be reused while it is unchanged. Undefined if it
   * would require a round trip. It is read once per event-loop iteration, which saves a busy server a fifth of its
   * time.
   */
  stamp(): number | undefined {
    if (this.#stamp === undefined) {
      this.#stamp = this.#readStamp();
      setImmediate(this.#clearStamp);
    }
    return this.#stamp;
  }

  readonly #clearStamp = (): void => {
    this.#stamp = undefined;
  };

  /** Commits a user's change together with its audit entry and messages. */
  transaction<Result>(
    actor: Actor,
    work: (tx: ControlTransaction, act: Act) => Promise<Result>,
    options: ChangeOptions = {},
  ): Promise<Result> {
    const change = async (tx: ControlTransaction) => {
      const now = this.#clock.now();
      let sentence = '';
      const result = await work(tx, {
        describe: (description) => {
          sentence = description;
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

  /** Commits a change by the service itself or a status update of an agent; not audited, because no user made it. */
  housekeeping<Result>(work: (tx: ControlTransaction) => Promise<Result>): Promise<Result> {
    return this.#commit(work);
  }

  /** From now on changes are refused while the reserve can not be allocated. */
  keepReserve(reserve: DiskReserve): void {
    this.#reserve = reserve;
  }

  /** Whether only changes that may use the reserve are accepted. */
  get isDiskFull(): boolean {
    return this.#reserve?.hold() === false;
  }

  /** Of two conflicting concurrent changes the second is refused. */
  async #commit<Result>(
    work: (tx: ControlTransaction) => Promise<Result>,
    { mayUseReserve = false }: ChangeOptions = {},
    triesLeft = 3,
  ): Promise<Result> {
    if (!mayUseReserve && this.isDiskFull) throw reserveMissing();
    try {
      return await this.#write.transaction().execute(work);
    } catch (error) {
      // PostgreSQL rolled this transaction back because of a deadlock or serialization failure, so it is retried.
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

  /** Reads a consistent snapshot on a separate connection, for any duration. */
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

  /** Throws if the store does not respond within a few seconds. */
  async ping(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unreachable(new Error('no response to a ping'))), pingTimeout);
    });
    await Promise.race([sql`select 1`.execute(this.read), timeout]).finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    // Leaves a single complete file, which is safe to copy.
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
