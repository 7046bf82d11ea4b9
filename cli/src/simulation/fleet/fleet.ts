import { setMaxListeners } from 'node:events';
import type { Connection } from '@vedette/agent/delivery/connection';
import { Random } from '@vedette/server/simulate/random';
import { Simulation } from '@vedette/server/simulate/simulation';
import { CountedConnection } from './counted-connection.ts';
import { FleetAgent, type FleetAgentDeps } from './fleet-agent.ts';
import { FleetCounts } from './fleet-counts.ts';
import { Turns } from './turns.ts';

/**
 * Milliseconds in which all agents start. Most sources report once a minute, so they spread over all of it; one process
 * needs longer for the first reports of thousands.
 */
function startPeriod(agents: number): number {
  return Math.max(60_000, agents * 45);
}

export interface FleetDeps extends Pick<FleetAgentDeps, 'token' | 'now' | 'wait' | 'log'> {
  readonly agents: number;
  readonly seed: number;
  /** One for each agent. */
  readonly connect: () => Connection;
}

/** Agents on the hosts of a simulated company, each with its own connection, which report live. */
export class Fleet {
  readonly counts = new FleetCounts();
  readonly company: string;
  readonly #agents: readonly FleetAgent[];
  readonly #seed: number;

  constructor({ agents, seed, connect, token, now, wait, log }: FleetDeps) {
    const simulation = new Simulation({ hosts: agents, seed });
    this.company = simulation.company.name;
    this.#seed = seed;
    const turns = new Turns();
    const waitForTurn: FleetDeps['wait'] = (milliseconds, signal) =>
      wait(milliseconds, signal).then(() => turns.next());
    this.#agents = simulation.company.machines.map((machine) => {
      const random = new Random('fleet', seed, machine.index);
      const connection = new CountedConnection(connect(), this.counts);
      const deps = { simulation, machine, connection, token, now, wait: waitForTurn, log };
      return new FleetAgent({ ...deps, random: () => random.share() });
    });
  }

  get size(): number {
    return this.#agents.length;
  }

  /** Agents with something that the server has not stored. */
  get behind(): number {
    return this.#agents.filter(({ journal }) => !journal.isEmpty).length;
  }

  /** Batches that the server has not stored. */
  get owedBatches(): number {
    return this.#agents.reduce((sum, { journal }) => sum + journal.owedBatches, 0);
  }

  /** Records that the server does not accept. */
  get rejectedRecords(): number {
    return this.#agents.reduce((sum, { rejected }) => sum + rejected, 0);
  }

  start(): void {
    const random = new Random('start', this.#seed);
    for (const agent of this.#agents) agent.start(random.below(startPeriod(this.size)));
  }

  /** Observes nothing more, and sends what waits until the signal aborts. */
  async stop(signal: AbortSignal): Promise<void> {
    setMaxListeners(0, signal);
    await Promise.all(this.#agents.map((agent) => agent.stop(signal)));
  }
}
