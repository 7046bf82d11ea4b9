import { batchWindow } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid, propsContainer, tags, window } from '../members.ts';

export const containers: TelemetryDataset = {
  path: 'Entities/Containers',
  description: 'Containers that ran on hosts, by the hour.',
  members: {
    ...window,
    ...mid,
    containerName: { type: 'string', description: 'Name of the container.' },
    podName: { type: 'string', description: 'Pod that it belongs to.', optional: true },
    imageId: { type: 'string', description: 'Image that it runs: sha256 and its digest.' },
    ...propsContainer,
    ...tags,
    createdTime: { ...createdTime.createdTime, optional: true },
    containerId: { type: 'string', description: 'Id of the container, in hexadecimal.', optional: true },
  },
  range: { by: 'overlap' },
  identity: ['mid', 'containerName', 'imageId', 'startTime'],
  search: { isPaged: true },
  datasources: [
    {
      name: 'LW_HE_CONTAINERS',
      columns: {
        ...batchWindow,
        RECORD_CREATED_TIME: ['createdTime', 'startTime'],
        CONTAINER_START_TIME: {
          from: 'propsContainer.CONTAINER_START_TIME',
          type: 'Timestamp',
          description: 'When the container was started.',
        },
        MID: 'mid',
        CONTAINER_ID: 'containerId',
        CONTAINER_TYPE: 'propsContainer.CONTAINER_TYPE',
        IMAGE_ID: 'imageId',
        CONTAINER_NAME: 'containerName',
        PRIVILEGED: 'propsContainer.PRIVILEGED',
        NETWORK_MODE: 'propsContainer.NETWORK_MODE',
        PID_MODE: 'propsContainer.PID_MODE',
        IPV4: 'propsContainer.IPV4',
        IPV6: 'propsContainer.IPV6',
        LISTEN_PORT_MAP: 'propsContainer.LISTEN_PORT_MAP',
        VOLUME_MAP: 'propsContainer.VOLUME_MAP',
        REPO: 'propsContainer.IMAGE_REPO',
        TAG: 'propsContainer.IMAGE_TAG',
        PROPS_LABEL: 'propsContainer.PROPS_LABEL',
        PROPS_ENV: 'propsContainer.PROPS_ENV',
      },
      time: ['BATCH_START_TIME', 'BATCH_END_TIME'],
    },
  ],
};
