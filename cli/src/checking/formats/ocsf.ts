import { createHash } from 'node:crypto';
import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import type { Severity } from '@vedette/server/detection/policies/severity';
import { version } from '@vedette/server/platform/version';
import type { CheckedPolicy, CheckResult, Finding } from '../check-result.ts';
import type { Format } from './format.ts';

const schemaVersion = '1.3.0';
const classUid = 2003;
const create = 1;
const severityIds: Readonly<Record<Severity, number>> = { info: 1, low: 2, medium: 3, high: 4, critical: 5 };
const severityNames = ['', 'Informational', 'Low', 'Medium', 'High', 'Critical'];
const statuses = {
  NonCompliant: { status: 'Fail', status_id: 3 },
  // The check did not yield a result because information is missing.
  CouldNotAssess: { status: 'Warning', status_id: 2 },
} as const;
const providers: Readonly<Record<Cloud, string>> = {
  ...{ aws: 'AWS', azure: 'Azure', gcp: 'GCP', k8s: 'Kubernetes' },
};

/** OCSF: an array of Compliance Finding events, one a line, for violations and for what was not assessed. */
export const ocsfFormat: Format = async function* (result) {
  let separator = '';
  yield '[';
  for (const checked of result.policies)
    for (const finding of await result.findings(checked)) {
      yield `${separator}\n${JSON.stringify(eventOf(result, checked, finding))}`;
      separator = ',';
    }
  yield '\n]\n';
};

function eventOf(
  { cloud, evaluatedAt, framework }: CheckResult,
  { policy, service }: CheckedPolicy,
  finding: Finding,
) {
  const { resource, region, reason, account } = finding;
  const owner = Object.values(account)[0] ?? '';
  const { status, status_id } = statuses[finding.status];
  const severityId = severityIds[policy.severity];
  const references = [policy.infoLink, ...(policy.references ?? [])].filter((one) => one !== undefined);
  return {
    ...{ activity_id: create, activity_name: 'Create', category_uid: 2, category_name: 'Findings' },
    ...{ class_uid: classUid, class_name: 'Compliance Finding', type_uid: classUid * 100 + create },
    ...{ severity_id: severityId, severity: severityNames[severityId], time: evaluatedAt },
    ...{ status_id: 1, status: 'New', message: `${policy.title}: ${resource}` },
    metadata: {
      product: { name: 'Vedette', vendor_name: 'Vedette', version },
      version: schemaVersion,
      profiles: ['cloud'],
      event_code: policy.id,
    },
    finding_info: {
      uid: createHash('sha256')
        .update(JSON.stringify([policy.id, owner, resource]))
        .digest('hex'),
      title: policy.title,
      desc: policy.description,
      created_time: evaluatedAt,
      types: [service || cloud],
    },
    compliance: {
      standards: [framework?.title ?? 'Vedette built-in policies'],
      requirements: framework?.controlsOf(policy.id) ?? [policy.id],
      control: policy.id,
      ...{ status, status_id, status_detail: reason },
    },
    remediation: { desc: policy.remediation, ...(references.length > 0 && { references }) },
    resources: [{ uid: resource, name: resource, type: service || cloud, ...(region && { region }) }],
    cloud: { provider: providers[cloud], ...(region && { region }), account: { uid: owner } },
    unmapped: { account },
  };
}
