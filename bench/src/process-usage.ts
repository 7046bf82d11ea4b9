import { readFileSync } from 'node:fs';

/** Ticks of the processor times in /proc, the same on all usual systems. */
const ticksPerSecond = 100;

/** The processor time and the memory of a process, from /proc. */
export class ProcessUsage {
  readonly #pid: number;
  readonly #start: { readonly at: number; readonly seconds: number };
  #peak = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#start = { at: performance.now(), seconds: this.#seconds() };
  }

  /** Resident memory in megabytes. */
  sample(): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    const megabytes = (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6;
    this.#peak = Math.max(this.#peak, megabytes);
    return megabytes;
  }

  /** The largest of the samples. */
  get peak(): number {
    return this.#peak;
  }

  /** Cores that all threads have used on average since the start. */
  cores(): number {
    return (this.#seconds() - this.#start.seconds) / ((performance.now() - this.#start.at) / 1_000);
  }

  #seconds(): number {
    const stat = readFileSync(`/proc/${this.#pid}/stat`, 'utf8');
    // The name of the program may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }
}
