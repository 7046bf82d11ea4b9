import type { HostProcess } from '../processes/host-process.ts';
import { programPath } from '../processes/program-path.ts';
import type { Execution } from './execution.ts';

export type FindProcess = (
  pid: number,
  time: number,
) => Pick<HostProcess, 'program' | 'name' | 'startedAt'> | undefined;

const maxPrograms = 20_000;

/** The programs of parents, of which the audit log has the pid only: by the log itself, and by what runs. */
export class ParentPrograms {
  readonly #processAt: FindProcess;
  readonly #logged = new Map<number, { readonly path: string; readonly at: number }>();

  constructor(processAt: FindProcess) {
    this.#processAt = processAt;
  }

  /** Notes the execution, and returns the program of its parent if that is known. */
  add({ pid, ppid, exePath, at }: Execution): string | undefined {
    const parent = ppid === undefined ? undefined : this.#programOf(ppid, at);
    // The latest is last, so that the oldest is removed first.
    this.#logged.delete(pid);
    this.#logged.set(pid, { path: exePath, at });
    const [oldest] = this.#logged.keys();
    if (this.#logged.size > maxPrograms && oldest !== undefined) this.#logged.delete(oldest);
    return parent;
  }

  /** A logged program is out of date if the pid was given to another process after it. */
  #programOf(pid: number, at: number): string | undefined {
    const [logged, running] = [this.#logged.get(pid), this.#processAt(pid, at)];
    return running && (!logged || running.startedAt > logged.at) ? programPath(running) : logged?.path;
  }
}
