import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, ServerProcess } from './server-process.ts';

export interface Bench {
  readonly bench: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly timeLimit: number;
  passes(ratio: number): boolean;
}

const script = fileURLToPath(new URL('../../server/dist/start.js', import.meta.url));

/** The Node options and the environment of `npm start`. */
const start = startOf(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

function startOf(manifest: string) {
  const { scripts } = JSON.parse(manifest) as { scripts: { start: string } };
  const command = /((?:\w+=\S+ )*)exec node (.*)server\/dist\/start\.js$/.exec(scripts.start);
  if (!command) throw new Error(`The script start of package.json is not understood: ${scripts.start}`);
  const [assignments, options] = command.slice(1).map((words) => words.split(' ').filter(Boolean));
  const environment = Object.fromEntries((assignments ?? []).map((one) => one.split('=')));
  return { options: options ?? [], environment } as const;
}

/** A directory that is not removed, so that the next run reuses data that takes minutes to generate. */
const keptDirectory = process.env.VEDETTE_BENCH_DIR;

/** The temporary directory and the processes of one bench. */
export class Workspace {
  readonly directory: string;
  readonly dataDirectory: string;
  readonly running = new Set<ChildProcess>();

  constructor(directory = mkdtempSync(join(tmpdir(), 'vedette-bench-'))) {
    this.directory = directory;
    this.dataDirectory = join(directory, 'data');
  }

  async startServer(settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const port = await freePort();
    const environment = {
      ...start.environment,
      VEDETTE_LOCAL_AGENT: 'off',
      VEDETTE_PORT: `${port}`,
      VEDETTE_DATA_DIR: this.dataDirectory,
      VEDETTE_RATE_LIMIT: '1000000000',
      VEDETTE_LOG_LEVEL: 'info',
      ...settings,
    };
    const output = join(this.directory, 'server.log');
    return ServerProcess.start(
      { options: start.options, script, environment, port, probe: '/healthz', output },
      this.running,
    );
  }

  clear(): void {
    for (const child of this.running) child.kill('SIGKILL');
    if (this.directory !== keptDirectory)
      rmSync(this.directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Runs a bench, prints its result as one line of JSON and ends the process; `measure` returns the ratio compared with the limit. */
export async function runBench(
  { bench, limit, timeLimit, passes }: Bench,
  measure: (workspace: Workspace) => Promise<number>,
): Promise<void> {
  const workspace = new Workspace(keptDirectory);
  // At exit, so that nothing is left behind however the bench ends.
  process.once('exit', () => workspace.clear());
  const interrupted = new Promise<never>((_, reject) => {
    const timeOut = () => reject(new Error(`The bench exceeded its time limit of ${timeLimit / 1000} s.`));
    setTimeout(timeOut, timeLimit).unref();
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.once(signal, () => reject(new Error(`Stopped by ${signal}.`)));
  });
  let ratio: number | null = null;
  try {
    ratio = await Promise.race([measure(workspace), interrupted]);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
  // The printed ratio decides, so that the line never contradicts itself.
  const pass = ratio !== null && passes(ratio);
  process.stdout.write(`${JSON.stringify({ bench, ratio, limit, pass })}\n`, () =>
    process.exit(pass ? 0 : 1),
  );
}
