import type { FreeSpace } from '../../file-system.ts';
import type { Engine } from '../engine/engine.ts';

export interface SpillDeps {
  readonly engine: Engine;
  /** Bytes that searches and queries may spill together. */
  readonly cap: number;
  readonly freeSpace: () => Promise<FreeSpace>;
  /** Called when the last search or query has ended and something of what they spilled is still there. */
  readonly onLeft?: () => void;
}

/**
 * How much of the disk statements may take for intermediate results that memory does not hold. They never take the reserve, and
 * the engine removes them when their statement has ended.
 */
export class Spill {
  readonly #deps: SpillDeps;
  /** Bytes that days that are written anew may spill beyond the cap. */
  #beyondCap = 0;
  /** Searches and queries that run. */
  #open = 0;

  constructor(deps: SpillDeps) {
    this.#deps = deps;
  }

  /** For a search or a query. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.adjust();
    this.#open++;
    try {
      return await work();
    } finally {
      const { engine, onLeft } = this.#deps;
      if (--this.#open === 0 && engine.spilled > 0) onLeft?.();
    }
  }

  /** Before a search, and before others take of what is free: as much as the cap allows, and as is free. */
  async adjust(): Promise<void> {
    const { engine, cap, freeSpace } = this.#deps;
    const { free, reserved } = await freeSpace();
    const most = cap + this.#beyondCap;
    // What is spilled already matters only where little is free.
    const available = free - reserved >= most ? most : Math.max(0, engine.spilled + free - reserved);
    await engine.limitSpill(Math.min(most, available));
  }

  /** While a day is written anew so many bytes more may be spilled: it is put in order on the disk. */
  async forRewrite<Result>(more: number, work: () => Promise<Result>): Promise<Result> {
    this.#beyondCap += more;
    try {
      await this.adjust();
      return await work();
    } finally {
      this.#beyondCap -= more;
      await this.adjust();
    }
  }
}
