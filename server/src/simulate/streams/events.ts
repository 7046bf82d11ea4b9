import { events } from '../../telemetry/datasets/Events.ts';
import type { Stream } from '../stream.ts';
import type { activityRecord } from './cloud-activities.ts';
import type { trailEvent } from './cloud-trail.ts';

type Identity = { readonly type: string; readonly principalId: string; readonly userName?: string };

/** The call of a cloud activity, as evidence with the same id. */
export function evidenceRecord(
  { startTime, endTime, eventId, eventType }: ReturnType<typeof activityRecord>,
  event: ReturnType<typeof trailEvent>,
) {
  const identity = event.userIdentity as Identity;
  return {
    id: eventId,
    startTime,
    endTime,
    eventType,
    srcType: 'AwsResource',
    srcEvent: {
      awsRegion: event.awsRegion,
      eventName: event.eventName,
      eventSource: event.eventSource,
      recipientAccountId: event.recipientAccountId,
      sourceIPAddress: event.sourceIPAddress,
      principalId: identity.principalId,
      username: identity.userName ?? identity.type,
      userIdentity: identity,
      userIdentityType: identity.type,
      is_assumed_role: false,
      event,
    },
    eventCount: 1,
  };
}

/** Only incidents have evidence. */
export const eventStream: Stream = { dataset: events, ofHour: () => [] };
