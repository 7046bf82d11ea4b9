import type { Clock } from '../../../platform/clock.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import type { FreeSpace } from '../../file-system.ts';
import { type Space, sizeText } from '../../file-system.ts';
import { fullness } from '../engine/disk-failure.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments, Size } from '../segments/segments.ts';
import { Reserve } from './reserve.ts';
import { SegmentSizes } from './segment-sizes.ts';

export interface DiskBudgetDeps {
  readonly segments: Segments;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes that telemetry may take on disk. */
  readonly cap: number | undefined;
  /** The part of them that is for spilled results: no search makes a day go. */
  readonly setAside?: number;
  /** Measures the file system that the segments lie in. */
  readonly space: () => Promise<Space>;
  /** Called when bytes are about to be written, which nobody else may count on any more. */
  readonly onSpend?: () => Promise<void>;
}

/** A batch takes up to so many times its text: the text itself and the typed columns. */
const growth = 2;
/** What a day that is written anew takes beside itself: bytes that were lent, and those of its files at that time. */
interface Loan {
  readonly segment: Segment;
  readonly bytes: number;
  readonly before: number;
}

/** The disk that telemetry may take: old days make room for new ones, and without room nothing is taken in. */
export class DiskBudget {
  readonly #deps: DiskBudgetDeps;
  readonly #reserve: Reserve;
  readonly #sizes: SegmentSizes;
  /** Bytes that the disk had no room for the last time. */
  #refused = 0;
  #loan: Loan | undefined;
  /** Those who want every day to stay. */
  #keepers = 0;
  readonly #leaving = new Set<Promise<void>>();

  constructor(deps: DiskBudgetDeps) {
    this.#deps = deps;
    this.#sizes = new SegmentSizes(deps.segments, deps.clock);
    this.#reserve = new Reserve({ ...deps, sizes: this.#sizes });
  }

  /** What is free, and what must be before anything more is taken in; where something was refused, as much as that. */
  freeSpace(): Promise<FreeSpace> {
    return this.#measure(this.#refused);
  }

  /** Bytes on disk now. */
  get taken(): number {
    const { segments } = this.#deps;
    const sizes = segments.all().map((segment) => segments.sizeOf(segment));
    return sum(sizes.map(({ file, log }) => file + log)) + this.#lent;
  }

  /** Before records of so many bytes are written: drops days past the cap, or refuses where there is no room. */
  async make(bytes: number): Promise<void> {
    const { segments, clock, cap = Number.POSITIVE_INFINITY } = this.#deps;
    const today = await segments.ofToday(clock.now());
    const more = bytes * growth;
    if (await this.#gainsByTakingUp(today, more)) {
      await segments.takeUp(today);
      this.#reserve.forget();
    }
    if (claim(segments.sizeOf(today)) + more > this.#daysCap) throw capReached(cap);
    await this.keepWithinCap(more);
    await this.spend(more);
  }

  /** Has a day take up what is logged, where the disk has room for it. */
  async takeUp(segment: Segment): Promise<void> {
    const { segments } = this.#deps;
    if (!segments.all().includes(segment) || segments.sizeOf(segment).log === 0) return;
    if (!(await this.#reserve.allowsCheckpoint(segment))) return;
    await segments.takeUp(segment);
    this.#reserve.forget();
  }

  /** Before so many bytes are written: refuses where the reserve would have to give them. */
  async spend(bytes: number): Promise<void> {
    const space = await this.#measure(bytes);
    this.#refused = space.free < space.reserved ? bytes : 0;
    if (this.#refused > 0) throw diskFull('the disk is full', space);
    this.#reserve.spend(bytes);
    await this.#deps.onSpend?.();
  }

  /** Drops the oldest days until what is there and so many bytes more are within the cap. */
  async keepWithinCap(more = 0): Promise<void> {
    const { segments, cap = Number.POSITIVE_INFINITY } = this.#deps;
    for (const oldest of segments.past()) {
      if (this.#keepers > 0 || this.#claimed() + more <= this.#daysCap) return;
      await this.#drop(oldest, `telemetry would take more than VEDETTE_DISK_CAP, ${sizeText(cap)}`);
    }
  }

  /** Drops days of which every record is older. */
  async dropBefore(instant: number): Promise<void> {
    for (const segment of this.#deps.segments.pastBefore(instant)) {
      await this.#drop(segment, 'all of its records are older than VEDETTE_RETENTION_DAYS');
    }
  }

  /** Takes room for a day that is to be written anew beside itself; false where only the day itself could make it. */
  async lend(segment: Segment): Promise<boolean> {
    const { segments } = this.#deps;
    const older = segments.past().indexOf(segment);
    if (older < 0) return false;
    const needed = claim(segments.sizeOf(segment));
    const gained = sum(this.#sizes.all().slice(0, older).map(claim));
    const { free, reserved } = await this.#measure();
    if (this.#claimed() - gained + needed > this.#daysCap || free - needed < reserved) return false;
    await this.keepWithinCap(needed);
    this.#loan = { segment, bytes: needed, before: segments.bytesOfDay(segment) };
    return true;
  }

  giveBack(): void {
    this.#loan = undefined;
    this.#forgetMeasured();
  }

  /** No day is dropped until `letGo`, even past the cap. */
  keepAll(): void {
    this.#keepers++;
  }

  letGo(): void {
    this.#keepers--;
  }

  /** Resolves when the disk of all days that were dropped is free. */
  async idle(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** What is said when a write failed all the same. */
  async refusal(error: unknown): Promise<Refusal> {
    const { log } = this.#deps;
    log.error({ error: String(error) }, 'telemetry could not be written');
    this.#reserve.forget();
    const reason = fullness(error);
    if (reason) return diskFull(`the disk takes no more: ${reason}`, await this.#measure());
    return new Refusal(
      'UNAVAILABLE',
      'The batch was not stored because the disk failed: see the log of the service, then send the batch again.',
    );
  }

  /** What waits beside a file takes several times as much, and taking it up must happen while there is room for that. */
  async #gainsByTakingUp(today: Segment, more: number): Promise<boolean> {
    const { segments } = this.#deps;
    const size = segments.sizeOf(today);
    if (size.log < (await this.#reserve.leastCheckpoint())) return false;
    const { free, reserved } = await this.#measure(more);
    const isShort = free < reserved + size.log || claim(size) + more > this.#daysCap;
    return isShort && (await this.#reserve.allowsCheckpoint(today));
  }

  get #daysCap(): number {
    const { cap = Number.POSITIVE_INFINITY, setAside = 0 } = this.#deps;
    return cap - setAside;
  }

  async #drop(segment: Segment, reason: string): Promise<void> {
    const { segments, clock, log } = this.#deps;
    const { day } = segment;
    const { file, log: waiting } = segments.sizeOf(segment);
    const { gone, damage } = await segments.drop(segment, clock.now());
    if (damage) log.error({ day, error: damage }, 'idempotency keys of a dropped day could not be read');
    log.warn({ day, bytes: file + waiting, reason }, 'a day of telemetry was dropped');
    this.#forgetMeasured();
    // A search may still read it for a while, which batches need not wait for.
    const leaving = gone
      .catch((error: unknown) => log.error({ day, error: String(error) }, 'a dropped day is still on disk'))
      .finally(() => {
        this.#leaving.delete(leaving);
        this.#forgetMeasured();
      });
    this.#leaving.add(leaving);
  }

  #forgetMeasured(): void {
    this.#sizes.forget();
    this.#reserve.forget();
  }

  #claimed(): number {
    return sum(this.#sizes.all().map(claim)) + this.#lent;
  }

  get #lent(): number {
    return this.#loan?.bytes ?? 0;
  }

  /** The part of a loan that is not on the disk yet. */
  get #owed(): number {
    if (!this.#loan) return 0;
    const { segment, bytes, before } = this.#loan;
    const written = Math.max(0, this.#deps.segments.bytesOfDay(segment) - before);
    return Math.max(0, bytes - written);
  }

  #measure(more = 0): Promise<FreeSpace> {
    return this.#reserve.measure(more, this.#owed);
  }
}

/** Once more what waits beside the file, for it is there twice while the file takes it up. */
function claim({ file, log }: Size): number {
  return file + 2 * log;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function capReached(cap: number): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    `Today's records use up VEDETTE_DISK_CAP (${sizeText(cap)}): raise it, or send the batch again after midnight UTC.`,
  );
}

function diskFull(reason: string, { free, reserved }: FreeSpace): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    `The batch was not stored because ${reason} (${sizeText(free)} free, ${sizeText(reserved)} reserved): free some space, lower VEDETTE_RETENTION_DAYS or set ` +
      'VEDETTE_DISK_CAP, then send the batch again.',
  );
}
