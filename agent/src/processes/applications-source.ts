import type { Host } from '../host/host.ts';
import type { Observation, Observed, Source } from '../source.ts';
import { UserNames } from '../users/user-names.ts';
import { applicationName } from './application-name.ts';
import type { HostProcess, ReadProcesses } from './host-process.ts';
import type { FindContainer } from './process-container.ts';
import { programPath } from './program-path.ts';

export interface ApplicationsDeps {
  readonly processes: ReadProcesses;
  /** `propsMachine` of the records. */
  readonly machineProperties: () => Promise<Observed>;
  readonly findContainer?: FindContainer;
}

interface Application {
  readonly appName: string;
  readonly exePath: string;
  readonly username: { readonly effective: string; readonly original: string };
  readonly processes: HostProcess[];
}

/** Bytes are counted by connection, not by process. */
const netStats = { num_in_bytes: 0, num_out_bytes: 0, num_total_bytes: 0 };

/** Reports the processes of the host by application and user. */
export class ApplicationsSource implements Source {
  readonly name = 'applications';
  readonly interval = 60_000;
  readonly #deps: ApplicationsDeps;

  constructor(deps: ApplicationsDeps) {
    this.#deps = deps;
  }

  async observe({ files }: Pick<Host, 'files'>): Promise<Observation> {
    const processes = await this.#deps.processes();
    if (processes.is !== 'read') {
      const reason = processes.is === 'absent' ? 'The host has no /proc.' : processes.reason;
      return { records: {}, gaps: [{ what: 'Applications', reason }] };
    }
    const applications = applicationsOf(processes.value, await UserNames.read(files));
    const propsMachine = await this.#deps.machineProperties();
    const records = applications.map((one) => this.#record(one, propsMachine));
    return { records: { 'Entities/Applications': records }, gaps: [] };
  }

  #record({ processes, ...application }: Application, propsMachine: Observed): Observed {
    const containerInfo = this.#containerInfo(processes);
    return {
      ...application,
      propsMachine,
      ...(containerInfo && { containerInfo }),
      netStats,
      props: { num_processes: processes.length, bytes: 'unknown' },
    };
  }

  /** That of the first process in a container that a runtime knows. */
  #containerInfo(processes: readonly HostProcess[]): Observed | undefined {
    for (const { containerId } of processes) {
      const container = containerId === undefined ? undefined : this.#deps.findContainer?.(containerId);
      if (container) return container.info;
    }
    return undefined;
  }
}

/** Threads of the kernel are no applications. */
function applicationsOf(processes: readonly HostProcess[], names: UserNames): Application[] {
  const applications = new Map<string, Application>();
  for (const process of processes) {
    if (process.program.is === 'absent') continue;
    const [appName, exePath] = [applicationName(process), programPath(process)];
    const effective = names.nameOrId(process.effectiveUid);
    const original = names.nameOrId(process.uid);
    const key = JSON.stringify([appName, exePath, effective, original]);
    const application = applications.get(key);
    if (application) application.processes.push(process);
    else applications.set(key, { appName, exePath, username: { effective, original }, processes: [process] });
  }
  return [...applications.values()];
}
