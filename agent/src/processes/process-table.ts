import { setImmediate } from 'node:timers/promises';
import { parseBootTime } from '../host/boot-time.ts';
import type { Host } from '../host/host.ts';
import { absent, mapped, type Reading, read, unreadable, valueOr } from '../reading.ts';
import { parseTicksPerSecond } from './boot.ts';
import { containerIdOf } from './cgroup.ts';
import { maxCmdlineBytes, parseCmdline } from './cmdline.ts';
import type { HostProcess, ReadProcesses } from './host-process.ts';
import { ProcDirectory } from './proc-directory.ts';
import { processKey } from './process-key.ts';
import { type ProcessStat, parseStat } from './stat.ts';
import { parseUsers } from './status.ts';

const maxProcesses = 100_000;
/** Sources that are observed within this time share a reading. */
const sharedFor = 5_000;
/** A new process is about to replace its program, its user and its parameters; an old one rarely does. */
const detailsFor = 60_000;
/** By which the time of the boot may move before it counts as a clock that was set. */
const bootTolerance = 2_000;
/** Processes that are read before other work gets its turn. */
const atOnce = 100;

interface Boot {
  readonly id: string;
  readonly time: number;
  readonly ticksPerSecond: number;
}

interface Known {
  readonly process: HostProcess;
  readonly detailedAt: number;
}

type Details = Omit<HostProcess, keyof ProcessStat | 'startedAt' | 'program' | 'key' | 'parentKey'>;

/** The processes of the host. What hardly changes is remembered by pid and start from one reading to the next. */
export class ProcessTable {
  readonly #host: Pick<Host, 'files' | 'programs' | 'now'>;
  #proc: Reading<ProcDirectory> = absent;
  #boot: Boot | undefined;
  #known = new Map<number, Known>();
  #hidden = 0;
  #last: { readonly at: number; readonly processes: ReturnType<ReadProcesses> } | undefined;

  constructor(host: Pick<Host, 'files' | 'programs' | 'now'>) {
    this.#host = host;
  }

  readonly read: ReadProcesses = () => {
    const now = this.#host.now();
    const age = now - (this.#last?.at ?? -Infinity);
    if (!this.#last || age < 0 || age >= sharedFor) this.#last = { at: now, processes: this.#read(now) };
    return this.#last.processes;
  };

  /** How many processes the last reading had to leave out, because the agent may not read them. */
  get hidden(): number {
    return this.#hidden;
  }

  /** Identifies the boot of the host; undefined before the first reading. */
  get bootId(): string | undefined {
    return this.#boot?.id;
  }

  /** The process that had the pid at the time, by the last reading. */
  processAt(pid: number, time: number): HostProcess | undefined {
    const process = this.#known.get(pid)?.process;
    return process && process.startedAt <= time ? process : undefined;
  }

  async #read(now: number): Promise<Reading<readonly HostProcess[]>> {
    if (this.#proc.is !== 'read') this.#proc = await ProcDirectory.open(this.#host.files);
    if (this.#proc.is !== 'read') return noProc;
    const proc = this.#proc.value;
    const names = proc.names('.', maxProcesses);
    if (names.is !== 'read') return names.is === 'absent' ? noProc : names;
    const boot = await this.#bootOf(proc);
    if (boot.is !== 'read') return boot.is === 'absent' ? noProc : boot;
    const found = new Map<number, Known>();
    let hidden = 0;
    for (const [index, name] of names.value.filter((one) => /^\d{1,10}$/.test(one)).entries()) {
      if (index % atOnce === atOnce - 1) await setImmediate();
      const stat = proc.text(`${name}/stat`, 4_096);
      // With the mount option hidepid, the files of others may not be read.
      if (stat.is === 'unreadable') hidden++;
      if (stat.is !== 'read') continue;
      const parsed = parseStat(stat.value);
      if (!parsed) return unreadable(`/proc/${name}/stat has an unknown form.`);
      const known = this.#processOf(proc, boot.value, parsed, now);
      if (known) found.set(parsed.pid, known);
    }
    for (const [pid, known] of found) found.set(pid, withParent(known, found));
    this.#known = found;
    this.#hidden = hidden;
    return read([...found.values()].map(({ process }) => process).sort((a, b) => a.pid - b.pid));
  }

  /** Undefined if it has ended meanwhile. */
  #processOf(proc: ProcDirectory, boot: Boot, stat: ProcessStat, now: number): Known | undefined {
    const program = proc.target(`${stat.pid}/exe`);
    const before = this.#known.get(stat.pid);
    const known = before?.process.startTicks === stat.startTicks ? before : undefined;
    const startedAt = known?.process.startedAt ?? startOf(boot, stat);
    if (known && isFresh(known, now) && now - startedAt >= detailsFor && isSame(known.process, stat, program))
      return known;
    const details = detailsOf(proc, stat.pid);
    if (!details) return undefined;
    const key = known?.process.key ?? processKey(boot.id, stat.pid, stat.startTicks);
    return { process: { ...stat, ...details, startedAt, program, key }, detailedAt: now };
  }

  async #bootOf(proc: ProcDirectory): Promise<Reading<Boot>> {
    const text = proc.text('stat');
    if (text.is !== 'read') return text;
    // With many interrupts, the line of the boot is behind the part that is read.
    const time = parseBootTime(text.value) ?? parseBootTime(valueOr(await this.#wholeStat(), ''));
    if (time === undefined) return unreadable('/proc/stat does not name the time of the boot.');
    if (!this.#boot) {
      const id = proc.text('sys/kernel/random/boot_id', 100);
      if (id.is !== 'read') return id;
      const ticks = await this.#host.programs.output('getconf', ['CLK_TCK']);
      const ticksPerSecond = parseTicksPerSecond(ticks.is === 'read' ? ticks.value.toString() : '');
      this.#boot = { id: id.value.trim(), time, ticksPerSecond };
    } else if (Math.abs(time - this.#boot.time) > bootTolerance) {
      this.#boot = { ...this.#boot, time };
    }
    return read(this.#boot);
  }

  #wholeStat(): Promise<Reading<string>> {
    return this.#host.files.text('/proc/stat', 4 * 1024 * 1024);
  }
}

const noProc = unreadable('/proc is not mounted: mount the one of the host for the agent.');

function startOf({ time, ticksPerSecond }: Boot, { startTicks }: ProcessStat): number {
  return time + Number((startTicks * 1_000n) / BigInt(ticksPerSecond));
}

function isFresh({ detailedAt }: Known, now: number): boolean {
  return now >= detailedAt && now - detailedAt < detailsFor;
}

/** Whether neither the program nor what `stat` says has changed. */
function isSame(process: HostProcess, stat: ProcessStat, program: Reading<string>): boolean {
  return (
    valueOr(process.program, process.program.is) === valueOr(program, program.is) &&
    process.name === stat.name &&
    process.ppid === stat.ppid &&
    process.pgid === stat.pgid &&
    process.sid === stat.sid
  );
}

function detailsOf(proc: ProcDirectory, pid: number): Details | undefined {
  const users = parseUsers(valueOr(proc.text(`${pid}/status`, 8_192), ''));
  if (!users) return undefined;
  const containerId = containerIdOf(valueOr(proc.text(`${pid}/cgroup`), ''));
  return {
    ...users,
    parameters: mapped(proc.start(`${pid}/cmdline`, maxCmdlineBytes), parseCmdline),
    directory: proc.target(`${pid}/cwd`),
    root: proc.target(`${pid}/root`),
    network: proc.target(`${pid}/ns/net`),
    ...(containerId !== undefined && { containerId }),
  };
}

/** A parent is older than its children: otherwise its pid was given to another process meanwhile. */
function withParent(known: Known, found: ReadonlyMap<number, Known>): Known {
  const { process, detailedAt } = known;
  const parent = found.get(process.ppid)?.process;
  const parentKey = parent && parent.startTicks <= process.startTicks ? parent.key : undefined;
  if (process.parentKey === parentKey) return known;
  const { parentKey: _, ...others } = process;
  return { process: parentKey === undefined ? others : { ...others, parentKey }, detailedAt };
}
