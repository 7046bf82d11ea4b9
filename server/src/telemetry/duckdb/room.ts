import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { type Space, sizeText } from '../file-system.ts';
import { fullness } from './disk-failure.ts';
import type { Segment } from './segment.ts';
import type { Segments, Size } from './segments.ts';

export interface RoomParts {
  readonly segments: Segments;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes that telemetry may take on disk. */
  readonly cap: number | undefined;
  /** Measures the file system that the segments lie in. */
  readonly space: () => Promise<Space>;
}

/** What must stay free for searches, for the control store and for a segment that takes up what waits beside it. */
const mostReserved = 256e6;
const reservedPart = 0.05;
/** A batch takes up to so many times its text: the text itself and the typed columns. */
const growth = 2;
/** Taking up what waits beside a file costs up to seconds, which less would not be worth. */
const leastTakenUp = 16e6;
/** How long a measurement holds. */
const spaceAge = 1_000;
const sizesAge = 5_000;

interface Measured<Value> {
  readonly at: number;
  readonly value: Value;
}

/** The disk that telemetry may take: old days make room for new ones, and without room nothing is taken in. */
export class Room {
  readonly #parts: RoomParts;
  #space: Measured<Space> | undefined;
  /** What the segments before the newest claim, which changes seldom. */
  #older: (Measured<number> & { readonly newest: Segment | undefined }) | undefined;
  /** What a day that is written anew takes beside itself. */
  #lent = 0;
  /** Those who want every day to stay. */
  #keepers = 0;
  readonly #leaving = new Set<Promise<void>>();

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  /** Bytes on disk now. */
  get taken(): number {
    return sum(this.#sizes().map(({ file, log }) => file + log)) + this.#lent;
  }

  /** Before records of so many bytes are written: drops days past the cap, or refuses where there is no room. */
  async make(bytes: number): Promise<void> {
    const { segments, clock, cap = Number.POSITIVE_INFINITY } = this.#parts;
    const today = await segments.ofToday(clock.now());
    const more = bytes * growth;
    if (await this.#gainsByTakingUp(today, more)) {
      await segments.takeUp(today);
      this.#space = undefined;
    }
    if (claim(segments.sizeOf(today)) + more > cap) throw capReached(cap);
    await this.keepWithinCap(more);
    const { free, reserved } = await this.#measureSpace();
    if (free < reserved) throw diskFull('the disk is full', free);
  }

  /** Drops the oldest days until what is there and so many bytes more are within the cap. */
  async keepWithinCap(more = 0): Promise<void> {
    const { segments, cap = Number.POSITIVE_INFINITY } = this.#parts;
    for (const oldest of segments.past()) {
      if (this.#keepers > 0 || this.#claimed() + more <= cap) return;
      await this.#drop(oldest, `telemetry would take more than VEDETTE_DISK_CAP, ${sizeText(cap)}`);
    }
  }

  /** Drops days of which every record is older. */
  async dropBefore(moment: number): Promise<void> {
    for (const segment of this.#parts.segments.pastBefore(moment)) {
      await this.#drop(segment, 'all of its records are older than VEDETTE_RETENTION_DAYS');
    }
  }

  /** Takes room for a day that is to be written anew beside itself; false where only the day itself could make it. */
  async lend(segment: Segment): Promise<boolean> {
    const { segments, cap = Number.POSITIVE_INFINITY } = this.#parts;
    const older = segments.past().indexOf(segment);
    if (older < 0) return false;
    const needed = claim(segments.sizeOf(segment));
    const gained = sum(this.#sizes().slice(0, older).map(claim));
    const { free, reserved } = await this.#measureSpace();
    if (this.#claimed() - gained + needed > cap || free - needed < reserved) return false;
    await this.keepWithinCap(needed);
    this.#lent = needed;
    return true;
  }

  giveBack(): void {
    this.#lent = 0;
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
    const { log } = this.#parts;
    log.error({ error: String(error) }, 'telemetry could not be written');
    this.#space = undefined;
    const reason = fullness(error);
    if (reason) return diskFull(`the disk takes no more: ${reason}`, (await this.#measureSpace()).free);
    return new Refusal(
      'UNAVAILABLE',
      'Nothing was stored, for the disk failed: see the log of the service, then send the batch again.',
    );
  }

  /** What waits beside a file takes several times as much, and taking it up must happen while there is room for that. */
  async #gainsByTakingUp(today: Segment, more: number): Promise<boolean> {
    const { segments, cap = Number.POSITIVE_INFINITY } = this.#parts;
    const size = segments.sizeOf(today);
    if (size.log < leastTakenUp) return false;
    const { free, reserved } = await this.#measureSpace();
    return size.log < free && (free < reserved + size.log || claim(size) + more > cap);
  }

  async #drop(segment: Segment, reason: string): Promise<void> {
    const { segments, clock, log } = this.#parts;
    const { day } = segment;
    const { file, log: waiting } = segments.sizeOf(segment);
    const { gone } = await segments.drop(segment, clock.now());
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
    this.#older = undefined;
    this.#space = undefined;
  }

  /** Asked before every group of batches: only the newest segment is measured each time. */
  #claimed(): number {
    const { segments, clock } = this.#parts;
    const newest = segments.all().at(-1);
    if (this.#older?.newest !== newest || !holds(this.#older, clock.now(), sizesAge)) {
      this.#older = { at: clock.now(), newest, value: sum(this.#sizes().slice(0, -1).map(claim)) };
    }
    return (this.#older?.value ?? 0) + (newest ? claim(segments.sizeOf(newest)) : 0) + this.#lent;
  }

  #sizes(): Size[] {
    const { segments } = this.#parts;
    return segments.all().map((segment) => segments.sizeOf(segment));
  }

  async #measureSpace(): Promise<{ free: number; reserved: number }> {
    const now = this.#parts.clock.now();
    if (!holds(this.#space, now, spaceAge)) this.#space = { at: now, value: await this.#parts.space() };
    const { size, free } = (this.#space as Measured<Space>).value;
    return { free, reserved: Math.min(mostReserved, size * reservedPart) };
  }
}

/** Once more what waits beside the file, for it is there twice while the file takes it up. */
function claim({ file, log }: Size): number {
  return file + 2 * log;
}

function holds(measured: Measured<unknown> | undefined, now: number, age: number): boolean {
  return measured !== undefined && Math.abs(now - measured.at) < age;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function capReached(cap: number): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    `What arrived today takes all of VEDETTE_DISK_CAP, ${sizeText(cap)}: raise it, or send the batch again after midnight UTC.`,
  );
}

function diskFull(reason: string, free: number): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    `Nothing was stored, for ${reason} (${sizeText(free)} are free): free some space, lower VEDETTE_RETENTION_DAYS or set ` +
      'VEDETTE_DISK_CAP, then send the batch again.',
  );
}
