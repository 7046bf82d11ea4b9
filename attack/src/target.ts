import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ServerProcess } from '@vedette/server/testing/process';
import type { Attack } from './attack.ts';
import { Client } from './client.ts';
import { type Observation, Probe } from './probe.ts';
import { ResourceUsage } from './resource-usage.ts';
import { mountSmallDisk, unmount } from './small-disk.ts';

const command = fileURLToPath(new URL('../../cli/bin/vedette.js', import.meta.url));
const run = promisify(execFile);

/** Also run at process exit, so that no server or directory is left behind. */
const cleanups = new Set<() => void>();
process.once('exit', () => {
  for (const end of cleanups) end();
});

export interface Observed<Result> {
  readonly result: Result;
  /** Milliseconds that the event loop was busy. */
  readonly delayP99: number;
  readonly longestDelay: number;
  /** Milliseconds to a response, including scheduling delays of the host. */
  readonly latencyP99: number;
}

/** A fresh server in its own process and directory, with two accounts: one greedy, one modest. */
export class Target {
  readonly directory: string;
  readonly port: number;
  readonly key: { readonly keyId: string; readonly secret: string };
  readonly usage: ResourceUsage;
  readonly #server: ServerProcess;
  readonly #end: () => void;

  private constructor(directory: string, port: number, server: ServerProcess, end: () => void) {
    this.directory = directory;
    this.#end = end;
    this.port = port;
    this.key = JSON.parse(readFileSync(join(directory, 'api-key.json'), 'utf8'));
    this.usage = new ResourceUsage(server.pid ?? 0);
    this.#server = server;
  }

  static async start({ settings, disk }: Pick<Attack, 'settings' | 'disk'>): Promise<Target> {
    const directory = mkdtempSync(join(tmpdir(), 'vedette-attack-'));
    if (disk !== undefined) mountSmallDisk(directory, disk);
    const place = {
      directory,
      controlUrl: `sqlite:${join(directory, 'control.db')}`,
      remove: async () => {},
    };
    const environment = { VEDETTE_LOG_LEVEL: 'error', ...settings };
    const server = new ServerProcess(place, { environment });
    const end = () => {
      cleanups.delete(end);
      void server.kill();
      remove(directory, disk);
    };
    cleanups.add(end);
    const port = Number(new URL(await server.url()).port);
    return new Target(directory, port, server, end);
  }

  async stop(): Promise<void> {
    await this.#server.kill();
    this.#end();
  }

  get unauthenticated(): Client {
    return new Client(this.port);
  }

  /** The administrator of the first account. */
  greedy(): Promise<Client> {
    return Client.signIn(this.port, this.key);
  }

  /** The administrator of another account. */
  async modest(): Promise<Client> {
    const user = 'modest@example.com';
    await this.vedette('account', 'create', 'modest');
    await this.vedette('user', 'create', '--email', user, '--role', 'accountAdmin', '--account', 'modest');
    const key = await this.vedette('key', 'create', '--user', user, '--account', 'modest');
    return Client.signIn(this.port, key as { keyId: string; secret: string });
  }

  /** A host agent of the client's account. */
  agentOf(client: Client): Promise<Client> {
    return this.#holderOf(client, { tokenAlias: 'attack' });
  }

  /** A collector of the client's account. */
  collectorOf(client: Client): Promise<Client> {
    return this.#holderOf(client, { tokenAlias: 'attacking collector', tokenPurpose: 'collector' });
  }

  async #holderOf(client: Client, token: object): Promise<Client> {
    const body = { ...token, tokenEnabled: 1 };
    const { data } = await client.requireSuccess('POST', '/api/v2/AgentAccessTokens', { body });
    return new Client(this.port, data.accessToken as string);
  }

  /** Runs a `vedette` command and returns its JSON output. */
  async vedette(...args: string[]): Promise<ReturnType<typeof JSON.parse>> {
    const env = {
      PATH: process.env.PATH,
      VEDETTE_DATA_DIR: this.directory,
      VEDETTE_CONTROL_URL: `sqlite:${join(this.directory, 'control.db')}`,
    };
    const { stdout } = await run(process.execPath, [command, ...args, '--json'], { env });
    return JSON.parse(stdout);
  }

  /** Runs the work while measuring the delay of the server's event loop. */
  async observe<Result>(work: () => Promise<Result>): Promise<Observed<Result>> {
    const probe = await Probe.start(this.port, this.#server.pid ?? 0);
    let observation: Observation;
    let result: Result;
    try {
      result = await work();
    } finally {
      observation = await probe.stop();
    }
    const { delays, latencies } = observation;
    return { result, delayP99: delays.p99, longestDelay: delays.longest, latencyP99: latencies.p99 };
  }
}

function remove(directory: string, disk: number | undefined): void {
  if (disk !== undefined) unmount(directory);
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
}
