/** What `/proc/PID/stat` says of a process. */
export interface ProcessStat {
  readonly pid: number;
  readonly name: string;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  /** Ticks since the boot. */
  readonly startTicks: bigint;
}

/** Three thousand years at a hundred ticks a second: times that are computed from more are no dates. */
const maxTicks = 10_000_000_000_000n;

/** Undefined if it is not understood. The name is in parentheses and may contain any characters, `) ` among them. */
export function parseStat(text: string): ProcessStat | undefined {
  const begin = text.indexOf(' (');
  const end = text.lastIndexOf(') ');
  if (begin < 1 || end < begin + 2) return undefined;
  const fields = text.slice(end + 2).split(' ', 20);
  const pid = idOf(text.slice(0, begin));
  const [ppid, pgid, sid] = [idOf(fields[1]), idOf(fields[2]), idOf(fields[3])];
  const ticks = fields[19] ?? '';
  if (!pid || ppid === undefined || pgid === undefined || sid === undefined || !/^\d{1,14}$/.test(ticks))
    return undefined;
  const startTicks = BigInt(ticks);
  if (startTicks > maxTicks) return undefined;
  return { pid, name: text.slice(begin + 2, end), ppid, pgid, sid, startTicks };
}

/** A process that is being removed has the group and session -1. */
function idOf(text: string | undefined): number | undefined {
  if (text === '-1') return 0;
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}
