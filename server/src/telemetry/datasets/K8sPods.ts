import type { TelemetryDataset } from '../dataset.ts';
import { mid, propsContainer, window } from '../members.ts';

export const k8sPods: TelemetryDataset = {
  path: 'Entities/K8sPods',
  description: 'Kubernetes pods that ran on hosts, by the hour.',
  members: {
    ...window,
    ...mid,
    podName: { type: 'string', description: 'Name of the pod.' },
    primaryIpAddr: { type: 'string', description: 'Address of the pod.' },
    ...propsContainer,
  },
  range: { by: 'overlap' },
  identity: ['mid', 'podName', 'startTime'],
  search: { isPaged: true },
  datasources: [],
};
