import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { TestPlace } from './database.ts';

export interface ProcessOptions {
  /** Additional variables; undefined removes a default one. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory?: string;
  /** Umask of the process, such as `022`. */
  readonly umask?: string;
}

/** The shipped server as a separate process, whose output is captured and which can be killed. */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #watchers = new Set<() => void>();
  #ended = false;
  #output = '';
  #stdout = '';
  #stderr = '';
  /** Exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;

  constructor(place: TestPlace, { environment, workingDirectory, umask }: ProcessOptions = {}) {
    const program = [process.execPath, fileURLToPath(new URL('../start.js', import.meta.url))];
    const [command = '', ...parameters] = umask
      ? ['sh', '-c', `umask ${umask} && exec "$0" "$@"`, ...program]
      : program;
    this.#child = spawn(command, parameters, {
      cwd: workingDirectory ?? place.directory,
      env: serverEnvironment(place, environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stdout += chunk;
      this.#append(chunk);
    });
    this.#child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stderr += chunk;
      this.#append(chunk);
    });
    // Unlike `exit`, `close` comes after the last output.
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      this.#ended = true;
      this.#append('');
      return code ?? signal;
    });
  }

  /** Starts the server and waits until it is ready. */
  static async ready(place: TestPlace, options: ProcessOptions = {}): Promise<ServerProcess> {
    const server = new ServerProcess(place, options);
    await server.url();
    return server;
  }

  /** The combined output so far. */
  get output(): string {
    return this.#output;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async url(): Promise<string> {
    const [, url] = await this.says(/^Vedette \S+ is ready at (\S+)$/m);
    return url as string;
  }

  /** Waits until the output matches; rejects with the output if the process ends first. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const match = pattern.exec(this.#output);
        if (!match && !this.#ended) return;
        this.#watchers.delete(check);
        if (match) resolve(match);
        else reject(new Error(`The server ended without printing ${pattern}:\n${this.#output}`));
      };
      this.#watchers.add(check);
      check();
    });
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | NodeJS.Signals> {
    this.#child.kill(signal);
    return this.ended;
  }

  #append(chunk: string): void {
    this.#output += chunk;
    for (const check of this.#watchers) check();
  }
}

/** A clean environment: variables of the developer's shell must not affect a test. */
function serverEnvironment(
  { directory, controlUrl }: TestPlace,
  further: ProcessOptions['environment'],
): NodeJS.ProcessEnv {
  const all = {
    PATH: process.env.PATH,
    VEDETTE_PORT: '0',
    VEDETTE_DATA_DIR: directory,
    VEDETTE_CONTROL_URL: controlUrl,
    VEDETTE_LOCAL_AGENT: 'off',
    ...further,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
