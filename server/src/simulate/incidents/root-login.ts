import { cloudActivities } from '../../telemetry/datasets/CloudActivities.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { events } from '../../telemetry/datasets/Events.ts';
import { hostileAddresses } from '../company/addresses.ts';
import { activityRecord, firstIncidentNumber } from '../streams/cloud-activities.ts';
import { browser, rootIdentity, signIn } from '../streams/cloud-trail.ts';
import { evidenceRecord } from '../streams/events.ts';
import type { Incident } from './incident.ts';

export const rootLogin: Incident = {
  name: 'console login of the root user without MFA',
  generate({ company, hour, instant, random }) {
    const [identity, address] = [rootIdentity(company), random.pick(hostileAddresses)];
    const activity = {
      ...({
        type: 'UsageOfRootAccount',
        model: 'CloudTrailCep',
        api: 'ConsoleLogin',
        service: 'signin',
      } as const),
      user: { name: 'root', principalId: identity.principalId, mfa: 0 as const },
      address,
      rule: { id: 'root-login', title: 'The root user logged in.', severity: 1 },
    };
    const event = signIn(company, { identity, address, agent: browser }, false, instant, random);
    const seen = activityRecord(company, hour, firstIncidentNumber, activity);
    return [
      [cloudTrailRawEvents, event],
      [cloudActivities, seen],
      [events, evidenceRecord(seen, event)],
    ];
  },
};
