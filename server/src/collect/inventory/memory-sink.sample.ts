import type { Resource } from '../../telemetry/resource.ts';
import type {
  SnapshotEffect,
  SnapshotEnd,
  SnapshotId,
  SnapshotPart,
  UnreadResource,
} from '../../telemetry/snapshot.ts';
import type { SnapshotSink } from './sink.ts';

/** What a collection sent for one scope. */
export interface SentSnapshot extends SnapshotId, SnapshotEnd {
  readonly resources: readonly Resource[];
  readonly unread: readonly UnreadResource[];
}

/** Keeps snapshots in memory, for tests of collectors. */
export class MemorySink implements SnapshotSink {
  readonly snapshots: SentSnapshot[] = [];
  readonly #parts = new Map<string, SnapshotPart[]>();

  async part(id: SnapshotId, part: SnapshotPart): Promise<void> {
    const key = JSON.stringify(id);
    this.#parts.set(key, [...(this.#parts.get(key) ?? []), part]);
  }

  async finish(id: SnapshotId, end: SnapshotEnd): Promise<SnapshotEffect> {
    if (end.digest !== undefined) return { opened: 0, closed: 0, differs: 'new' };
    if (end.part) await this.part(id, end.part);
    const parts = end.parts === 0 ? [] : (this.#parts.get(JSON.stringify(id)) ?? []);
    const resources = parts.flatMap((part) => part.resources);
    const { ended, status, reason, parts: count } = end;
    this.snapshots.push({
      ...id,
      ...{ ended, status, reason, parts: count },
      resources,
      unread: parts.flatMap((part) => part.unread),
    });
    return { opened: resources.length, closed: 0 };
  }

  /** The snapshots of a kind. */
  of(kind: string): SentSnapshot[] {
    return this.snapshots.filter((snapshot) => snapshot.kind === kind);
  }

  /** The configurations of a kind's resources by key, over all regions. */
  configs(kind: string): Record<string, unknown> {
    const resources = this.of(kind).flatMap((snapshot) => snapshot.resources);
    return Object.fromEntries(resources.map(({ key, config }) => [key, JSON.parse(config)]));
  }
}
