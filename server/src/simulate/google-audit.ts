import { gcpActivity } from '../telemetry/datasets/LW_ACT_GCP_ACTIVITY.ts';
import type { Company } from './company.ts';
import { hourLength, momentText } from './hour.ts';
import type { Random } from './random.ts';
import type { Stream } from './stream.ts';

const ordinary = [
  ['bigquery.googleapis.com', 'google.cloud.bigquery.v2.JobService.InsertJob'],
  ['bigquery.googleapis.com', 'google.cloud.bigquery.v2.TableService.UpdateTable'],
  ['storage.googleapis.com', 'storage.objects.create'],
  ['storage.googleapis.com', 'storage.buckets.update'],
  ['compute.googleapis.com', 'v1.compute.instances.setLabels'],
] as const;

interface Call {
  readonly serviceName: string;
  readonly methodName: string;
  readonly principalEmail: string;
  readonly callerIp: string;
  readonly more?: object;
}

export function auditEntry({ cloud: { project } }: Company, call: Call, moment: number, random: Random) {
  const { serviceName, methodName, principalEmail, callerIp, more } = call;
  return {
    insertId: random.hex(14),
    timestamp: momentText(moment),
    receiveTimestamp: momentText(moment + 900),
    logName: `projects/${project}/logs/cloudaudit.googleapis.com%2Factivity`,
    severity: 'NOTICE',
    resource: { type: 'project', labels: { project_id: project } },
    protoPayload: {
      '@type': 'type.googleapis.com/google.cloud.audit.AuditLog',
      serviceName,
      methodName,
      resourceName: `projects/${project}`,
      authenticationInfo: { principalEmail },
      requestMetadata: { callerIp, callerSuppliedUserAgent: 'google-cloud-sdk gcloud/481.0.0' },
      ...more,
    },
  };
}

/** The people who work with data do so at Google. */
export const googleAuditStream: Stream = {
  dataset: gcpActivity,
  *ofHour(company, { start, load }, random) {
    for (const { email, address } of company.people.filter(({ team }) => team === 'data'))
      for (let calls = random.below(1 + 10 * load); calls > 0; calls--) {
        const [serviceName, methodName] = random.pick(ordinary);
        const call = { serviceName, methodName, principalEmail: email, callerIp: address };
        yield auditEntry(company, call, start + random.below(hourLength), random);
      }
  },
};
