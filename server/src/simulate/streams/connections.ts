import { connections as dataset } from '../../telemetry/datasets/Connections.ts';
import { customerAddresses, serviceAddress } from '../company/addresses.ts';
import { type Company, type CompanySize, createCompany } from '../company/company.ts';
import type { Machine } from '../company/machine.ts';
import type { Process } from '../company/process.ts';
import { type RoleName, roles } from '../company/role.ts';
import { namesResolvedBy, resolver } from '../company/services.ts';
import { type Hour, hoursBefore } from '../hour.ts';
import { Random } from '../random.ts';
import type { SimulatedRecord, Stream } from '../stream.ts';

type Endpoints = Pick<
  Flow,
  'srcEntityType' | 'srcEntityId' | 'dstEntityType' | 'dstEntityId' | 'endpointDetails'
>;

/** A recurring flow between two endpoints. */
interface Flow {
  readonly srcEntityType: string;
  readonly srcEntityId: object;
  readonly dstEntityType: string;
  readonly dstEntityId: object;
  readonly endpointDetails: readonly object[];
  /** Connections at full load. */
  readonly busy: number;
}

type MachinesByRole = ReadonlyMap<RoleName, readonly Machine[]>;

/** Of a company, cached. */
const flowsByCompany = new WeakMap<Company, readonly Flow[]>();
const rolesByCompany = new WeakMap<Company, MachinesByRole>();

function flowsOf(company: Company): readonly Flow[] {
  const flows =
    flowsByCompany.get(company) ?? company.machines.flatMap((machine) => flowsOfHost(company, machine));
  flowsByCompany.set(company, flows);
  return flows;
}

function flowsOfHost(company: Company, machine: Machine): readonly Flow[] {
  const random = new Random('flows', company.seed, company.hosts, machine.index);
  return [...innerFlows(machine, machinesByRole(company), random), ...outerFlows(machine)];
}

function machinesByRole(company: Company): MachinesByRole {
  const ofRole = (name: RoleName) => company.machines.filter(({ role }) => role.name === name);
  const byRole =
    rolesByCompany.get(company) ?? new Map(Object.values(roles).map(({ name }) => [name, ofRole(name)]));
  rolesByCompany.set(company, byRole);
  return byRole;
}

function* innerFlows(machine: Machine, byRole: MachinesByRole, random: Random): Generator<Flow> {
  for (const { from, role, to, peers } of machine.role.traffic) {
    const source = running(machine, from);
    const others = (byRole.get(role) ?? []).filter((other) => other !== machine);
    for (const other of source ? random.some(others, peers) : []) {
      const target = running(other, to);
      if (source && target) yield { ...betweenProcesses(machine, source, other, target), busy: 60 };
    }
  }
}

function* outerFlows(machine: Machine): Generator<Flow> {
  const { processes, role, address } = machine;
  const main = processes.find(({ name }) => name === role.programs.at(-1)?.name) as Process;
  for (const hostname of namesResolvedBy(machine)) yield { ...toName(machine, main, hostname), busy: 12 };
  const resolved = running(machine, 'systemd-resolved');
  if (resolved) yield { ...toAddress(machine, resolved, resolver, 53, 'UDP'), busy: 400 };
  const clock = running(machine, 'chronyd');
  if (clock) yield { ...toAddress(machine, clock, '169.254.169.123', 123, 'UDP'), busy: 4 };
  // Pods connect through the address of their service.
  const pods = processes.filter(({ container }) => container !== undefined);
  for (const pod of pods)
    for (const other of pods) {
      if (pod === other || pod.container?.image.namespace !== 'shop') continue;
      yield { ...betweenProcesses(machine, pod, machine, other), busy: 30 };
    }
  if (role.name === 'web')
    for (const client of customerAddresses) yield { ...fromAddress(client, machine, address, 443), busy: 0 };
}

const running = ({ processes }: Machine, name: string) => processes.find((one) => one.name === name);
const processId = ({ mid }: Machine, { pidHash }: Process) => ({ mid, pid_hash: pidHash });
const endpoint = (source: string, target: string, port: number, protocol = 'TCP') => [
  { src_ip_addr: source, dst_ip_addr: target, dst_port: port, protocol },
];
const addressOf = (machine: Machine, { container }: Process) => container?.address ?? machine.address;

function betweenProcesses(machine: Machine, source: Process, other: Machine, target: Process): Endpoints {
  return {
    srcEntityType: 'Process',
    srcEntityId: processId(machine, source),
    dstEntityType: 'Process',
    dstEntityId: processId(other, target),
    endpointDetails: endpoint(addressOf(machine, source), addressOf(other, target), target.port ?? 22),
  };
}

function toName(machine: Machine, source: Process, hostname: string): Endpoints {
  return {
    srcEntityType: 'Process',
    srcEntityId: processId(machine, source),
    dstEntityType: 'DnsName',
    dstEntityId: { hostname, port: 443, protocol: 'TCP' },
    endpointDetails: endpoint(machine.address, serviceAddress(hostname), 443),
  };
}

export function toAddress(
  machine: Machine,
  source: Process,
  ip: string,
  port: number,
  protocol: string,
): Endpoints {
  return {
    srcEntityType: 'Process',
    srcEntityId: processId(machine, source),
    dstEntityType: 'IpAddress',
    dstEntityId: { ip_addr: ip, port, protocol },
    endpointDetails: endpoint(machine.address, ip, port, protocol),
  };
}

function fromAddress(client: string, { mid }: Machine, address: string, port: number): Endpoints {
  return {
    srcEntityType: 'IpAddress',
    srcEntityId: { ip_addr: client },
    dstEntityType: 'ServerPort',
    dstEntityId: { mid, port, protocol: 'TCP' },
    endpointDetails: endpoint(client, address, port),
  };
}

export function connectionRecord(flow: Endpoints, hour: Hour, numConns: number, random: Random) {
  const sent = numConns * (180 + random.below(1_800));
  const received = numConns * (300 + random.below(9_000));
  return {
    startTime: hour.window.startTime,
    endTime: hour.window.endTime,
    srcEntityType: flow.srcEntityType,
    srcEntityId: flow.srcEntityId,
    dstEntityType: flow.dstEntityType,
    dstEntityId: flow.dstEntityId,
    srcInBytes: received,
    srcOutBytes: sent,
    dstInBytes: sent,
    dstOutBytes: received,
    numConns,
    endpointDetails: flow.endpointDetails,
  };
}

/** Share of customers that visit a web server at full load. */
const visiting = 0.35;

function* connectionsIn(flows: readonly Flow[], hour: Hour, random: Random): Generator<SimulatedRecord> {
  for (const flow of flows) {
    const isVisit = flow.busy === 0;
    if (!random.chance(isVisit ? visiting * hour.load : 0.4 + 0.6 * hour.load)) continue;
    const most = isVisit ? 25 : 1 + flow.busy * hour.load;
    yield connectionRecord(flow, hour, 1 + random.below(most), random);
  }
}

export const connectionStream: Stream = {
  dataset,
  ofHour: (company, hour, random) => connectionsIn(flowsOf(company), hour, random),
  ofHost: (company, machine, hour, random) => connectionsIn(flowsOfHost(company, machine), hour, random),
};

/** Generates connections only and lazily: about 5 million for 515 hosts and 14 days. Only the company is in memory. */
export function* connectionsOf(
  wanted: CompanySize & { readonly days: number; readonly end: number },
): Generator<SimulatedRecord> {
  const company = createCompany(wanted);
  for (const hour of hoursBefore(wanted.end, wanted.days))
    yield* connectionStream.ofHour(
      company,
      hour,
      new Random(dataset.path, wanted.seed, wanted.hosts, hour.start),
    );
}
