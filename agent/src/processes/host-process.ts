import type { Reading } from '../reading.ts';

/** A process of the host, as its files in `/proc` describe it. */
export interface HostProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  /** Ticks since the boot. */
  readonly startTicks: bigint;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly uid: number;
  readonly effectiveUid: number;
  /** The name that the kernel keeps, of at most 15 bytes. */
  readonly name: string;
  /** Empty for threads of the kernel. */
  readonly parameters: Reading<readonly string[]>;
  readonly program: Reading<string>;
  readonly directory: Reading<string>;
  readonly root: Reading<string>;
  readonly containerId?: string;
  /** Identifies its network namespace: `net:[4026531840]`. */
  readonly network: Reading<string>;
  /** See `process-key.ts`. */
  readonly key: number;
  readonly parentKey?: number;
}

/** All processes of the host; read once for the sources that are observed at the same time. */
export type ReadProcesses = () => Promise<Reading<readonly HostProcess[]>>;
