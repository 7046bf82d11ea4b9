import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The system counts processor time in hundredths of a second. */
const ticksPerSecond = 100;
/** Seconds that a process is watched for, and the share of a processor that one takes which has nothing to do. */
const restInterval = 3;
const restShare = 0.03;

/** What a process takes of the machine, as Linux reports it. */
export class Consumption {
  readonly #folder: string;

  constructor(pid: number) {
    this.#folder = `/proc/${pid}`;
  }

  /** Resident memory in MB. */
  memory(): number {
    return this.#status('VmRSS');
  }

  /** From here on, how much higher than now the peak of the resident memory was, in MB. */
  watchMemory(): () => number {
    // 5 makes the system forget the peak so far.
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

  /** Waits until the process has nothing to do, but not longer than so many seconds. */
  async rest(seconds: number): Promise<void> {
    for (let waited = 0; waited < seconds; waited += restInterval) {
      const before = this.processorTime();
      await sleep(restInterval * 1_000);
      if (this.processorTime() - before < restShare * restInterval) return;
    }
  }

  #status(name: string): number {
    const line = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`${this.#folder}/status`, 'utf8'));
    return (Number(line?.[1]) * 1024) / 1e6;
  }
}
