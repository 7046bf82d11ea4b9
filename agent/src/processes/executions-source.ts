import { valueOr } from '../reading.ts';
import { redactedCommandLine } from '../redaction/redaction.ts';
import type { Observation, Observed, Source } from '../source.ts';
import type { HostProcess } from './host-process.ts';
import type { ProcessTable } from './process-table.ts';
import { programPath } from './program-path.ts';

export interface ExecutionsDeps {
  readonly table: Pick<ProcessTable, 'read' | 'bootId'>;
  /** Whether the audit log reports executions, which must not be reported twice. */
  readonly isAudited: (now: number) => boolean;
}

/** Reports programs that were started, by samples of the processes, unless an audit log reports them. */
export class ExecutionsSource implements Source {
  readonly name = 'executions';
  readonly interval = 10_000;
  readonly #deps: ExecutionsDeps;
  /** The programs of the last observation, by the key of their process. */
  #known: ReadonlyMap<number, string> | undefined;

  constructor(deps: ExecutionsDeps) {
    this.#deps = deps;
  }

  /** At first nothing is new, because what happened before the agent was installed is not monitored. */
  async observe(host: { now(): number }, cursor: unknown): Promise<Observation> {
    const { table, isAudited } = this.#deps;
    const processes = await table.read();
    const { bootId } = table;
    // The source of processes says why they are missing.
    if (processes.is !== 'read' || bootId === undefined) return { records: {}, gaps: [] };
    const stored = lastTicks(cursor, bootId);
    const all = new Map(processes.value.map((one) => [one.key, one]));
    const added = processes.value.filter((one) => isProgram(one) && this.#isNew(one, stored));
    this.#known = new Map(processes.value.map((one) => [one.key, programPath(one)]));
    const records = isAudited(host.now()) ? [] : added.map((one) => recordOf(one, all, host.now()));
    return {
      records: { LW_HA_SYSCALLS_EXEC: records },
      gaps: [],
      ...((records.length > 0 || stored === undefined) && { cursor: cursorOf(processes.value, bootId) }),
    };
  }

  /** A process that was seen before may have replaced its program. */
  #isNew(process: HostProcess, stored: bigint | undefined): boolean {
    if (this.#known) return this.#known.get(process.key) !== programPath(process);
    return stored !== undefined && process.startTicks > stored;
  }
}

/** Threads of the kernel have no parameters. */
function isProgram({ parameters }: HostProcess): boolean {
  return valueOr(parameters, []).length > 0;
}

function recordOf(process: HostProcess, all: ReadonlyMap<number, HostProcess>, now: number): Observed {
  const { pid, ppid, uid, key, parentKey, startedAt, containerId } = process;
  const parent = parentKey === undefined ? undefined : all.get(parentKey);
  return {
    createdTime: new Date(Math.min(startedAt, now)).toISOString(),
    ...{ pid, ppid, uid, pidHash: key },
    ...(parentKey !== undefined && { ppidHash: parentKey }),
    exePath: programPath(process),
    cmdline: redactedCommandLine(valueOr(process.parameters, [])),
    ...(parent && { parentExePath: programPath(parent) }),
    isInContainer: containerId !== undefined,
    ...{ count: 1, os: 'linux' },
  };
}

/** Processes that are started while the agent is stopped are later than the latest one. */
function cursorOf(processes: readonly HostProcess[], boot: string): unknown {
  let latest = 0n;
  for (const { startTicks } of processes) if (startTicks > latest) latest = startTicks;
  return { boot, ticks: String(latest) };
}

/** Undefined if the cursor is of another boot, or damaged. */
function lastTicks(cursor: unknown, boot: string): bigint | undefined {
  if (typeof cursor !== 'object' || cursor === null) return undefined;
  const { boot: stored, ticks } = cursor as Record<string, unknown>;
  return stored === boot && typeof ticks === 'string' && /^\d{1,20}$/.test(ticks) ? BigInt(ticks) : undefined;
}
