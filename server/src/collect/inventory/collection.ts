import type { Clock } from '../../platform/clock.ts';
import { Deadline } from './deadline.ts';
import { type Problem, problemOf } from './problem.ts';
import type { Reading, ReadingOutput } from './reading.ts';
import type { SnapshotSink } from './sink.ts';
import { type ScopeResult, SnapshotWriter } from './snapshot-writer.ts';

export interface CollectionDeps {
  readonly cloudAccount: string;
  readonly sink: SnapshotSink;
  readonly clock: Clock;
  /** Readings at the same time; calls are limited by the budget. */
  readonly concurrency?: number;
  /** Milliseconds without progress after which a reading is given up. */
  readonly timeout?: number;
}

/** Called when a reading ends. */
export type ReadingListener = (reading: Reading, results: readonly ScopeResult[]) => void | Promise<void>;

const defaultConcurrency = 16;
/** Kinds of a reading whose ends are sent at the same time: the store commits those that wait together. */
const finishedTogether = 16;
const defaultTimeout = 30 * 60_000;

/** Runs the readings of one cloud account. A reading that fails does not stop the others. */
export class Collection {
  readonly #deps: CollectionDeps;

  constructor(deps: CollectionDeps) {
    this.#deps = deps;
  }

  /** Rejects only if the signal aborts or the sink fails: what was finished until then stays. */
  async run(readings: readonly Reading[], signal: AbortSignal, onEnd: ReadingListener): Promise<void> {
    const waiting = [...readings];
    const failed = new AbortController();
    const stopped = AbortSignal.any([signal, failed.signal]);
    const work = async () => {
      for (let reading = waiting.shift(); reading; reading = waiting.shift()) {
        stopped.throwIfAborted();
        await onEnd(reading, await this.#read(reading, stopped));
      }
    };
    const { concurrency = defaultConcurrency } = this.#deps;
    const workers = Array.from({ length: Math.min(concurrency, readings.length) }, async () => {
      await work().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      });
    });
    const [firstFailure] = (await Promise.allSettled(workers)).filter(({ status }) => status === 'rejected');
    if (firstFailure) throw failed.signal.reason;
  }

  async #read(reading: Reading, signal: AbortSignal): Promise<ScopeResult[]> {
    const { cloudAccount, sink, clock } = this.#deps;
    const timeout = reading.timeout ?? this.#deps.timeout ?? defaultTimeout;
    const started = clock.now();
    const { region } = reading;
    const writers = new Map(
      reading.kinds.map((kind) => [kind, new SnapshotWriter(sink, { kind, cloudAccount, region, started })]),
    );
    const writerOf = (kind: string) => {
      const writer = writers.get(kind);
      if (!writer) throw new Error(`${reading.id} does not declare ${kind}.`);
      return writer;
    };
    const deadline = new Deadline(timeout);
    const progressing = (kind: string) => {
      deadline.progress();
      return writerOf(kind);
    };
    const output: ReadingOutput = {
      add: (kind, resource) => progressing(kind).add(resource),
      unread: (kind, key, problem) => progressing(kind).unread(key, problem),
      gap: (kind, problem) => progressing(kind).fail(problem),
    };
    try {
      await reading.read(output, AbortSignal.any([signal, deadline.signal]));
    } catch (error) {
      signal.throwIfAborted();
      const problem = deadline.reason ? givenUp(reading, deadline.reason) : problemOf(error);
      for (const writer of writers.values()) writer.fail(problem);
    } finally {
      deadline.clear();
    }
    const results: ScopeResult[] = [];
    const unfinished = [...writers.values()];
    while (unfinished.length > 0)
      results.push(
        ...(await Promise.all(
          unfinished.splice(0, finishedTogether).map((writer) => writer.finish(clock.now())),
        )),
      );
    return results;
  }
}

function givenUp({ id }: Reading, reason: string): Problem {
  return { status: 'failed', reason: `${id} was given up: ${reason}.` };
}
