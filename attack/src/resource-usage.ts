import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;
/** Seconds of observation, and the maximum processor share of an idle process. */
const idleInterval = 3;
const idleShare = 0.03;

/** Memory, descriptors and processor time of a process, as Linux reports them. */
export class ResourceUsage {
  readonly #folder: string;

  constructor(pid: number) {
    this.#folder = `/proc/${pid}`;
  }

  /** Resident memory in MB. */
  memory(): number {
    return this.#status('VmRSS');
  }

  /** Returns a function for the peak growth of the resident memory from now on, in MB. */
  watchMemory(): () => number {
    // Writing 5 resets the peak.
    writeFileSync(`${this.#folder}/clear_refs`, '5');
    const before = this.memory();
    return () => this.#status('VmHWM') - before;
  }

  /** Open files and connections. */
  descriptors(): number {
    return readdirSync(`${this.#folder}/fd`).length;
  }

  /** Seconds of processor time of all threads. */
  processorTime(): number {
    const fields = readFileSync(`${this.#folder}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }

  /** Waits until the process is idle, at most for the given seconds. */
  async waitUntilIdle(seconds: number): Promise<void> {
    for (let waited = 0; waited < seconds; waited += idleInterval) {
      const before = this.processorTime();
      await sleep(idleInterval * 1_000);
      if (this.processorTime() - before < idleShare * idleInterval) return;
    }
  }

  #status(name: string): number {
    const line = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`${this.#folder}/status`, 'utf8'));
    return (Number(line?.[1]) * 1024) / 1e6;
  }
}
