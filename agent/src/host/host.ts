import type { HostFiles } from './host-files.ts';
import type { Programs } from './programs.ts';

/** The host that is observed; in a container, the one that runs it. */
export interface Host {
  /** The number of the machine in all records. */
  readonly mid: number;
  readonly files: HostFiles;
  readonly programs: Programs;
  /** Whether the agent runs as root, and so may read what belongs to others. */
  readonly isRoot: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Ends what is being observed when the agent stops. */
  readonly signal: AbortSignal;
}
