import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid } from '../members.ts';

export const dnss: TelemetryDataset = {
  path: 'Activities/DNSs',
  description: 'DNS queries of hosts, and the addresses in the responses.',
  members: {
    ...createdTime,
    ...mid,
    fqdn: { type: 'string', description: 'Name in the query.' },
    hostIpAddr: { type: 'string', description: 'Address in the response.' },
    ttl: { type: 'integer', description: 'Time to live of the response, in seconds.' },
    dnsServerIp: { type: 'string', description: 'Resolver of the query.' },
    pktlen: { type: 'integer', description: 'Bytes of the response.', optional: true },
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
