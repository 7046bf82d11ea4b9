import { internalIPAddresses } from '../../telemetry/datasets/InternalIPAddresses.ts';
import { machineDetails } from '../../telemetry/datasets/MachineDetails.ts';
import { machines } from '../../telemetry/datasets/Machines.ts';
import { networkInterfaces } from '../../telemetry/datasets/NetworkInterfaces.ts';
import type { Machine } from '../company/machine.ts';
import { isoTimestamp } from '../hour.ts';
import { hourly, type Stream, snapshots } from '../stream.ts';

const systems = {
  ubuntu: {
    os: 'Ubuntu',
    osVersion: '22.04',
    osDesc: 'Ubuntu 22.04.4 LTS',
    kernel: 'Linux',
    kernelRelease: '6.5.0-1020-aws',
    kernelVersion: '#20~22.04.1-Ubuntu SMP Wed May 1 16:10:50 UTC 2024',
  },
  amazon: {
    os: 'Amazon Linux',
    osVersion: '2023',
    osDesc: 'Amazon Linux 2023.5.20240701',
    kernel: 'Linux',
    kernelRelease: '6.1.94-99.176.amzn2023.x86_64',
    kernelVersion: '#1 SMP PREEMPT_DYNAMIC Tue Jun 18 14:57:56 UTC 2024',
  },
} as const;

const detailsOf = ({ address, instanceId, role, bootAt, mid }: Machine) => {
  const router = address.replace(/\d+$/, '1');
  return {
    cpuInfo: { model: 'Intel(R) Xeon(R) Platinum 8375C', cores: role.memoryKilobytes > 8_388_608 ? 8 : 2 },
    memoryInfo: { totalKbytes: role.memoryKilobytes },
    machineId: { instanceId, machineId: mid.toString(16).padStart(32, '0') },
    lastBootTime: isoTimestamp(bootAt),
    lastBootReason: 'reboot',
    defaultRouter: router,
    kernelArgs:
      'BOOT_IMAGE=/boot/vmlinuz root=/dev/nvme0n1p1 ro console=ttyS0 nvme_core.io_timeout=4294967295',
    route: [{ destination: 'default', gateway: router, interface: 'ens5' }],
  };
};

const names = (machine: Machine) => ({ mid: machine.mid, hostname: machine.hostname });

/** Loopback, the primary interface, and the container bridge if there is one. */
function interfacesOf({ address, hardwareAddress, role }: Machine) {
  const tail = hardwareAddress.slice(9).replaceAll(':', '');
  const outside = { name: 'ens5', hwAddr: hardwareAddress };
  return [
    { name: 'lo', hwAddr: '00:00:00:00:00:00', ipAddr: '127.0.0.1' },
    { ...outside, ipAddr: address },
    { ...outside, ipAddr: `fe80::42:acff:${tail.slice(0, 4)}:${tail.slice(4)}` },
    ...(role.runs === 'neither'
      ? []
      : [{ name: 'docker0', hwAddr: '02:42:ac:11:00:01', ipAddr: '172.17.0.1' }]),
  ];
}

export const machineStreams: readonly Stream[] = [
  hourly(machines, (machine, { window }) => [
    {
      ...window,
      ...names(machine),
      primaryIpAddr: machine.address,
      entityType: 'Machine',
      machineTags: machine.tags,
    },
  ]),
  snapshots(machineDetails, (machine) => [
    {
      ...names(machine),
      domain: '(none)',
      ...systems[machine.role.os],
      awsInstanceId: machine.instanceId,
      awsZone: machine.zone,
      tags: machine.tags,
      ...detailsOf(machine),
    },
  ]),
  snapshots(networkInterfaces, (machine) =>
    interfacesOf(machine).map((inter) => ({ mid: machine.mid, ...inter })),
  ),
  hourly(internalIPAddresses, ({ mid, address }, { window }) => [{ ...window, mid, ipAddr: address }]),
];
