import { gcpActivity } from '../../telemetry/datasets/LW_ACT_GCP_ACTIVITY.ts';
import { stringOf } from '../evaluation/trail-event.ts';
import type { ActivityStream, CloudEvent } from './activity-stream.ts';
import { EventTypes } from './event-types.ts';

interface GoogleCall extends Omit<CloudEvent, 'rank'> {
  /** Code of google.rpc; empty or 0 if the call succeeded. */
  readonly errorCode: string;
}

const [permissionDenied, unauthenticated] = ['7', '16'];

const types = new EventTypes<GoogleCall>('GcpAuditTrailDefaultAlert', [
  ['GcpAuditLogChanged', calls('logging', /(?:Delete|Update)(?:Sink|Bucket|Exclusion|Settings)$/)],
  ['GcpUnauthorizedCall', ({ errorCode }) => [permissionDenied, unauthenticated].includes(errorCode)],
  ['GcpServiceAccountKeyChanged', calls('iam', /ServiceAccountKey$/, /\.(?:Get|List)\w*$/)],
  ['GcpIamPolicyChanged', ({ api }) => /setIamPolic(?:y|ies)$/i.test(api)],
  ['GcpFirewallChanged', calls('compute', /\.firewalls\.(?:insert|patch|update|delete)$/)],
  [
    'GcpNetworkChanged',
    calls('compute', /\.(?:networks|routes|subnetworks)\.(?:insert|patch|update|delete)$/),
  ],
  ['GcpStorageAclChanged', calls('storage', /acl/i)],
]);

/** Calls to Google Cloud. */
export const googleStream: ActivityStream = {
  dataset: gcpActivity,
  columns: `EVENT_NAME, EVENT_SOURCE, ERROR_CODE, PROJECT_ID, ORGANIZATION_ID,
    EVENT:resource."type" as RESOURCE_TYPE, EVENT:resource.labels.location as LOCATION,
    EVENT:resource.labels.zone as ZONE, EVENT:protoPayload.resourceName as RESOURCE,
    EVENT:protoPayload.authenticationInfo.principalEmail as EMAIL,
    EVENT:protoPayload.authenticationInfo.principalSubject as SUBJECT,
    EVENT:protoPayload.requestMetadata.callerIp as ADDRESS`,
  actor: 'GcpAuditTrail',
  event(row) {
    const api = stringOf(row.EVENT_NAME);
    if (api === '') return undefined;
    const account = stringOf(row.PROJECT_ID) || stringOf(row.ORGANIZATION_ID);
    const value = stringOf(row.RESOURCE);
    const subject = stringOf(row.SUBJECT);
    const call: GoogleCall = {
      ...{ api, service: stringOf(row.EVENT_SOURCE), account, address: stringOf(row.ADDRESS), mfa: false },
      region: stringOf(row.LOCATION) || stringOf(row.ZONE),
      userName: stringOf(row.EMAIL) || subject,
      userAccount: account,
      principalId: subject || stringOf(row.EMAIL),
      resources: value === '' ? [] : [{ name: stringOf(row.RESOURCE_TYPE) || 'resource', value }],
      errorCode: stringOf(row.ERROR_CODE),
    };
    return { ...call, rank: types.rankOf(call) };
  },
  typeAt: (rank) => types.at(rank),
  modelOf: () => 'GcpAuditTrailCep',
};

function calls(service: string, name: RegExp, except?: RegExp): (call: GoogleCall) => boolean {
  return (call) =>
    call.service === `${service}.googleapis.com` && name.test(call.api) && !except?.test(call.api);
}
