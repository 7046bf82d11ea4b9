import type { TelemetryDataset } from '../dataset.ts';

export const cloudTrailRawEvents: TelemetryDataset = {
  path: 'CloudTrailRawEvents',
  isOfCloud: true,
  description: 'Events of AWS CloudTrail, as AWS writes them.',
  members: {
    eventTime: { type: 'time', description: 'When the call was answered.' },
    eventID: { type: 'string', description: 'Id of the event.' },
    eventName: { type: 'string', description: 'Call that was made.' },
    eventSource: { type: 'string', description: 'Service that was called: iam.amazonaws.com.' },
    errorCode: {
      type: 'string',
      description: 'Error code of a failed call; absent if it succeeded.',
      optional: true,
    },
    errorMessage: { type: 'string', description: 'Error message of a failed call.', optional: true },
    eventType: { type: 'string', description: 'Type of the event: AwsApiCall.', optional: true },
    awsRegion: { type: 'string', description: 'Region that was called.', optional: true },
    recipientAccountId: { type: 'string', description: 'Account that received the call.', optional: true },
    sourceIPAddress: { type: 'string', description: 'Address or service of the caller.', optional: true },
    userAgent: { type: 'string', description: 'Program of the caller.', optional: true },
    userIdentity: {
      type: 'json',
      description: 'The caller.',
      optional: true,
      inner: {
        type: { type: 'string', description: 'Kind of the caller: IAMUser, AssumedRole, Root.' },
        arn: { type: 'string', description: 'ARN of the caller.' },
        accountId: { type: 'string', description: 'Account of the caller.' },
        principalId: { type: 'string', description: 'Key of the caller.' },
        userName: { type: 'string', description: 'Name of the caller.' },
        accessKeyId: { type: 'string', description: 'Access key that was used.' },
      },
    },
  },
  range: { by: 'instant', member: 'eventTime' },
  identity: ['eventID'],
  distinguishedBy: ['recipientAccountId'],
  datasources: [
    {
      name: 'CloudTrailRawEvents',
      columns: {
        INSERT_ID: { stored: 'number' },
        INSERT_TIME: { stored: 'received' },
        EVENT_TIME: 'eventTime',
        EVENT: { stored: 'record' },
        EVENT_SOURCE: 'eventSource',
        EVENT_NAME: 'eventName',
        ERROR_CODE: 'errorCode',
      },
      time: ['EVENT_TIME'],
    },
  ],
};
