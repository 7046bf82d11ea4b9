import { agentInfo } from '../../telemetry/datasets/AgentInfo.ts';
import { isoTimestamp, millisecondsPerHour } from '../hour.ts';
import { hourly } from '../stream.ts';

const versions = ['6.7.0-a1b2c3d4', '6.7.0-a1b2c3d4', '6.7.0-a1b2c3d4', '6.6.2-90817263'] as const;

export const agentStream = hourly(agentInfo, (machine, { start }, random) => [
  {
    createdTime: isoTimestamp(machine.bootAt + 180_000),
    lastUpdate: isoTimestamp(start + random.between(millisecondsPerHour - 600_000, millisecondsPerHour - 1)),
    mid: machine.mid,
    agentVersion: versions[machine.index % versions.length],
    hostname: machine.hostname,
    ipAddr: machine.address,
    mode: machine.index % 3 === 0 ? 'normal' : 'ebpf',
    os: 'Linux',
    status: 'ACTIVE',
    tags: machine.tags,
  },
]);
