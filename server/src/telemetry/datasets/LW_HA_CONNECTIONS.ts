import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid } from '../members.ts';

const bytes = { bytes: { type: 'integer', description: 'Bytes.' } } as const;

export const singleConnections: TelemetryDataset = {
  path: 'LW_HA_CONNECTIONS',
  description: 'Individual connections of hosts.',
  members: {
    ...createdTime,
    ...mid,
    srcIpAddr: { type: 'string', description: 'Address of the source.' },
    srcPort: { type: 'integer', description: 'Port of the source.' },
    dstIpAddr: { type: 'string', description: 'Address of the destination.' },
    dstPort: { type: 'integer', description: 'Port of the destination.' },
    protocol: { type: 'string', description: 'TCP or UDP.' },
    connStartTime: { type: 'time', description: 'When it began.', optional: true },
    connEndTime: { type: 'time', description: 'When it ended.', optional: true },
    syn: { type: 'string', description: 'How it was opened: Incoming or Outgoing.', optional: true },
    fin: { type: 'string', description: 'How it was closed: Incoming or Outgoing.', optional: true },
    local: { type: 'string', description: 'Whether both ends are on the host.', optional: true },
    incoming: { type: 'json', description: 'Incoming traffic.', optional: true, inner: bytes },
    outgoing: { type: 'json', description: 'Outgoing traffic.', optional: true, inner: bytes },
    firstKnownTime: {
      type: 'time',
      description: 'First connection between these endpoints.',
      optional: true,
    },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'srcIpAddr', 'srcPort', 'dstIpAddr', 'dstPort', 'protocol', 'createdTime'],
  datasources: [
    {
      name: 'LW_HA_CONNECTIONS',
      columns: {
        ...batchHour('createdTime'),
        RECORD_CREATED_TIME: 'createdTime',
        CONN_START_TIME: 'connStartTime',
        CONN_END_TIME: 'connEndTime',
        MID: 'mid',
        SRC_IP_ADDR: 'srcIpAddr',
        SRC_PORT: 'srcPort',
        DST_IP_ADDR: 'dstIpAddr',
        DST_PORT: 'dstPort',
        PROTOCOL: 'protocol',
        SYN: 'syn',
        FIN: 'fin',
        LOCAL: 'local',
        INCOMING: 'incoming',
        OUTGOING: 'outgoing',
        FIRST_KNOWN_TIME: 'firstKnownTime',
      },
      time: ['RECORD_CREATED_TIME'],
    },
  ],
};
