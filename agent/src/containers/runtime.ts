import type { Host } from '../host/host.ts';
import type { Reading } from '../reading.ts';
import type { Inventory } from './container.ts';

/** A container runtime of the host; absent if it is not installed or not running. */
export interface ContainerRuntime {
  /** `Docker`: its name in messages. */
  readonly name: string;
  inventory(host: Host): Promise<Reading<Inventory>>;
}

/** Containers and images of one runtime that are reported. */
export const maxListed = 2_000;
