import type { FreeSpace } from '../../file-system.ts';
import type { Engine } from '../engine/engine.ts';

export interface SpillDeps {
  readonly engine: Engine;
  /** Spill limit of all searches and queries together, in bytes. */
  readonly cap: number;
  readonly freeSpace: () => Promise<FreeSpace>;
  /** Called when the last search or query has ended and spill files remain. */
  readonly onLeftover?: () => void;
}

/**
 * Limits the disk space of intermediate results that do not fit into memory. They never use the reserve; the engine
 * removes them when their statement has ended.
 */
export class Spill {
  readonly #deps: SpillDeps;
  /** Bytes that day rewrites may spill beyond the cap. */
  #beyondCap = 0;
  /** Running searches and queries. */
  #open = 0;

  constructor(deps: SpillDeps) {
    this.#deps = deps;
  }

  /** Runs a search or query. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.adjust();
    this.#open++;
    try {
      return await work();
    } finally {
      const { engine, onLeftover } = this.#deps;
      if (--this.#open === 0 && engine.spilled > 0) onLeftover?.();
    }
  }

  /** Lowers the spill limit to the free space, or restores it to the cap. Called before searches and other writes. */
  async adjust(): Promise<void> {
    const { engine, cap, freeSpace } = this.#deps;
    const { free, reserved } = await freeSpace();
    const limit = cap + this.#beyondCap;
    // Spilled bytes count only if little is free.
    const available = free - reserved >= limit ? limit : Math.max(0, engine.spilled + free - reserved);
    await engine.limitSpill(Math.min(limit, available));
  }

  /** Allows `more` spilled bytes during a rewrite, which sorts a day on disk. */
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
