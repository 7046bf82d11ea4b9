import { readFile, rename, writeFile } from 'node:fs/promises';
import type { WindowState } from './connection-window.ts';

/** A window that has not been reported, as it was at the last sample. */
export interface Kept {
  /** Counts up with each report. */
  readonly number: number;
  readonly start: number;
  /** When it was sampled. */
  readonly at: number;
  readonly state: WindowState;
}

/** The file of the window, so that an agent that is killed goes on with it. */
export class KeptWindow {
  readonly #path: string | undefined;

  /** Without a path, nothing is kept. */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** A damaged file counts as none. */
  async read(): Promise<Kept | undefined> {
    if (this.#path === undefined) return undefined;
    try {
      const kept: Kept = JSON.parse(await readFile(this.#path, 'utf8'));
      const { number, start, at, state } = kept;
      const isKept = [number, start, at].every(Number.isSafeInteger) && start <= at;
      return isKept && Array.isArray(state.open) && Array.isArray(state.flows) ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  /** Without a sync: it survives the process, and after a crash of the host its connections are gone, too. */
  async write(kept: Kept): Promise<void> {
    if (this.#path === undefined) return;
    await writeFile(`${this.#path}.new`, JSON.stringify(kept), { mode: 0o600 });
    await rename(`${this.#path}.new`, this.#path);
  }
}
