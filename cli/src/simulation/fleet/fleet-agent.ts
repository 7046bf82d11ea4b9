import { Agent } from '@vedette/agent/agent';
import type { Connection } from '@vedette/agent/delivery/connection';
import { Sender } from '@vedette/agent/delivery/sender';
import { Heartbeat } from '@vedette/agent/heartbeat';
import { version } from '@vedette/agent/version';
import type { Machine } from '@vedette/server/simulate/company/machine';
import type { Simulation } from '@vedette/server/simulate/simulation';
import { MemoryJournal } from './memory-journal.ts';
import { SimulatedHost } from './simulated-host.ts';
import { sourcesOf } from './sources.ts';

export interface FleetAgentDeps {
  readonly simulation: Simulation;
  readonly machine: Machine;
  readonly connection: Pick<Connection, 'post' | 'close'>;
  readonly token: string;
  readonly now: () => number;
  readonly random: () => number;
  /** Resolves earlier if the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: (message: string) => void;
}

/** The real agent, with a simulated host and a journal in memory. */
export class FleetAgent {
  readonly journal = new MemoryJournal();
  // Signals of its own: thousands of listeners of one signal would make each wait slow.
  readonly #observing = new AbortController();
  readonly #sending = new AbortController();
  readonly #deps: FleetAgentDeps;
  readonly #agent: Agent<SimulatedHost>;
  readonly #sender: Sender;
  #running: Promise<unknown> = Promise.resolve();
  #sent: Promise<void> = Promise.resolve();

  constructor(deps: FleetAgentDeps) {
    const { simulation, machine, connection, now, random, wait, log } = deps;
    const { journal } = this;
    this.#deps = deps;
    let { token } = deps;
    const sender = new Sender({
      ...{ journal, connection, now, random, wait, log, token: () => token },
      onToken: async (given) => {
        token = given;
      },
    });
    const host = new SimulatedHost({ simulation, machine, now, signal: this.#observing.signal });
    const heartbeat = new Heartbeat({
      version,
      machine: async () => ({ hostname: machine.hostname, ipAddress: machine.address, tags: machine.tags }),
      gaps: () => this.#agent.gaps,
      ...{ clockSkew: () => sender.clockSkew, lost: () => journal.lost, rejected: () => sender.rejected },
    });
    this.#sender = sender;
    this.#agent = new Agent({ host, sources: [...sourcesOf(), heartbeat], journal, sender, wait, log });
  }

  /** Records that the server does not accept. */
  get rejected(): number {
    return this.#sender.rejected;
  }

  /** After a delay, so that the agents of a fleet do not report at the same time. */
  start(delay: number): void {
    const { signal } = this.#observing;
    this.#running = this.#deps.wait(delay, signal).then(() => this.#agent.run());
    this.#sent = this.#sender.run(this.#sending.signal);
  }

  /** Observes nothing more, and sends what waits until the signal aborts. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#observing.abort();
    await this.#running;
    await this.journal.emptied(signal);
    this.#sending.abort();
    await this.#sent;
    this.#deps.connection.close();
  }
}
