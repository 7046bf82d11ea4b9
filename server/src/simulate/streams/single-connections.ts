import { singleConnections } from '../../telemetry/datasets/LW_HA_CONNECTIONS.ts';
import { customerAddresses } from '../company/addresses.ts';
import { hourLength, timestampText } from '../hour.ts';
import { hourly } from '../stream.ts';

const longest = 50_000;

/** Agents tell of single connections only where the internet comes in. */
export const singleConnectionStream = hourly(singleConnections, function* (machine, hour, random) {
  const { mid, role, address } = machine;
  if (!role.isPublic) return;
  for (let visits = 1 + random.below(8 * hour.load); visits > 0; visits--) {
    const start = hour.start + random.below(hourLength - longest);
    const end = start + random.between(200, longest - 1);
    yield {
      createdTime: timestampText(end),
      mid,
      srcIpAddr: random.pick(customerAddresses),
      srcPort: random.between(32_768, 60_999),
      dstIpAddr: address,
      dstPort: role.name === 'bastion' ? 22 : 443,
      protocol: 'TCP',
      connStartTime: timestampText(start),
      connEndTime: timestampText(end),
      syn: 'Incoming',
      fin: 'Incoming',
      local: 'false',
      incoming: { bytes: random.between(300, 9_000) },
      outgoing: { bytes: random.between(900, 90_000) },
      firstKnownTime: timestampText(hour.start),
    };
  }
});
