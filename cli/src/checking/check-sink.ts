import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import type {
  SnapshotEffect,
  SnapshotEnd,
  SnapshotId,
  SnapshotPart,
} from '@vedette/server/telemetry/snapshot';
import type { Telemetry } from '@vedette/server/telemetry/telemetry';
import { snapshotName } from '../collecting/resource-file.ts';

/**
 * Stores snapshots for one check. The last part of each is stored with its end, so that all snapshots that end at the same
 * time share one transaction: most have a single small part.
 */
export class CheckSink implements SnapshotSink {
  readonly #telemetry: Pick<Telemetry, 'stageResources' | 'finishSnapshot'>;
  readonly #account: string;
  readonly #held = new Map<string, SnapshotPart>();
  readonly #finished = new Set<string>();

  constructor(telemetry: Pick<Telemetry, 'stageResources' | 'finishSnapshot'>, account: string) {
    this.#telemetry = telemetry;
    this.#account = account;
  }

  async part(id: SnapshotId, part: SnapshotPart): Promise<void> {
    const name = snapshotName(id);
    const before = this.#held.get(name);
    this.#held.set(name, part);
    if (before) await this.#telemetry.stageResources(this.#account, id, before);
  }

  async finish(id: SnapshotId, end: SnapshotEnd): Promise<SnapshotEffect> {
    const name = snapshotName(id);
    // The store was empty, so there is nothing to compare a digest with.
    if (end.digest !== undefined && !this.#finished.has(scopeOf(id)))
      return { opened: 0, closed: 0, differs: 'new' };
    const held = this.#held.get(name);
    this.#held.delete(name);
    this.#finished.add(scopeOf(id));
    const isOnly = held?.number === 1 && end.parts === 1;
    if (held && !isOnly && end.parts > 0) await this.#telemetry.stageResources(this.#account, id, held);
    return this.#telemetry.finishSnapshot(this.#account, id, isOnly ? { ...end, part: held } : end);
  }
}

function scopeOf({ kind, cloudAccount, region }: SnapshotId): string {
  return JSON.stringify([kind, cloudAccount, region]);
}
