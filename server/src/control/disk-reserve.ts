import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { dialectOf, sqliteFile } from './connect.ts';

const maxSize = 16e6;
const minSize = 2e6;
const share = 0.05;
/** Milliseconds between attempts to allocate the reserve. */
const retryInterval = 1_000;
const chunk = Buffer.alloc(1e6, 'reserved');
/** Minimum free space to open the store. */
const minFreeToStart = 1e6;

/**
 * A reserve file beside the control store that is deleted when the disk is full, so that users can still sign in. Until
 * it is allocated again, all other changes are refused to make it last.
 */
export class DiskReserve {
  readonly #file: string;
  readonly #clock: Clock;
  #isHeld = false;
  #lastAttempt = Number.NEGATIVE_INFINITY;

  private constructor(database: string, clock: Clock) {
    this.#file = `${database}.reserve`;
    this.#clock = clock;
  }

  /** Must be created before the store is opened, which already writes. PostgreSQL manages its own disk. */
  static of(controlUrl: string, clock: Clock): DiskReserve | undefined {
    if (dialectOf(controlUrl) === 'postgres' || sqliteFile(controlUrl) === ':memory:') return undefined;
    // Opening the store reports this with the fix.
    if (!existsSync(dirname(sqliteFile(controlUrl)))) return undefined;
    const reserve = new DiskReserve(sqliteFile(controlUrl), clock);
    if (reserve.#free() < minFreeToStart) reserve.release();
    else reserve.hold();
    return reserve;
  }

  /** Allocates the reserve if possible; returns whether it is allocated. */
  hold(): boolean {
    const now = this.#clock.now();
    if (this.#isHeld || Math.abs(now - this.#lastAttempt) < retryInterval) return this.#isHeld;
    this.#lastAttempt = now;
    this.#isHeld = this.#write();
    return this.#isHeld;
  }

  /** Returns false if it was already released. */
  release(): boolean {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    this.#lastAttempt = this.#clock.now();
    rmSync(this.#file, { force: true });
    return wasHeld;
  }

  #free(): number {
    const { bsize, bavail } = statfsSync(dirname(this.#file));
    return bavail * bsize;
  }

  /** Requires twice its size of free space, to leave some for other writers. */
  #write(): boolean {
    const { bsize, blocks } = statfsSync(dirname(this.#file));
    const size = Math.max(minSize, Math.min(maxSize, blocks * bsize * share));
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
