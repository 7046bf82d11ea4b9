import type { Clock } from '../../../platform/clock.ts';
import { Refusal } from '../../../platform/errors.ts';
import { FairShare } from '../../../platform/fair-share.ts';
import type { Batch, StoreResult } from '../../batch.ts';
import type { DiskBudget } from '../disk/disk-budget.ts';
import { isDamagedBlock, isDiskFailure } from '../engine/disk-failure.ts';
import { type Engine, isOutOfMemory } from '../engine/engine.ts';
import type { Damage, SegmentTable } from '../recovery/damage.ts';
import type { Recovery } from '../recovery/recovery.ts';
import { segmentsWithKeys } from '../segments/idempotency-keys.ts';
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
  resolve(stored: StoreResult): void;
  reject(error: unknown): void;
}

/**
 * Limits of a group commit, which then takes a fraction of a second. While batches are small, planning the statements of each
 * dataset takes most of the time, so that a fleet of agents needs large groups.
 */
const maxGroup = { batches: 512, bytes: 8 * 1024 * 1024 };
/** Queued bytes; one account may use half. Beyond it batches are refused. */
const queueLimits = { capacity: 64 * 1024 * 1024, reserve: 'its own' } as const;
/** Minimum size of a batch, which bounds the number of small ones too. */
const minBatchSize = 4_096;

/**
 * The single writer. A batch is stored atomically with its idempotency key, in one transaction of one file, and is
 * durable when the promise resolves. Sequence numbers follow the order of commits.
 */
export class Writer {
  readonly #deps: WriterDeps;
  /** By account; the account served last comes last. */
  readonly #queue = new Map<string, Waiting[]>();
  readonly #waiting = new FairShare(queueLimits);
  #running: Promise<void> | undefined;
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  store(batch: Batch): Promise<StoreResult> {
    const { account, records } = batch;
    const size = records.reduce((sum, record) => sum + record.length, minBatchSize);
    // A batch is always accepted if none is waiting, whatever its size.
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

  /** Runs work while nothing else is written. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const write = this.#lastWrite.then(work);
    this.#lastWrite = write.catch(() => undefined);
    return write;
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#running;
    await this.#lastWrite;
  }

  /** Group commit: batches that arrive during a write are committed together, with one fsync. */
  async #drain(): Promise<void> {
    while (this.#queue.size > 0) {
      await this.exclusive(async () => {
        const group = this.#takeGroup();
        await this.#storeGroup(group);
        for (const { batch, size } of group) this.#waiting.release(batch.account, size);
      });
    }
    this.#running = undefined;
  }

  /** Round robin over accounts; batches of an account keep their order. */
  #takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    let bytes = 0;
    while (group.length < maxGroup.batches && bytes < maxGroup.bytes) {
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
      await budget.makeSpace(group.reduce((sum, { size }) => sum + size, 0));
      const stored = await this.#storeAll(group.map(({ batch }) => batch));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = stored[index] as StoreResult | Refusal;
        if (outcome instanceof Refusal) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      // The group was rolled back; its halves are retried, so that one bad batch fails alone in the end.
      if (isDamagedBlock(error) && (await this.#findsDamagedKeys())) await this.#storeGroup(group);
      else if (isDiskFailure(error)) await this.#rejectGroup(group, error);
      else if (group.length === 1) group[0]?.reject(isOutOfMemory(error) ? tooLarge() : error);
      else for (const half of halvesOf(group)) await this.#storeGroup(half);
    }
  }

  /**
   * Checks whether a day's keys are damaged. Damaged keys are ignored from then on: a batch may be stored twice,
   * but is stored.
   */
  async #findsDamagedKeys(): Promise<boolean> {
    const { segments, clock, damage } = this.#deps;
    const unchecked = segmentsWithKeys(segments.all(), clock.now())
      .map(keysOf)
      .filter((keys) => !damage.isKnown(keys));
    let isDamaged = false;
    for (const keys of unchecked) {
      const reason = await damage.check(keys).catch(() => undefined);
      isDamaged ||= reason !== undefined;
    }
    return isDamaged;
  }

  async #rejectGroup(group: readonly Waiting[], error: unknown): Promise<void> {
    const { budget, recovery } = this.#deps;
    const refusal = await budget.refusal(error).catch(() => error);
    const recovered = recovery.recover();
    for (const { reject } of group) reject(refusal);
    // If it fails, the next search or batch retries.
    await recovered.catch(() => undefined);
  }

  #storeAll(batches: readonly Batch[]): Promise<(StoreResult | Refusal)[]> {
    const { engine, segments, clock, damage } = this.#deps;
    // Past segments are searched for repeated keys, so they are pinned.
    return segments.pinned(() =>
      engine.use(async (connection) => {
        const now = clock.now();
        const segment = await segments.current(now);
        const withKeys = segments.all().filter((each) => !damage.isKnown(keysOf(each)));
        const covering = (account: string, path: string, start: number, end: number) =>
          segments
            .covering(account, path, start, end)
            .filter((each) => !damage.isKnown({ segment: each, table: path }));
        const after = segments.lastSequence;
        const commit = new GroupCommit({ connection, segment, withKeys, covering, now, after });
        const stored = await commit.store(batches);
        segments.lastSequence = commit.lastSequence;
        return stored;
      }),
    );
  }
}

function halvesOf<Item>(items: readonly Item[]): readonly Item[][] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
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
