import { join } from 'node:path';
import { AuditSource } from './audit/audit-source.ts';
import type { Configuration } from './configuration.ts';
import { containerOf } from './container-of.ts';
import { ContainersSource } from './containers/containers-source.ts';
import { FilesSource } from './files/files-source.ts';
import type { HeartbeatMachine } from './heartbeat.ts';
import { isRoot } from './host/access-advice.ts';
import type { Host } from './host/host.ts';
import { HostFiles } from './host/host-files.ts';
import { Programs } from './host/programs.ts';
import { KeysSource } from './keys/keys-source.ts';
import { LoginsSource } from './logins/logins-source.ts';
import { InterfacesSource } from './machine/interfaces-source.ts';
import { MachineReader } from './machine/machine-facts.ts';
import { machineNumber, readHostIds } from './machine/machine-number.ts';
import { machineProperties } from './machine/machine-properties.ts';
import { MachineSource } from './machine/machine-source.ts';
import { ConnectionsSource } from './network/connections-source.ts';
import { DnsSource } from './network/dns-source.ts';
import { PackagesSource } from './packages/packages-source.ts';
import { ApplicationsSource } from './processes/applications-source.ts';
import { ExecutionsSource } from './processes/executions-source.ts';
import { ProcessTable } from './processes/process-table.ts';
import { ProcessesSource } from './processes/processes-source.ts';
import { ProgramsSource } from './processes/programs-source.ts';
import { redactedLine } from './redaction/redaction.ts';
import type { Source } from './source.ts';
import { UsersSource } from './users/users-source.ts';

export interface ObservedHost {
  readonly host: Host;
  /** Those that tell a newcomer most come first. */
  readonly sources: readonly Source[];
  readonly machine: () => Promise<HeartbeatMachine>;
}

/** This host, and the sources that the configuration does not leave out. */
export async function observedHost(configuration: Configuration, signal: AbortSignal): Promise<ObservedHost> {
  const files = new HostFiles(configuration.hostRoot);
  const host: Host = {
    ...{ files, programs: new Programs(signal), isRoot: isRoot(), now: Date.now, signal },
    mid: await machineNumber(configuration.stateDirectory, await readHostIds(files)),
  };
  const reader = new MachineReader({ tags: configuration.tags });
  const table = new ProcessTable(host);
  const processes = table.read;
  const machineTags = async () => (await reader.read(host)).tags;
  const containers = new ContainersSource({ readProcesses: processes, machineTags });
  const findContainer = containerOf(() => containers.containerIndex());
  const audit = new AuditSource({ redact: redactedLine, processAt: (pid, at) => table.processAt(pid, at) });
  const sources: Source[] = [
    new MachineSource(reader),
    new ProcessesSource({ table, findContainer }),
    new UsersSource(),
    new InterfacesSource(reader),
    new PackagesSource(processes),
    new ConnectionsSource({ processes, file: join(configuration.stateDirectory, 'connections.json') }),
    containers,
    new ApplicationsSource({
      processes,
      findContainer,
      machineProperties: () => machineProperties(host, reader),
    }),
    new LoginsSource(),
    new FilesSource(configuration.watched && { watched: configuration.watched }),
    new ProgramsSource({ processes }),
    new KeysSource(),
    audit,
    new ExecutionsSource({ table, isAudited: (now) => audit.isReporting(now) }),
    new DnsSource(),
  ];
  return {
    host,
    sources: sources.filter(({ name }) => !configuration.without.includes(name)),
    machine: async () => {
      const { hostname = '', network, tags } = await reader.read(host);
      return { hostname, ipAddress: network.primaryAddress ?? '', tags };
    },
  };
}
