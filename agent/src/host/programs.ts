import { execFile } from 'node:child_process';
import { absent, type Reading, read, unreadable } from '../reading.ts';

/** Numbers and dates in the form that is parsed. */
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
const limits = { milliseconds: 10_000, bytes: 32 * 1024 * 1024 };

/** Runs programs of the host that know more than its files: `ss`, `rpm`, `journalctl`. Never by a shell. */
export class Programs {
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** What the program prints; absent if it is not installed. */
  output(program: string, parameters: readonly string[]): Promise<Reading<Buffer>> {
    const { milliseconds: timeout, bytes: maxBuffer } = limits;
    return new Promise((resolve) => {
      execFile(
        program,
        parameters,
        { encoding: 'buffer', timeout, maxBuffer, env: environment, signal: this.#signal },
        (error, stdout) => {
          if (!error) return resolve(read(stdout));
          if (error.code === 'ENOENT') return resolve(absent);
          const why = error.killed ? 'took too long' : `failed: ${firstLine(error.message)}`;
          resolve(unreadable(`${program} ${why}.`));
        },
      );
    });
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
