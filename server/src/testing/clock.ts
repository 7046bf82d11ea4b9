import type { Clock } from '../platform/clock.ts';

/** A clock that tests advance manually. */
export class ManualClock implements Clock {
  #now: number;

  constructor(start: number | string = '2026-03-01T12:00:00.000Z') {
    this.#now = typeof start === 'number' ? start : Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
