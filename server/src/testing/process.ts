import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { TestPlace } from './database.ts';

export interface ProcessOptions {
  /** Further variables; undefined leaves one out that would be set. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory?: string;
  /** What the process inherits, such as `022`. */
  readonly umask?: string;
}

/** The server as it ships: a process of its own, which says what it does and can be killed. */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #watchers = new Set<() => void>();
  #ended = false;
  #output = '';
  #stdout = '';
  #stderr = '';
  /** The exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;

  constructor(place: TestPlace, { environment, workingDirectory, umask }: ProcessOptions = {}) {
    const program = [process.execPath, fileURLToPath(new URL('../start.js', import.meta.url))];
    const [command = '', ...words] = umask
      ? ['sh', '-c', `umask ${umask} && exec "$0" "$@"`, ...program]
      : program;
    this.#child = spawn(command, words, {
      cwd: workingDirectory ?? place.directory,
      env: serverEnvironment(place, environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#hear(text);
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#hear(text);
    });
    // `close` comes after the last output, unlike `exit`.
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      this.#ended = true;
      this.#hear('');
      return code ?? signal;
    });
  }

  /** Starts it and waits until it can be asked. */
  static async ready(place: TestPlace, options: ProcessOptions = {}): Promise<ServerProcess> {
    const server = new ServerProcess(place, options);
    await server.url();
    return server;
  }

  /** Everything it wrote so far, on both outputs. */
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

  /** Waits until the output matches. A process that ends without a match is an error that shows what it said. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this.#output);
        if (!match && !this.#ended) return;
        this.#watchers.delete(look);
        if (match) resolve(match);
        else reject(new Error(`The server ended without saying ${pattern}:\n${this.#output}`));
      };
      this.#watchers.add(look);
      look();
    });
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | NodeJS.Signals> {
    this.#child.kill(signal);
    return this.ended;
  }

  #hear(text: string): void {
    this.#output += text;
    for (const look of this.#watchers) look();
  }
}

/** Only what is said here: a variable of the developer's own shell must not change a test. */
function serverEnvironment(
  { directory, controlUrl }: TestPlace,
  further: ProcessOptions['environment'],
): NodeJS.ProcessEnv {
  const all = {
    PATH: process.env.PATH,
    VEDETTE_PORT: '0',
    VEDETTE_DATA_DIR: directory,
    VEDETTE_CONTROL_URL: controlUrl,
    ...further,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
