/** When the host was started, in seconds since the epoch, from `/proc/stat`. It moves when the clock is set. */
export function parseBootTime(text: string): number | undefined {
  const seconds = /^btime (\d{1,11})$/m.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

/** From the output of `getconf CLK_TCK`; it is 100 on all common kernels. */
export function parseTicksPerSecond(text: string): number {
  const ticks = /^(\d{1,5})\s*$/.exec(text)?.[1];
  return Number(ticks ?? 0) || 100;
}
