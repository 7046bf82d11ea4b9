import { gcpActivity } from '../../telemetry/datasets/LW_ACT_GCP_ACTIVITY.ts';
import type { Company } from '../company/company.ts';
import { isoTimestamp, millisecondsPerHour } from '../hour.ts';
import type { Random } from '../random.ts';
import type { Stream } from '../stream.ts';

const ordinary = [
  ['bigquery.googleapis.com', 'google.cloud.bigquery.v2.JobService.InsertJob'],
  ['bigquery.googleapis.com', 'google.cloud.bigquery.v2.TableService.UpdateTable'],
  ['storage.googleapis.com', 'storage.objects.create'],
  ['storage.googleapis.com', 'storage.buckets.update'],
  ['compute.googleapis.com', 'v1.compute.instances.setLabels'],
] as const;
/** A call that staff are not permitted to make. */
const forbidden = {
  ...{ serviceName: 'cloudresourcemanager.googleapis.com', methodName: 'GetOrganization' },
  scope: 'organization',
  more: { status: { code: 7, message: 'PERMISSION_DENIED' } },
} as const;

interface Call {
  readonly serviceName: string;
  readonly methodName: string;
  readonly principalEmail: string;
  readonly callerIp: string;
  /** The resource of the call. */
  readonly scope?: 'organization' | 'project';
  readonly more?: object;
}

export function auditEntry({ cloud }: Company, call: Call, instant: number, random: Random) {
  const { serviceName, methodName, principalEmail, callerIp, scope = 'project', more } = call;
  const id = scope === 'project' ? cloud.project : cloud.organizationId;
  return {
    insertId: random.hex(14),
    timestamp: isoTimestamp(instant),
    receiveTimestamp: isoTimestamp(instant + 900),
    logName: `${scope}s/${id}/logs/cloudaudit.googleapis.com%2Factivity`,
    severity: 'NOTICE',
    resource: { type: scope, labels: { [`${scope}_id`]: id } },
    protoPayload: {
      '@type': 'type.googleapis.com/google.cloud.audit.AuditLog',
      serviceName,
      methodName,
      resourceName: `${scope}s/${id}`,
      authenticationInfo: { principalEmail },
      requestMetadata: { callerIp, callerSuppliedUserAgent: 'google-cloud-sdk gcloud/481.0.0' },
      ...more,
    },
  };
}

/** The data team works in Google Cloud. */
export const googleAuditStream: Stream = {
  dataset: gcpActivity,
  *ofHour(company, { start, load }, random) {
    for (const { email, address } of company.people.filter(({ team }) => team === 'data')) {
      const caller = { principalEmail: email, callerIp: address };
      const instant = () => start + random.below(millisecondsPerHour);
      for (let calls = random.below(1 + 10 * load); calls > 0; calls--) {
        const [serviceName, methodName] = random.pick(ordinary);
        yield auditEntry(company, { serviceName, methodName, ...caller }, instant(), random);
      }
      if (random.chance(0.05 * load))
        yield auditEntry(company, { ...forbidden, ...caller }, instant(), random);
    }
  },
};
