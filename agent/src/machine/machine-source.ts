import type { Host } from '../host/host.ts';
import type { Observation, Observed, Source } from '../source.ts';
import { timestamp } from '../timestamp.ts';
import type { MachineFacts, MachineReader } from './machine-facts.ts';

/** Hosts that route for others have many more. */
const maxRoutes = 64;

/** Reports what the host is. */
export class MachineSource implements Source {
  readonly name = 'machine';
  readonly interval = 60_000;
  readonly #reader: MachineReader;

  constructor(reader: MachineReader) {
    this.#reader = reader;
  }

  async observe(host: Host): Promise<Observation> {
    const facts = await this.#reader.read(host);
    return {
      records: { 'Entities/Machines': [machineOf(facts)], 'Entities/MachineDetails': [detailsOf(facts)] },
      gaps: facts.gaps,
    };
  }
}

function machineOf(facts: MachineFacts): Observed {
  const { hostname, network, tags } = facts;
  return {
    ...(hostname !== undefined && { hostname }),
    primaryIpAddr: network.primaryAddress ?? '',
    entityType: 'Machine',
    machineTags: tags,
    ...awsOf(facts, false),
  };
}

function detailsOf(facts: MachineFacts): Observed {
  const { hostname = '', distribution, kernel, processor, memoryKilobytes, bootedAt } = facts;
  const { ids, instance, network, tags } = facts;
  const dot = hostname.indexOf('.');
  const router = network.defaultRoute?.gateway;
  return {
    hostname,
    domain: dot === -1 ? '(none)' : hostname.slice(dot + 1),
    ...distribution,
    ...kernel,
    ...awsOf(facts, true),
    tags,
    cpuInfo: { ...(processor.model !== undefined && { model: processor.model }), cores: processor.cores },
    ...(memoryKilobytes !== undefined && { memoryInfo: { totalKbytes: memoryKilobytes } }),
    machineId: {
      ...(ids.machineId && { machineId: ids.machineId }),
      ...(instance && { instanceId: instance.instanceId }),
    },
    ...(bootedAt !== undefined && { lastBootTime: timestamp(bootedAt) }),
    ...(router !== undefined && { defaultRouter: router }),
    route: network.routes.slice(0, maxRoutes).map(({ metric: _, ...route }) => route),
  };
}

function awsOf({ instance }: MachineFacts, hasZone: boolean): Observed {
  if (instance?.provider !== 'AWS') return {};
  const { instanceId, zone } = instance;
  return { awsInstanceId: instanceId, ...(hasZone && zone !== undefined && { awsZone: zone }) };
}
