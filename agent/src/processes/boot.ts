/** From the output of `getconf CLK_TCK`; it is 100 on all common kernels. */
export function parseTicksPerSecond(text: string): number {
  const ticks = /^(\d{1,5})\s*$/.exec(text)?.[1];
  return Number(ticks ?? 0) || 100;
}
