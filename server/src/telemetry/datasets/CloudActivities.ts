import type { TelemetryDataset } from '../dataset.ts';
import { window } from '../members.ts';

export const cloudActivities: TelemetryDataset = {
  path: 'CloudActivities',
  isOfCloud: true,
  description: 'Notable activity in cloud accounts, by the hour.',
  members: {
    ...window,
    eventId: { type: 'integer', description: 'Its number.' },
    eventType: { type: 'string', description: 'Type of the event: IAMAccessKeyChanged, NewRegion.' },
    eventModel: {
      type: 'string',
      description:
        'Detector: CloudTrailCep, AwsApiTracker, GcpAuditTrailCep, AzureActivityLogCep or K8sAuditLogCep.',
    },
    eventActor: {
      type: 'string',
      description: 'Origin: Aws, GcpAuditTrail, AzureActivityLog or K8sAuditLog.',
    },
    entityMap: {
      type: 'json',
      description: 'Entities by kind: arrays of KEY and PROPS.',
      inner: {
        API: { type: 'json', description: 'Calls.' },
        CT_User: {
          type: 'json',
          description: 'Callers, with their account, project, subscription or cluster.',
        },
        Region: { type: 'json', description: 'Regions.' },
        Resource: { type: 'json', description: 'Resources.' },
        RulesTriggered: { type: 'json', description: 'Rules that it matches.' },
        SourceIpAddress: { type: 'json', description: 'Addresses of the callers.' },
      },
    },
  },
  range: { by: 'start' },
  identity: ['eventId'],
  search: { isPaged: true, isListed: true },
  datasources: [],
};
