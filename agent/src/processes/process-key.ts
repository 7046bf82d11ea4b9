import { createHash } from 'node:crypto';

/** Numbers in JSON are exact up to here. */
const mask = (1n << 53n) - 1n;

/** The key of a process on a host. The start, in ticks since the boot, distinguishes it from later ones with its pid. */
export function processKey(boot: string, pid: number, startTicks: bigint): number {
  const digest = createHash('sha256').update(`${boot} ${pid} ${startTicks}`).digest();
  return Number(digest.readBigUInt64BE() & mask);
}
