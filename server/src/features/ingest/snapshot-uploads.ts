import { FairQueue } from '../../platform/fair-queue.ts';
import type { PartRequest, ResourceIntake } from '../../telemetry/resource-intake.ts';
import type { SnapshotEffect, SnapshotEnd, SnapshotId, SnapshotPart } from '../../telemetry/snapshot.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** A part of a snapshot, its end, or both. */
export interface SnapshotUpload {
  readonly account: string;
  readonly id: SnapshotId;
  readonly request: PartRequest | undefined;
  readonly end: SnapshotEnd | undefined;
}

export interface UploadResult extends SnapshotEffect {
  readonly received: number;
  readonly missing: readonly string[];
}

/**
 * Longer bodies are parsed one at a time for each account, because that takes a multiple of their size; those that are
 * longer than collectors send are also stored one at a time, instead of several in one transaction.
 */
const [largeBody, hugeBody] = [256 * 1024, 2 * 1024 * 1024];

/** Also limits what is held for clients that have gone: their bodies are no longer counted. */
const limits = { noun: 'part', waiting: 256, waitingPerAccount: 128, seconds: 120 };

/** Parses and stores what collectors send, in turns by account. */
export class SnapshotUploads {
  readonly #telemetry: Telemetry;
  readonly #intake: ResourceIntake;
  readonly #small = new FairQueue({ ...limits, concurrency: 128 });
  readonly #large = new FairQueue({ ...limits, concurrency: 8 });
  readonly #parsing = new FairQueue({ ...limits, concurrency: 2 });

  constructor(telemetry: Telemetry, intake: ResourceIntake) {
    this.#telemetry = telemetry;
    this.#intake = intake;
  }

  async store(upload: SnapshotUpload): Promise<UploadResult> {
    const { account, request } = upload;
    if (!request) return this.#apply(upload, undefined);
    const { length } = request.body;
    const read = () => this.#intake.read(request);
    if (length <= largeBody) return this.#small.run(account, async () => this.#apply(upload, await read()));
    if (length <= hugeBody)
      return this.#large.run(account, async () =>
        this.#apply(upload, await this.#parsing.run(account, read)),
      );
    return this.#parsing.run(account, async () => this.#apply(upload, await read()));
  }

  async #apply(
    { account, id, request, end }: SnapshotUpload,
    part: SnapshotPart | undefined,
  ): Promise<UploadResult> {
    const { resources = [], unread = [], known = [] } = part ?? {};
    const isOnly = end?.parts === 1 && part?.number === 1 && known.length === 0;
    const isTogether = isOnly && (request?.body.length ?? 0) <= hugeBody;
    const missing = part && !isTogether ? await this.#telemetry.stageResources(account, id, part) : [];
    const whole = end && { ...end, ...(part && isTogether && { part }) };
    const effect = whole
      ? await this.#telemetry.finishSnapshot(account, id, whole)
      : { opened: 0, closed: 0 };
    return { received: resources.length + unread.length + known.length - missing.length, ...effect, missing };
  }
}
