import { cloudActivities } from '../../telemetry/datasets/CloudActivities.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { events } from '../../telemetry/datasets/Events.ts';
import { hostileAddresses } from '../company/addresses.ts';
import { activityRecord, firstIncidentNumber } from '../streams/cloud-activities.ts';
import { trailEvent, userIdentity } from '../streams/cloud-trail.ts';
import { evidenceRecord } from '../streams/events.ts';
import type { Incident } from './incident.ts';

export const stoppedTrail: Incident = {
  name: 'trail stopped with a stolen access key',
  generate({ company, hour, instant, random }) {
    const { trailName: name, region, accountId } = company.cloud;
    const [person, address] = [random.pick(company.people), random.pick(hostileAddresses)];
    const caller = { identity: userIdentity(company, person), address, agent: 'aws-cli/2.2.5 Python/3.8.8' };
    const requestParameters = { name: `arn:aws:cloudtrail:${region}:${accountId}:trail/${name}` };
    const call = { name: 'StopLogging', service: 'cloudtrail', isReadOnly: false, requestParameters };
    const activity = {
      ...({
        type: 'CloudTrailStopped',
        model: 'CloudTrailCep',
        api: call.name,
        service: 'cloudtrail',
      } as const),
      user: { name: person.login, principalId: person.principalId, mfa: 0 as const },
      address,
      resource: { name: 'trail', value: name },
      rule: { id: 'stopped-trail', title: 'A trail was stopped.', severity: 1 },
    };
    const event = trailEvent(company, call, caller, instant, random);
    const seen = activityRecord(company, hour, firstIncidentNumber + 2, activity);
    return [
      [cloudTrailRawEvents, event],
      [cloudActivities, seen],
      [events, evidenceRecord(seen, event)],
    ];
  },
};
