import { singleConnections } from '../../telemetry/datasets/LW_HA_CONNECTIONS.ts';
import { customerAddresses } from '../company/addresses.ts';
import { isoTimestamp, millisecondsPerHour } from '../hour.ts';
import { hourly } from '../stream.ts';

const maxDuration = 50_000;

/** Agents report individual connections only on public hosts. */
export const singleConnectionStream = hourly(singleConnections, function* (machine, hour, random) {
  const { mid, role, address } = machine;
  if (!role.isPublic) return;
  for (let visits = 1 + random.below(8 * hour.load); visits > 0; visits--) {
    const start = hour.start + random.below(millisecondsPerHour - maxDuration);
    const end = start + random.between(200, maxDuration - 1);
    yield {
      createdTime: isoTimestamp(end),
      mid,
      srcIpAddr: random.pick(customerAddresses),
      srcPort: random.between(32_768, 60_999),
      dstIpAddr: address,
      dstPort: role.name === 'bastion' ? 22 : 443,
      protocol: 'TCP',
      connStartTime: isoTimestamp(start),
      connEndTime: isoTimestamp(end),
      syn: 'Incoming',
      fin: 'Incoming',
      local: 'false',
      incoming: { bytes: random.between(300, 9_000) },
      outgoing: { bytes: random.between(900, 90_000) },
      firstKnownTime: isoTimestamp(hour.start),
    };
  }
});
