import type { Random } from '../random.ts';
import { ownAddresses } from './addresses.ts';
import type { Cloud } from './cloud.ts';
import { type Container, startContainers } from './container.ts';
import type { Image } from './image.ts';
import type { Person } from './people.ts';
import { type Process, startProcesses } from './process.ts';
import { type Role, roleOf } from './role.ts';

export interface Machine {
  readonly index: number;
  readonly mid: number;
  readonly role: Role;
  readonly hostname: string;
  readonly address: string;
  /** Empty if it is not reachable from the internet. */
  readonly publicAddress: string;
  readonly hardwareAddress: string;
  readonly instanceId: string;
  readonly zone: string;
  readonly bootAt: number;
  readonly tags: Readonly<Record<string, string>>;
  /** People with an account on it. */
  readonly people: readonly Person[];
  readonly containers: readonly Container[];
  readonly processes: readonly Process[];
}

/** Company-wide data that hosts are created from. */
interface HostContext {
  readonly domain: string;
  readonly cloud: Cloud;
  readonly images: readonly Image[];
  readonly people: readonly Person[];
}

/** Before any simulated time. */
const firstBoot = Date.UTC(2025, 5, 1);
const bootsWithin = 60 * 24 * 3_600_000;

export function createMachine(index: number, context: HostContext, random: Random): Machine {
  const { domain, cloud, images, people } = context;
  const role = roleOf(index);
  const [block, last] = [Math.floor(index / 250), (index % 250) + 4];
  const address = `10.${20 + Math.floor(block / 250)}.${block % 250}.${last}`;
  const publicAddress = role.isPublic ? (ownAddresses[index % ownAddresses.length] as string) : '';
  const hostname = `${role.name}-${index + 1}.${domain}`;
  const [instanceId, zone] = [`i-0${random.hex(16)}`, cloud.zones[index % cloud.zones.length] as string];
  const [mid, bootAt] = [random.key(), firstBoot + random.below(bootsWithin)];
  const admins = people.filter(({ team }) => team === 'platform' || (team === 'data' && role.name === 'db'));
  const containers = startContainers({ role, index, images, bootAt }, random);
  return {
    ...{ index, mid, role, hostname, address, publicAddress, instanceId, zone, bootAt, containers },
    people: random.some(admins, 6),
    hardwareAddress: `02:${random.hex(10).match(/../g)?.join(':')}`,
    processes: startProcesses({ role, bootAt, containers }, random),
    tags: {
      Hostname: hostname,
      ExternalIp: publicAddress,
      InternalIp: address,
      InstanceId: instanceId,
      InstanceName: hostname.split('.')[0] as string,
      Name: hostname.split('.')[0] as string,
      VmInstanceType: role.instanceType,
      VmProvider: 'AWS',
      Zone: zone,
      Account: cloud.accountId,
      AmiId: cloud.amiIds[role.os],
      VpcId: cloud.vpcId,
      SubnetId: cloud.subnetIds[index % cloud.subnetIds.length] as string,
      Env: index % 9 === 8 ? 'staging' : 'production',
      LwTokenShort: `simulated${random.hex(6)}`,
      arch: 'amd64',
      os: 'linux',
      lw_InternetExposure: role.isPublic ? 'Yes' : 'No',
      ...(role.runs === 'pods' && {
        KubernetesCluster: cloud.cluster,
        lw_KubernetesCluster: cloud.cluster,
        'eks:cluster-name': cloud.cluster,
      }),
    },
  };
}
