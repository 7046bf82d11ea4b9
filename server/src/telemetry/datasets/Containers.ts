import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid, propsContainer, tags, window } from '../members.ts';

export const containers: TelemetryDataset = {
  path: 'Entities/Containers',
  description: 'Containers that ran on machines, by the hour.',
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
  datasources: ['LW_HE_CONTAINERS'],
};
