import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Launch {
  /** Node options. */
  readonly options?: readonly string[];
  readonly script: string;
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly port: number;
  /** A path that answers 200 as soon as the server is ready. */
  readonly probe: string;
  /** File for stdout and stderr of the process. */
  readonly output: string;
}

const startLimit = 20_000;
const stopLimit = 5_000;
/** Precise to a few milliseconds without competing with the start for the processor. */
const probeInterval = 4;

/** A server in its own process, as in production. */
export class ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from the spawn to the first 200. */
  readonly startTime: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number, startTime: number) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.port = port;
    this.startTime = startTime;
  }

  /** `running` gets the process at once, so that it can be ended even if it never responds. */
  static async start(launch: Launch, running: Set<ChildProcess>): Promise<ServerProcess> {
    const output = openSync(launch.output, 'w');
    const start = performance.now();
    const child = spawn(
      process.execPath,
      [...(launch.options ?? []), launch.script, ...(launch.arguments ?? [])],
      {
        env: { ...withoutSettings(process.env), ...launch.environment },
        stdio: ['ignore', output, output],
      },
    );
    closeSync(output);
    running.add(child);
    child.once('exit', () => running.delete(child));
    await once(child, 'spawn');
    for (;;) {
      if (await isReady(launch.port, launch.probe)) break;
      if (!running.has(child) || performance.now() - start > startLimit) {
        throw new Error(`${launch.script} does not answer:\n${readFileSync(launch.output, 'utf8')}`);
      }
      await sleep(probeInterval);
    }
    return new ServerProcess(child, launch.port, performance.now() - start);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const killTimer = setTimeout(() => this.#child.kill('SIGKILL'), stopLimit);
    await exited.finally(() => clearTimeout(killTimer));
  }

  /** Resident memory, in megabytes. */
  residentMemory(): number {
    const status = `/proc/${this.pid}/status`;
    const kilobytes = existsSync(status)
      ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', `${this.pid}`], { encoding: 'utf8' });
    return (Number(kilobytes) * 1024) / 1e6;
  }

  /** Processor seconds of the main thread; undefined if the system does not report it. */
  processorTime(): number | undefined {
    const file = `/proc/${this.pid}/schedstat`;
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e9 : undefined;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

function isReady(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });
}

/** Settings of another installation must not influence the measurement. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('VEDETTE_')));
}
