import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid } from '../members.ts';

export const dnss: TelemetryDataset = {
  path: 'Activities/DNSs',
  description: 'Names that machines looked up, and the addresses that they got.',
  members: {
    ...createdTime,
    ...mid,
    fqdn: { type: 'string', description: 'Name that was looked up.' },
    hostIpAddr: { type: 'string', description: 'Address in the answer.' },
    ttl: { type: 'integer', description: 'Seconds for which the answer holds.' },
    dnsServerIp: { type: 'string', description: 'Resolver that was asked.' },
    pktlen: { type: 'integer', description: 'Bytes of the answer.', optional: true },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'fqdn', 'hostIpAddr', 'createdTime'],
  search: { isPaged: true },
  datasources: ['LW_HA_DNS_REQUESTS'],
};
