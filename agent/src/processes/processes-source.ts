import { createHash } from 'node:crypto';
import type { Host } from '../host/host.ts';
import { valueOr } from '../reading.ts';
import { redactedCommandLine } from '../redaction/redaction.ts';
import type { Observation, Observed, Source } from '../source.ts';
import { timestamp } from '../timestamp.ts';
import { UserNames } from '../users/user-names.ts';
import type { HostProcess } from './host-process.ts';
import type { FindContainer } from './process-container.ts';
import { processGaps } from './process-gaps.ts';
import type { ProcessTable } from './process-table.ts';
import { programPath } from './program-path.ts';

export interface ProcessesDeps {
  readonly table: Pick<ProcessTable, 'read' | 'hidden'>;
  readonly findContainer?: FindContainer;
}

interface CommandLine {
  readonly cmdline: string;
  readonly cmdlineHash: string;
}

/** Reports the processes of the host. */
export class ProcessesSource implements Source {
  readonly name = 'processes';
  readonly interval = 10_000;
  readonly #deps: ProcessesDeps;
  /** The table returns the same process until its details change. */
  readonly #commandLines = new WeakMap<HostProcess, CommandLine>();

  constructor(deps: ProcessesDeps) {
    this.#deps = deps;
  }

  async observe({ files, isRoot }: Pick<Host, 'files' | 'isRoot'>): Promise<Observation> {
    const { table } = this.#deps;
    const processes = await table.read();
    if (processes.is !== 'read') {
      const reason = processes.is === 'absent' ? 'The host has no /proc.' : processes.reason;
      return { records: {}, gaps: [{ what: 'Processes', reason }] };
    }
    const names = await UserNames.read(files);
    return {
      records: { 'Entities/Processes': processes.value.map((one) => this.#record(one, names)) },
      gaps: processGaps(processes.value, table.hidden, isRoot),
    };
  }

  #record(process: HostProcess, names: UserNames): Observed {
    const { containerId, directory, root, parentKey } = process;
    const podName = containerId === undefined ? undefined : this.#deps.findContainer?.(containerId)?.podName;
    return {
      pid: process.pid,
      ppid: process.ppid,
      uid: process.uid,
      username: names.nameOrId(process.uid),
      eusername: names.nameOrId(process.effectiveUid),
      filePath: programPath(process),
      ...this.#commandLine(process),
      processStartTime: timestamp(process.startedAt),
      pidHash: process.key,
      ...(parentKey !== undefined && { ppidHash: parentKey }),
      pgid: process.pgid,
      sid: process.sid,
      ...(directory.is === 'read' && { cwd: directory.value }),
      ...(root.is === 'read' && { root: root.value }),
      isInContainer: containerId !== undefined,
      ...(containerId !== undefined && { containerId }),
      ...(podName !== undefined && { podName }),
      os: 'Linux',
    };
  }

  /** Threads of the kernel have none: their name in brackets, as in `ps`. */
  #commandLine(process: HostProcess): CommandLine {
    const known = this.#commandLines.get(process);
    if (known) return known;
    const parameters = valueOr(process.parameters, []);
    const cmdline = parameters.length > 0 ? redactedCommandLine(parameters) : `[${process.name}]`;
    const commandLine = { cmdline, cmdlineHash: createHash('md5').update(cmdline).digest('hex') };
    this.#commandLines.set(process, commandLine);
    return commandLine;
  }
}
