import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestPlace } from '@vedette/server/testing/database';
import { expect } from 'vitest';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const program = fileURLToPath(new URL('../bin/vedette.js', import.meta.url));
// A slow machine takes longer than the interval at which a command reports its progress.
const progressLine = /^\d+ %, \d+ records, .*\n/gm;

/** Runs the real command as a process, against the server of a test directory. */
export class Program {
  readonly #installation: TestPlace;

  constructor(installation: TestPlace) {
    this.#installation = installation;
  }

  run(words: string | readonly string[], environment: NodeJS.ProcessEnv = {}, input = ''): Promise<Outcome> {
    const { directory, controlUrl } = this.#installation;
    const env = {
      PATH: process.env.PATH,
      VEDETTE_DATA_DIR: directory,
      VEDETTE_CONTROL_URL: controlUrl,
      ...environment,
    };
    const args = typeof words === 'string' ? words.split(' ') : words;
    return new Promise((resolve) => {
      const options = { env, cwd: directory };
      const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
      child.stdin?.end(input);
    });
  }

  async output(words: string | readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(words);
    expect({ code, stderr: stderr.replace(progressLine, '') }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }

  async data(words: string): Promise<ReturnType<typeof JSON.parse>> {
    return JSON.parse(await this.output(`${words} --json`));
  }

  /** Error output of a command that must fail: on stderr only, without a stack trace. */
  async errorOutput(words: string | readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(words, environment);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toMatch(/^ +at /m);
    return stderr;
  }
}
