import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Configuration } from './platform/configuration.ts';
import type { Log } from './platform/log.ts';
import { authorityFile } from './platform/tls.ts';

/** Why this host is not reported by an agent of the server; undefined if it is. */
export function withoutLocalAgent({ VEDETTE_LOCAL_AGENT }: Configuration): string | undefined {
  if (!VEDETTE_LOCAL_AGENT) return 'not reported (VEDETTE_LOCAL_AGENT=off)';
  if (process.platform !== 'linux') return 'not reported: the agent runs on Linux only';
  if (existsSync(installedConfiguration)) return `reported by the agent of ${installedConfiguration}`;
  if (!existsSync(program)) return 'not reported: this installation has no agent';
  return undefined;
}

/** What `vedette agent install` writes. Two agents would report everything twice. */
const installedConfiguration = '/etc/vedette/agent.json';
const program = fileURLToPath(import.meta.resolve('@vedette/agent/main'));

/** Those of the agent: decision 69. A test of the agent compares them. */
export const nodeOptions = ['--no-opt', '--optimize-for-size', '--max-semi-space-size=1'];
/** Milliseconds until an agent that failed is started again, after the first failure and at most. */
const pause = { first: 1_000, most: 300_000 };
/** Milliseconds for which an agent may go on after it was told to stop. */
const stopTimeout = 5_000;

export interface LocalAgentOptions {
  readonly configuration: Configuration;
  /** URL that the server listens on. */
  readonly url: string;
  readonly token: string;
  readonly log: Log;
}

/** The agent that reports the host of this server, in a process of its own. It ends with the server, however that ends. */
export class LocalAgent {
  readonly #options: LocalAgentOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #child: ChildProcess | undefined;

  constructor(options: LocalAgentOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill('SIGTERM');
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), stopTimeout);
    await this.#running.finally(() => clearTimeout(timer));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; failures++) {
      const reason = await this.#once();
      if (signal.aborted) return;
      const wait = Math.min(pause.most, pause.first * 2 ** failures);
      this.#options.log.warn({ reason, retryAfter: wait }, 'the agent of this host ended');
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Runs the agent until it ends, and tells why it did. */
  #once(): Promise<string> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [...nodeOptions, program], {
        env: this.#environment(),
        // When the server is gone, the channel closes and the agent stops.
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      this.#child = child;
      let last = '';
      createInterface({ input: child.stderr as Readable }).on('line', (line) => {
        last = line;
        // The heartbeat carries what is missing; a newcomer's terminal need not.
        const level = line.startsWith('Missing: ') ? 'debug' : 'info';
        this.#options.log[level]({ from: 'the agent of this host' }, line);
      });
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(last || `it ended with ${code ?? signal}`));
    });
  }

  /** The settings of an agent may be given to the server, too; a proxy is not for a connection to this host. */
  #environment(): NodeJS.ProcessEnv {
    const { configuration, url, token } = this.#options;
    const directory = join(configuration.VEDETTE_DATA_DIR, 'agent');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const given = Object.entries(process.env).filter(([name]) => name.startsWith('VEDETTE_AGENT_'));
    return {
      PATH: process.env.PATH,
      ...Object.fromEntries(given),
      VEDETTE_AGENT_SERVER: url,
      VEDETTE_AGENT_TOKEN: token,
      VEDETTE_AGENT_STATE_DIRECTORY: directory,
      ...(configuration.VEDETTE_TLS && {
        VEDETTE_AGENT_AUTHORITY_FILE: authorityFile(configuration.VEDETTE_DATA_DIR),
      }),
    };
  }
}
