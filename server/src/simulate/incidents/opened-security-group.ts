import { cloudActivities } from '../../telemetry/datasets/CloudActivities.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { events } from '../../telemetry/datasets/Events.ts';
import { activityRecord, firstIncidentNumber } from '../streams/cloud-activities.ts';
import { browser, trailEvent, userIdentity } from '../streams/cloud-trail.ts';
import { evidenceRecord } from '../streams/events.ts';
import type { Incident } from './incident.ts';

export const openedSecurityGroup: Incident = {
  name: 'security group opened to the internet',
  generate({ company, hour, instant, random }) {
    const { securityGroupId: groupId } = company.cloud;
    const person = random.pick(company.people);
    const caller = { identity: userIdentity(company, person), address: person.address, agent: browser };
    const everyone = { items: [{ cidrIp: '0.0.0.0/0' }] };
    const ssh = { ipProtocol: 'tcp', fromPort: 22, toPort: 22, ipRanges: everyone };
    const call = {
      ...{ name: 'AuthorizeSecurityGroupIngress', service: 'ec2', isReadOnly: false },
      requestParameters: { groupId, ipPermissions: { items: [ssh] } },
    };
    const activity = {
      ...({ type: 'SecurityGroupChange', model: 'CloudTrailCep', api: call.name, service: 'ec2' } as const),
      user: { name: person.login, principalId: person.principalId, mfa: 1 as const },
      address: person.address,
      resource: { name: 'groupId', value: groupId },
      rule: { id: 'open-security-group', title: 'A security group was opened.', severity: 2 },
    };
    const event = trailEvent(company, call, caller, instant, random);
    const seen = activityRecord(company, hour, firstIncidentNumber + 1, activity);
    return [
      [cloudTrailRawEvents, event],
      [cloudActivities, seen],
      [events, evidenceRecord(seen, event)],
    ];
  },
};
