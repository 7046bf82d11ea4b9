import { dnss } from '../../telemetry/datasets/DNSs.ts';
import { serviceAddress } from '../company/addresses.ts';
import { namesResolvedBy, resolver } from '../company/services.ts';
import { isoTimestamp, millisecondsPerHour } from '../hour.ts';
import { hourly } from '../stream.ts';

export function lookupRecord(mid: number, fqdn: string, hostIpAddr: string, instant: number, ttl: number) {
  return {
    createdTime: isoTimestamp(instant),
    mid,
    fqdn,
    hostIpAddr,
    ttl,
    dnsServerIp: resolver,
    pktlen: 40 + fqdn.length * 2,
  };
}

export const lookupStream = hourly(dnss, function* (machine, { start, load }, random) {
  for (const name of namesResolvedBy(machine)) {
    if (!random.chance(0.3 + 0.6 * load)) continue;
    const instant = start + random.below(millisecondsPerHour);
    yield lookupRecord(machine.mid, name, serviceAddress(name), instant, random.pick([30, 60, 300]));
  }
});
