import type { AgentHost } from '@vedette/agent/agent';
import type { DatasetPath } from '@vedette/agent/datasets';
import type { Observed } from '@vedette/agent/source';
import type { Machine } from '@vedette/server/simulate/company/machine';
import type { Process } from '@vedette/server/simulate/company/process';
import { hourAt, isoTimestamp, startOfHour } from '@vedette/server/simulate/hour';
import type { Simulation } from '@vedette/server/simulate/simulation';
import { startedBetween } from '@vedette/server/simulate/streams/processes';

export interface SimulatedHostDeps {
  readonly simulation: Simulation;
  readonly machine: Machine;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** A host of the simulated company as its agent sees it now. */
export class SimulatedHost implements AgentHost {
  readonly machine: Machine;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly #simulation: Simulation;

  constructor({ simulation, machine, now, signal }: SimulatedHostDeps) {
    this.#simulation = simulation;
    this.machine = machine;
    this.now = now;
    this.signal = signal;
  }

  get mid(): number {
    return this.machine.mid;
  }

  /** The records of the hour in which an instant is. */
  recordsAt(path: DatasetPath, instant: number): Observed[] {
    return [...this.#simulation.hostRecords(path, this.machine, hourAt(startOfHour(instant)))];
  }

  /** The connections in a part of an hour. */
  connectionsIn(start: number, end: number): Observed[] {
    const window = { startTime: isoTimestamp(start), endTime: isoTimestamp(end) };
    const part = { ...hourAt(startOfHour(start)), window };
    return [...this.#simulation.hostRecords('Activities/Connections', this.machine, part)];
  }

  startedBetween(after: number, upTo: number): Process[] {
    return startedBetween(this.#simulation.company, this.machine, after, upTo);
  }
}
