import type { Problem } from '@vedette/server/collect/inventory/problem';
import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import { type ScopeResult, SnapshotWriter } from '@vedette/server/collect/inventory/snapshot-writer';
import type { Resource } from '@vedette/server/telemetry/resource';
import type { SnapshotScope } from '@vedette/server/telemetry/snapshot-scope';

/** Writes the snapshots of a file, each as a whole. */
export class ImportWriter {
  readonly #sink: SnapshotSink;
  /** When the file was made: the time of its snapshots. */
  readonly #captured: number;
  readonly #writers = new Map<string, SnapshotWriter>();

  constructor(sink: SnapshotSink, captured: number) {
    this.#sink = sink;
    this.#captured = captured;
  }

  /** The file has the scope, maybe without resources. */
  has(scope: SnapshotScope): void {
    this.#writerOf(scope);
  }

  async add(scope: SnapshotScope, resource: Resource): Promise<void> {
    await this.#writerOf(scope).add(resource);
  }

  /** What is stored of the scope stays. */
  fail(scope: SnapshotScope, problem: Problem): void {
    this.#writerOf(scope).fail(problem);
  }

  /** Makes the snapshots visible. */
  async *finish(): AsyncGenerator<ScopeResult> {
    for (const writer of this.#writers.values()) yield await writer.finish(this.#captured);
  }

  #writerOf({ kind, cloudAccount, region }: SnapshotScope): SnapshotWriter {
    const name = JSON.stringify([kind, cloudAccount, region]);
    const known = this.#writers.get(name);
    if (known) return known;
    const id = { kind, cloudAccount, region, started: this.#captured };
    const writer = new SnapshotWriter(this.#sink, id);
    this.#writers.set(name, writer);
    return writer;
  }
}
