import { batchHour } from '../batch-columns.ts';
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
  datasources: [
    {
      name: 'LW_HA_DNS_REQUESTS',
      columns: {
        ...batchHour('createdTime'),
        RECORD_CREATED_TIME: 'createdTime',
        MID: 'mid',
        SRV_IP_ADDR: 'dnsServerIp',
        HOSTNAME: 'fqdn',
        HOST_IP_ADDR: 'hostIpAddr',
        TTL: 'ttl',
        PKTLEN: 'pktlen',
      },
      time: ['RECORD_CREATED_TIME'],
    },
  ],
};
