import type { LivePrograms } from './live-programs.ts';
import type { ShopHost } from './shop-host.ts';

/** What a policy looks for, created among the files of a host. */
export interface HostSituation {
  readonly on: 'files';
  create(host: ShopHost): void;
  /** The subject of the alert, after the title of the policy. */
  readonly finding: string;
}

/** What a policy looks for, as a process of the host that runs the tests. */
export interface ProcessSituation {
  readonly on: 'processes';
  /** Starts the process and returns its pid. */
  start(programs: LivePrograms): Promise<number>;
  /** The path of its program, and a part of its command line. */
  readonly program: RegExp;
  readonly commandLine: string;
}

export type Situation = HostSituation | ProcessSituation;
