import type { Clock } from '../../../platform/clock.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import type { FreeSpace } from '../../file-system.ts';
import { formatSize, type Space } from '../../file-system.ts';
import { diskFullReason } from '../engine/disk-failure.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments, Size } from '../segments/segments.ts';
import { Reserve } from './reserve.ts';
import { SegmentSizes } from './segment-sizes.ts';

export interface DiskBudgetDeps {
  readonly segments: Segments;
  readonly clock: Clock;
  readonly log: Log;
  /** Disk cap for telemetry, in bytes. */
  readonly cap: number | undefined;
  /** The part of the cap reserved for spilled results, so that no search causes a day to be dropped. */
  readonly spillReserve?: number;
  /** Bytes of the inventory, which counts against the cap but is never dropped. */
  readonly inventoryBytes?: () => number;
  /** Measures the file system of the segments. */
  readonly space: () => Promise<Space>;
  /** Called before bytes are written that spilling may no longer use. */
  readonly onSpend?: () => Promise<void>;
}

/** Disk used per byte of JSON: the JSON itself and the typed columns. */
const growth = 2;
/** Disk space reserved for rewriting a day, and the size of the day's files when it was reserved. */
interface RewriteReservation {
  readonly segment: Segment;
  readonly bytes: number;
  readonly before: number;
}

/** Enforces the disk cap: drops the oldest days to make space, and refuses batches if there is none. */
export class DiskBudget {
  readonly #deps: DiskBudgetDeps;
  readonly #reserve: Reserve;
  readonly #sizes: SegmentSizes;
  /** Size of the last write that was refused for lack of space. */
  #refusedBytes = 0;
  #reservation: RewriteReservation | undefined;
  /** Number of callers that have suspended dropping. */
  #dropSuspensions = 0;
  readonly #removals = new Set<Promise<void>>();

  constructor(deps: DiskBudgetDeps) {
    this.#deps = deps;
    this.#sizes = new SegmentSizes(deps.segments, deps.clock);
    this.#reserve = new Reserve({ ...deps, sizes: this.#sizes });
  }

  /** Free and reserved space; after a refused write, the reserve includes that write. */
  freeSpace(): Promise<FreeSpace> {
    return this.#measure(this.#refusedBytes);
  }

  get used(): number {
    const { segments } = this.#deps;
    const sizes = segments.all().map((segment) => segments.sizeOf(segment));
    return sum(sizes.map(({ file, log }) => file + log)) + this.#reservedForRewrite + this.#inventory;
  }

  /** Called before records are written: drops days beyond the cap, or refuses if there is no space. */
  async makeSpace(bytes: number): Promise<void> {
    const { segments, clock, cap = Number.POSITIVE_INFINITY } = this.#deps;
    const today = await segments.current(clock.now());
    const more = bytes * growth;
    if (await this.#isCheckpointUseful(today, more)) {
      await segments.checkpoint(today);
      this.#reserve.forget();
    }
    if (maxSize(segments.sizeOf(today)) + this.#inventory + more > this.#daysCap) throw capReached(cap);
    await this.keepWithinCap(more);
    await this.spend(more);
  }

  /** The same before resources are written. */
  async makeSpaceForInventory(bytes: number): Promise<void> {
    const { cap = Number.POSITIVE_INFINITY } = this.#deps;
    if (this.#inventory + bytes > this.#daysCap) throw inventoryCapReached(cap);
    await this.keepWithinCap(bytes);
    // A checkpoint may rewrite the file.
    await this.spend(bytes + this.#inventory);
  }

  /** Checkpoints a segment if the disk has space for it. */
  async checkpoint(segment: Segment): Promise<void> {
    const { segments } = this.#deps;
    if (!segments.all().includes(segment) || segments.sizeOf(segment).log === 0) return;
    if (!(await this.#reserve.allowsCheckpoint(segment))) return;
    await segments.checkpoint(segment);
    this.#reserve.forget();
  }

  /** Called before a write: refuses if it would use the reserve. */
  async spend(bytes: number): Promise<void> {
    const space = await this.#measure(bytes);
    this.#refusedBytes = space.free < space.reserved ? bytes : 0;
    if (this.#refusedBytes > 0) throw diskFull('the disk is full', space);
    this.#reserve.spend(bytes);
    await this.#deps.onSpend?.();
  }

  /** Drops the oldest days until the stored bytes plus `more` are within the cap. */
  async keepWithinCap(more = 0): Promise<void> {
    const { segments, cap = Number.POSITIVE_INFINITY } = this.#deps;
    for (const oldest of segments.past()) {
      if (this.#dropSuspensions > 0 || this.#maxTotal() + more <= this.#daysCap) return;
      await this.#drop(oldest, `telemetry would take more than VEDETTE_DISK_CAP, ${formatSize(cap)}`);
    }
  }

  /** Drops days whose records are all older. */
  async dropBefore(instant: number): Promise<void> {
    for (const segment of this.#deps.segments.pastBefore(instant)) {
      await this.#drop(segment, 'all of its records are older than VEDETTE_RETENTION_DAYS');
    }
  }

  /** Reserves space to rewrite a day beside the original; false if only dropping that day could free it. */
  async reserveForRewrite(segment: Segment): Promise<boolean> {
    const { segments } = this.#deps;
    const older = segments.past().indexOf(segment);
    if (older < 0) return false;
    const needed = maxSize(segments.sizeOf(segment));
    const droppable = sum(this.#sizes.all().slice(0, older).map(maxSize));
    const { free, reserved } = await this.#measure();
    if (this.#maxTotal() - droppable + needed > this.#daysCap || free - needed < reserved) return false;
    await this.keepWithinCap(needed);
    this.#reservation = { segment, bytes: needed, before: segments.bytesOfDay(segment) };
    return true;
  }

  releaseReservation(): void {
    this.#reservation = undefined;
    this.#invalidateMeasurements();
  }

  /** No day is dropped until `resumeDropping`, even beyond the cap. */
  suspendDropping(): void {
    this.#dropSuspensions++;
  }

  resumeDropping(): void {
    this.#dropSuspensions--;
  }

  /** Resolves when the space of all dropped days has been freed. */
  async idle(): Promise<void> {
    await Promise.all(this.#removals);
  }

  /** The refusal for a write that failed despite the checks. */
  async refusal(error: unknown): Promise<Refusal> {
    const { log } = this.#deps;
    log.error({ error: String(error) }, 'telemetry could not be written');
    this.#reserve.forget();
    const reason = diskFullReason(error);
    if (reason) return diskFull(`the disk is full: ${reason}`, await this.#measure());
    return new Refusal(
      'UNAVAILABLE',
      'The batch was not stored because the disk failed: see the log of the service, then send the batch again.',
    );
  }

  /** A write-ahead log takes several times the space of checkpointed rows, and a checkpoint needs free space itself. */
  async #isCheckpointUseful(today: Segment, more: number): Promise<boolean> {
    const { segments } = this.#deps;
    const size = segments.sizeOf(today);
    if (size.log < (await this.#reserve.minCheckpointSize())) return false;
    const { free, reserved } = await this.#measure(more);
    const isShort = free < reserved + size.log || maxSize(size) + this.#inventory + more > this.#daysCap;
    return isShort && (await this.#reserve.allowsCheckpoint(today));
  }

  get #daysCap(): number {
    const { cap = Number.POSITIVE_INFINITY, spillReserve = 0 } = this.#deps;
    return cap - spillReserve;
  }

  async #drop(segment: Segment, reason: string): Promise<void> {
    const { segments, clock, log } = this.#deps;
    const { day } = segment;
    const { file, log: logBytes } = segments.sizeOf(segment);
    const { removed, damage } = await segments.drop(segment, clock.now());
    if (damage) log.error({ day, error: damage }, 'idempotency keys of a dropped day could not be read');
    log.warn({ day, bytes: file + logBytes, reason }, 'a day of telemetry was dropped');
    this.#invalidateMeasurements();
    // A search may still be reading the segment; batches need not wait for it.
    const removal = removed
      .catch((error: unknown) => log.error({ day, error: String(error) }, 'a dropped day is still on disk'))
      .finally(() => {
        this.#removals.delete(removal);
        this.#invalidateMeasurements();
      });
    this.#removals.add(removal);
  }

  #invalidateMeasurements(): void {
    this.#sizes.forget();
    this.#reserve.forget();
  }

  #maxTotal(): number {
    return sum(this.#sizes.all().map(maxSize)) + this.#reservedForRewrite + this.#inventory;
  }

  get #inventory(): number {
    return this.#deps.inventoryBytes?.() ?? 0;
  }

  get #reservedForRewrite(): number {
    return this.#reservation?.bytes ?? 0;
  }

  /** The part of the reservation that is not written yet. */
  get #unwrittenReservation(): number {
    if (!this.#reservation) return 0;
    const { segment, bytes, before } = this.#reservation;
    const written = Math.max(0, this.#deps.segments.bytesOfDay(segment) - before);
    return Math.max(0, bytes - written);
  }

  #measure(more = 0): Promise<FreeSpace> {
    return this.#reserve.measure(more, this.#unwrittenReservation);
  }
}

/** The log counts twice, because a checkpoint holds it on disk twice. */
function maxSize({ file, log }: Size): number {
  return file + 2 * log;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function capReached(cap: number): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    `Today's records use up VEDETTE_DISK_CAP (${formatSize(cap)}): raise it, or send the batch again after midnight UTC.`,
  );
}

function inventoryCapReached(cap: number): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    `The resources of the clouds use up VEDETTE_DISK_CAP (${formatSize(cap)}): raise it, or lower VEDETTE_RETENTION_DAYS.`,
  );
}

function diskFull(reason: string, { free, reserved }: FreeSpace): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    `The batch was not stored because ${reason} (${formatSize(free)} free, ${formatSize(reserved)} reserved): free some space, lower VEDETTE_RETENTION_DAYS or set ` +
      'VEDETTE_DISK_CAP, then send the batch again.',
  );
}
