import type { TelemetryDataset } from '../dataset.ts';

export const gcpActivity: TelemetryDataset = {
  path: 'LW_ACT_GCP_ACTIVITY',
  isOfCloud: true,
  description: 'Entries of the audit logs of Google Cloud, as Cloud Logging writes them.',
  members: {
    timestamp: { type: 'time', description: 'When it happened.' },
    insertId: { type: 'string', description: 'Id of the entry in its log.' },
    logName: { type: 'string', description: 'Log of the entry, with its project, folder or organization.' },
    receiveTimestamp: { type: 'time', description: 'When Cloud Logging received it.', optional: true },
    severity: { type: 'string', description: 'NOTICE, INFO, ERROR.', optional: true },
    resource: {
      type: 'json',
      description: 'Resource of the entry.',
      optional: true,
      inner: {
        type: { type: 'string', description: 'Kind of the resource.' },
        'labels.project_id': { type: 'string', description: 'Project of the resource.' },
        'labels.organization_id': { type: 'string', description: 'Organization of the resource.' },
      },
    },
    protoPayload: {
      type: 'json',
      description: 'The call itself.',
      inner: {
        serviceName: { type: 'string', description: 'Service that was called: iam.googleapis.com.' },
        methodName: { type: 'string', description: 'Call that was made.' },
        resourceName: { type: 'string', description: 'Resource that it was made on.' },
        'status.code': {
          type: 'integer',
          description: 'Error code of a failed call; absent or 0 if it succeeded.',
        },
        'status.message': { type: 'string', description: 'Error message of a failed call.' },
        'authenticationInfo.principalEmail': { type: 'string', description: 'The caller.' },
        'requestMetadata.callerIp': { type: 'string', description: 'Address of the caller.' },
        'requestMetadata.callerSuppliedUserAgent': {
          type: 'string',
          description: 'Program of the caller.',
        },
      },
    },
  },
  range: { by: 'instant', member: 'timestamp' },
  identity: ['logName', 'timestamp', 'insertId'],
  datasources: [
    {
      name: 'LW_ACT_GCP_ACTIVITY',
      columns: {
        INSERT_ID: { stored: 'number' },
        INSERT_TIME: { stored: 'received' },
        EVENT_TIME: 'timestamp',
        EVENT: { stored: 'record' },
        ORGANIZATION_ID: 'resource.labels.organization_id',
        PROJECT_ID: 'resource.labels.project_id',
        EVENT_SOURCE: 'protoPayload.serviceName',
        EVENT_NAME: 'protoPayload.methodName',
        ERROR_CODE: { from: 'protoPayload.status.code', type: 'String' },
      },
      time: ['EVENT_TIME'],
    },
  ],
};
