import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { membersOf, trailEventOf } from '../evaluation/trail-event.ts';
import type { ActivityStream } from './activity-stream.ts';
import { trailTypes } from './trail-types.ts';

/** Calls to AWS. */
export const trailStream: ActivityStream = {
  dataset: cloudTrailRawEvents,
  columns: `EVENT_NAME, EVENT_SOURCE, ERROR_CODE,
    EVENT:awsRegion as REGION, EVENT:recipientAccountId as RECIPIENT, EVENT:sourceIPAddress as ADDRESS,
    EVENT:userIdentity as IDENTITY, EVENT:additionalEventData as ADDITIONAL,
    EVENT:responseElements.ConsoleLogin as CONSOLE_LOGIN, EVENT:resources as RESOURCES,
    EVENT:requestParameters as PARAMETERS`,
  actor: 'Aws',
  event(row) {
    const event = trailEventOf({
      eventName: row.EVENT_NAME,
      eventSource: row.EVENT_SOURCE,
      errorCode: row.ERROR_CODE,
      awsRegion: row.REGION,
      recipientAccountId: row.RECIPIENT,
      sourceIPAddress: row.ADDRESS,
      userIdentity: membersOf(row.IDENTITY),
      additionalEventData: membersOf(row.ADDITIONAL),
      responseElements: { ConsoleLogin: row.CONSOLE_LOGIN },
      resources: row.RESOURCES,
      requestParameters: membersOf(row.PARAMETERS),
    });
    return event && { ...event, rank: trailTypes.rankOf(event) };
  },
  typeAt: (rank) => trailTypes.at(rank),
  modelOf: (eventType) => (eventType === 'ServiceCalledApi' ? 'AwsApiTracker' : 'CloudTrailCep'),
};
