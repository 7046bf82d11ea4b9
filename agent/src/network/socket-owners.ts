import { setImmediate } from 'node:timers/promises';
import type { HostProcess } from '../processes/host-process.ts';
import type { ProcDirectory } from '../processes/proc-directory.ts';

/** Processes whose descriptors are read before other work gets its turn. */
const atOnce = 50;
const maxDescriptors = 100_000;
/** A socket of the kernel itself has no process: it is not searched for each time. */
const maxSearches = 3;

interface Owner {
  readonly key?: number;
  readonly searches: number;
}

/** Which process has a socket, by the inode. Those that are known are not searched for again. */
export class SocketOwners {
  #owners = new Map<number, Owner>();

  /** The key of a process; undefined if it is not known. */
  of(inode: number): number | undefined {
    return this.#owners.get(inode)?.key;
  }

  /** Searches for the owners of sockets; false if there are some that the agent may not see. */
  async find(
    inodes: ReadonlySet<number>,
    processes: readonly HostProcess[],
    proc: ProcDirectory,
  ): Promise<boolean> {
    const owners = new Map<number, Owner>();
    const wanted = new Set<number>();
    for (const inode of inodes) {
      const owner = this.#owners.get(inode) ?? { searches: 0 };
      const isWanted = owner.key === undefined && owner.searches < maxSearches;
      owners.set(inode, isWanted ? { searches: owner.searches + 1 } : owner);
      if (isWanted) wanted.add(inode);
    }
    this.#owners = owners;
    let isComplete = true;
    for (const [index, { pid, key }] of processes.entries()) {
      if (wanted.size === 0) return true;
      if (index % atOnce === atOnce - 1) await setImmediate();
      const descriptors = proc.names(`${pid}/fd`, maxDescriptors);
      if (descriptors.is === 'unreadable') isComplete = false;
      if (descriptors.is !== 'read') continue;
      for (const descriptor of descriptors.value) {
        const target = proc.target(`${pid}/fd/${descriptor}`);
        const inode = target.is === 'read' ? socketInode(target.value) : undefined;
        if (inode !== undefined && wanted.delete(inode)) owners.set(inode, { key, searches: 0 });
      }
    }
    return isComplete || wanted.size === 0;
  }
}

function socketInode(target: string): number | undefined {
  const inode = /^socket:\[(\d{1,15})\]$/.exec(target)?.[1];
  return inode === undefined ? undefined : Number(inode);
}
