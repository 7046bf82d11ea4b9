import type { Clock } from '../../../platform/clock.ts';
import { Refusal } from '../../../platform/errors.ts';
import { FairShare } from '../../../platform/fair-share.ts';
import type { Batch, Stored } from '../../batch.ts';
import type { DiskBudget } from '../disk/disk-budget.ts';
import { isDamagedBlock, isDiskFailure } from '../engine/disk-failure.ts';
import { type Engine, isOutOfMemory } from '../engine/engine.ts';
import type { Damage, SegmentTable } from '../recovery/damage.ts';
import type { Recovery } from '../recovery/recovery.ts';
import { holdingKeys } from '../segments/idempotency-keys.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';
import { GroupCommit } from './group-commit.ts';

export interface WriterDeps {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly clock: Clock;
  readonly budget: DiskBudget;
  readonly recovery: Recovery;
  readonly damage: Damage;
}

interface Waiting {
  readonly batch: Batch;
  readonly size: number;
  resolve(stored: Stored): void;
  reject(error: unknown): void;
}

/** Batches, and bytes of them, that are committed together at most: so many take a fraction of a second. */
const mostTogether = { batches: 128, bytes: 8 * 1024 * 1024 };
/** Bytes of records that may wait, an account at most half of them; past it a batch is refused before any of it is kept. */
const mostWaiting = { capacity: 64 * 1024 * 1024, reserve: 'its own' } as const;
/** What a batch counts at least, so that many small ones have a bound, too. */
const smallestBatch = 4_096;

/**
 * The one writer. A batch is stored whole or not at all, with its idempotency key, in one transaction of one file; it is
 * durable when the promise resolves. Numbers of batches follow the order of commits.
 */
export class Writer {
  readonly #deps: WriterDeps;
  /** By account; the account that was served last stands last. */
  readonly #queue = new Map<string, Waiting[]>();
  readonly #waiting = new FairShare(mostWaiting);
  #running: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  store(batch: Batch): Promise<Stored> {
    const { account, records } = batch;
    const size = records.reduce((sum, record) => sum + record.length, smallestBatch);
    // One alone always fits, whatever its size.
    if (this.#waiting.used > 0 && !this.#waiting.mayTake(account, size)) {
      return Promise.reject(
        new Refusal(
          'UNAVAILABLE',
          'Too many batches are waiting to be stored: send the batch again in a few seconds.',
        ),
      );
    }
    this.#waiting.take(account, size);
    return new Promise((resolve, reject) => {
      const queue = this.#queue.get(account) ?? [];
      this.#queue.set(account, queue);
      queue.push({ batch, size, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  waitingBatches(account: string): number {
    return this.#queue.get(account)?.length ?? 0;
  }

  /** Does something while nothing else is written. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#running;
    await this.#turn;
  }

  /** Batches that came while others were written are committed together: the disk is asked once for all of them. */
  async #drain(): Promise<void> {
    while (this.#queue.size > 0) {
      await this.inTurn(async () => {
        const group = this.#takeGroup();
        await this.#storeGroup(group);
        for (const { batch, size } of group) this.#waiting.release(batch.account, size);
      });
    }
    this.#running = undefined;
  }

  /** The oldest batch of each account before a second one of any; what an account sent keeps its order. */
  #takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    let bytes = 0;
    while (group.length < mostTogether.batches && bytes < mostTogether.bytes) {
      const [first] = this.#queue;
      if (!first) break;
      const [account, queue] = first;
      this.#queue.delete(account);
      const next = queue.shift();
      if (next) {
        group.push(next);
        bytes += next.size;
      }
      if (queue.length > 0) this.#queue.set(account, queue);
    }
    return group;
  }

  async #storeGroup(group: readonly Waiting[]): Promise<void> {
    const { budget, recovery } = this.#deps;
    try {
      await recovery.ready();
      await budget.make(group.reduce((sum, { size }) => sum + size, 0));
      const stored = await this.#storeAll(group.map(({ batch }) => batch));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = stored[index] as Stored | Refusal;
        if (outcome instanceof Refusal) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      // Nothing of the group was kept; one bad batch must not take the others with it.
      if (isDamagedBlock(error) && (await this.#findsDamagedKeys())) await this.#storeGroup(group);
      else if (isDiskFailure(error)) await this.#giveUp(group, error);
      else if (group.length === 1) group[0]?.reject(isOutOfMemory(error) ? tooLarge() : error);
      else for (const waiting of group) await this.#storeGroup([waiting]);
    }
  }

  /** Whether keys of a day turn out to be damaged. They are left out from then on: a batch may then be stored twice, but is stored. */
  async #findsDamagedKeys(): Promise<boolean> {
    const { segments, clock, damage } = this.#deps;
    const open = holdingKeys(segments.all(), clock.now())
      .map(keysOf)
      .filter((keys) => !damage.isKnown(keys));
    let isFound = false;
    for (const keys of open) {
      const reason = await damage.check(keys).catch(() => undefined);
      isFound ||= reason !== undefined;
    }
    return isFound;
  }

  async #giveUp(group: readonly Waiting[], error: unknown): Promise<void> {
    const { budget, recovery } = this.#deps;
    const refusal = await budget.refusal(error).catch(() => error);
    const recovered = recovery.recover();
    for (const { reject } of group) reject(refusal);
    // If it fails, the next search or batch tries again.
    await recovered.catch(() => undefined);
  }

  #storeAll(batches: readonly Batch[]): Promise<(Stored | Refusal)[]> {
    const { engine, segments, clock, damage } = this.#deps;
    // Past segments are searched for repeats, so none may be dropped meanwhile.
    return segments.reading(() =>
      engine.use(async (connection) => {
        const now = clock.now();
        const segment = await segments.ofToday(now);
        const withKeys = segments.all().filter((each) => !damage.isKnown(keysOf(each)));
        const commit = new GroupCommit({ connection, segment, withKeys, now, after: segments.lastSequence });
        const stored = await commit.store(batches);
        segments.lastSequence = commit.lastSequence;
        return stored;
      }),
    );
  }
}

function tooLarge(): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    'Not enough memory for the batch: send it again in a few seconds, or send smaller batches.',
  );
}

function keysOf(segment: Segment): SegmentTable {
  return { segment, table: 'batches' };
}
