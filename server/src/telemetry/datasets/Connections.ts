import { batchWindow } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { window } from '../members.ts';

export const connections: TelemetryDataset = {
  path: 'Activities/Connections',
  description: 'Connections between endpoints, aggregated by the hour.',
  members: {
    ...window,
    srcEntityType: {
      type: 'string',
      description: 'Kind of the source: Process, ServerPort, IpAddress or DnsName.',
    },
    srcEntityId: {
      type: 'json',
      description: 'Key of the source.',
      inner: {
        mid: { type: 'integer', description: 'Host.' },
        pid_hash: { type: 'integer', description: 'Process on the host.' },
      },
    },
    dstEntityType: { type: 'string', description: 'Kind of the destination.' },
    dstEntityId: {
      type: 'json',
      description: 'Key of the destination.',
      inner: {
        mid: { type: 'integer', description: 'Host.' },
        pid_hash: { type: 'integer', description: 'Process on the host.' },
        port: { type: 'integer', description: 'Port.' },
        protocol: { type: 'string', description: 'TCP or UDP.' },
        ip_addr: { type: 'string', description: 'Address.' },
        hostname: { type: 'string', description: 'Name.' },
      },
    },
    srcInBytes: { type: 'integer', description: 'Bytes that the source received.' },
    srcOutBytes: { type: 'integer', description: 'Bytes that the source sent.' },
    dstInBytes: { type: 'integer', description: 'Bytes that the destination received.' },
    dstOutBytes: { type: 'integer', description: 'Bytes that the destination sent.' },
    numConns: { type: 'integer', description: 'Connections in the hour.' },
    endpointDetails: { type: 'json', description: 'Pairs of addresses.', optional: true },
  },
  range: { by: 'start' },
  identity: ['srcEntityType', 'srcEntityId', 'dstEntityType', 'dstEntityId', 'startTime'],
  search: { isPaged: true },
  datasources: [
    {
      name: 'LW_HA_CONNECTION_SUMMARY',
      columns: {
        ...batchWindow,
        SRC_ENTITY_TYPE: 'srcEntityType',
        SRC_ENTITY_ID: 'srcEntityId',
        DST_ENTITY_TYPE: 'dstEntityType',
        DST_ENTITY_ID: 'dstEntityId',
        SRC_IN_BYTES: 'srcInBytes',
        SRC_OUT_BYTES: 'srcOutBytes',
        DST_IN_BYTES: 'dstInBytes',
        DST_OUT_BYTES: 'dstOutBytes',
        ENDPOINT_DETAILS: 'endpointDetails',
        NUM_CONNS: 'numConns',
      },
      time: ['BATCH_START_TIME'],
    },
  ],
};
