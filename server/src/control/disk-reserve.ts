import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { dialectOf, sqliteFile } from './connect.ts';

const mostHeld = 16e6;
const leastHeld = 2e6;
const share = 0.05;
/** How long the file system is not asked again whether there is room for it, in milliseconds. */
const pause = 1_000;
const chunk = Buffer.alloc(1e6, 'reserved');
/** Less does not suffice to open the store. */
const leastToStart = 1e6;

/**
 * Disk that is held by a file beside the control store and given back when the disk is full: people can then still sign in,
 * whatever else filled the disk. While it is given back nothing else is written, so that it lasts.
 */
export class DiskReserve {
  readonly #file: string;
  readonly #clock: Clock;
  #isHeld = false;
  #triedAt = Number.NEGATIVE_INFINITY;

  private constructor(database: string, clock: Clock) {
    this.#file = `${database}.reserve`;
    this.#clock = clock;
  }

  /** To be made before the store is opened, which writes already. PostgreSQL has a disk of its own. */
  static of(controlUrl: string, clock: Clock): DiskReserve | undefined {
    if (dialectOf(controlUrl) === 'postgres' || sqliteFile(controlUrl) === ':memory:') return undefined;
    // Opening the store says what to do about it.
    if (!existsSync(dirname(sqliteFile(controlUrl)))) return undefined;
    const reserve = new DiskReserve(sqliteFile(controlUrl), clock);
    if (reserve.#free() < leastToStart) reserve.release();
    else reserve.hold();
    return reserve;
  }

  /** Whether it is there, or there is room for it again. */
  hold(): boolean {
    const now = this.#clock.now();
    if (this.#isHeld || Math.abs(now - this.#triedAt) < pause) return this.#isHeld;
    this.#triedAt = now;
    this.#isHeld = this.#write();
    return this.#isHeld;
  }

  /** False when it was given back before. */
  release(): boolean {
    const was = this.#isHeld;
    this.#isHeld = false;
    this.#triedAt = this.#clock.now();
    rmSync(this.#file, { force: true });
    return was;
  }

  #free(): number {
    const { bsize, bavail } = statfsSync(dirname(this.#file));
    return bavail * bsize;
  }

  /** Twice its size must be free, so that it is not taken from what others are about to write. */
  #write(): boolean {
    const { bsize, blocks } = statfsSync(dirname(this.#file));
    const size = Math.max(leastHeld, Math.min(mostHeld, blocks * bsize * share));
    if ((statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) >= size) return true;
    if (this.#free() < 2 * size) return false;
    try {
      const handle = openSync(this.#file, 'w', 0o600);
      try {
        for (let written = 0; written < size; written += chunk.length) writeSync(handle, chunk);
      } finally {
        closeSync(handle);
      }
      return true;
    } catch {
      rmSync(this.#file, { force: true });
      return false;
    }
  }
}
