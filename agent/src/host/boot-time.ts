/** When the host was started, in milliseconds since the epoch, from `/proc/stat`. It moves when the clock is set. */
export function parseBootTime(text: string): number | undefined {
  const seconds = /^btime (\d{1,11})$/m.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
