import type { TelemetryDataset } from '../dataset.ts';

export const k8sAudit: TelemetryDataset = {
  path: 'LW_ACT_K8S_AUDIT',
  description: 'Audit events of Kubernetes clusters, as audit.k8s.io/v1 has them.',
  members: {
    stageTimestamp: { type: 'time', description: 'When the request came to this stage.' },
    requestReceivedTimestamp: { type: 'time', description: 'When the request came in.', optional: true },
    auditID: { type: 'string', description: 'Id of the request, the same in each of its stages.' },
    stage: { type: 'string', description: 'RequestReceived, ResponseStarted, ResponseComplete or Panic.' },
    verb: { type: 'string', description: 'What was asked for: get, create, delete.' },
    requestURI: { type: 'string', description: 'Address that was asked.' },
    user: {
      type: 'json',
      description: 'Who asked.',
      inner: {
        uid: { type: 'string', description: 'Id of the user.' },
        username: { type: 'string', description: 'Name of the user.' },
        groups: { type: 'json', description: 'Groups of the user.' },
      },
    },
    userAgent: { type: 'string', description: 'Program that asked.', optional: true },
    sourceIPs: { type: 'json', description: 'Addresses that the request came through.', optional: true },
    objectRef: {
      type: 'json',
      description: 'Object that was asked for.',
      optional: true,
      inner: {
        apiGroup: { type: 'string', description: 'Its group of the interface.' },
        resource: { type: 'string', description: 'Its kind: pods.' },
        subresource: { type: 'string', description: 'Part of it that was asked for: exec.' },
        namespace: { type: 'string', description: 'Its namespace.' },
        name: { type: 'string', description: 'Its name.' },
      },
    },
    responseStatus: {
      type: 'json',
      description: 'How it was answered.',
      optional: true,
      inner: { code: { type: 'integer', description: 'HTTP status of the answer.' } },
    },
    clusterId: { type: 'string', description: 'Cluster, added by who forwards.', optional: true },
    clusterType: { type: 'string', description: 'EKS, GKE or AKS, added by who forwards.', optional: true },
    cloudUser: { type: 'string', description: 'Who that is in the cloud, added likewise.', optional: true },
    command: { type: 'string', description: 'Command run in a pod, added likewise.', optional: true },
  },
  range: { by: 'instant', member: 'stageTimestamp' },
  identity: ['auditID', 'stage'],
  datasources: ['LW_ACT_K8S_AUDIT'],
};
