import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Outcome, Program } from '../program.sample.ts';

/** A place without a server: an empty data directory, and a directory of its own for temporary files. */
export class CheckPlace {
  readonly directory = mkdtempSync(join(tmpdir(), 'vedette-check-test-'));
  readonly temporary = join(this.directory, 'tmp');
  readonly #program: Program;

  constructor() {
    mkdirSync(this.temporary);
    const directory = join(this.directory, 'work');
    mkdirSync(directory);
    const remove = async () => {};
    this.#program = new Program({ directory, controlUrl: `sqlite:${join(directory, 'none.db')}`, remove });
  }

  get work(): string {
    return join(this.directory, 'work');
  }

  /** Runs a check, after which no temporary file and nothing of a data directory is left. */
  async check(words: string | readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    const args = typeof words === 'string' ? words.split(' ') : words;
    const outcome = await this.#program.run(['check', ...args], { TMPDIR: this.temporary, ...environment });
    expect(outcome.stderr).not.toMatch(/^ +at |Warning/m);
    this.expectClean();
    return outcome;
  }

  run(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    return this.#program.run(words, { TMPDIR: this.temporary, ...environment });
  }

  expectClean(): void {
    expect(readdirSync(this.temporary)).toEqual([]);
    expect(readdirSync(this.work).filter((name) => /\.(db|part)$|telemetry/.test(name))).toEqual([]);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
