import type { CloudObject } from '../cloud-object.ts';
import { created, type ProjectContext } from './asset.ts';

/** The filters of the log metrics that the benchmark asks for, by metric. */
const filters = {
  'ownership-changes':
    '(protoPayload.serviceName="cloudresourcemanager.googleapis.com" AND (ProjectOwnership OR projectOwnerInvitee)) OR (protoPayload.serviceData.policyDelta.bindingDeltas.role="roles/owner" AND protoPayload.serviceData.policyDelta.bindingDeltas.action=("ADD" OR "REMOVE"))',
  'audit-configuration-changes':
    'protoPayload.methodName="SetIamPolicy" AND protoPayload.serviceData.policyDelta.auditConfigDeltas:*',
  'custom-role-changes':
    'resource.type="iam_role" AND protoPayload.methodName=("google.iam.admin.v1.CreateRole" OR "google.iam.admin.v1.DeleteRole" OR "google.iam.admin.v1.UpdateRole")',
  'firewall-rule-changes':
    'resource.type="gce_firewall_rule" AND protoPayload.methodName:("compute.firewalls.insert" OR "compute.firewalls.patch" OR "compute.firewalls.delete")',
  'route-changes':
    'resource.type="gce_route" AND protoPayload.methodName:("compute.routes.insert" OR "compute.routes.delete")',
  'network-changes':
    'resource.type="gce_network" AND protoPayload.methodName:("compute.networks.insert" OR "compute.networks.patch" OR "compute.networks.delete" OR "compute.networks.addPeering" OR "compute.networks.removePeering")',
  'bucket-iam-changes': 'resource.type="gcs_bucket" AND protoPayload.methodName="storage.setIamPermissions"',
  'sql-configuration-changes': 'protoPayload.methodName="cloudsql.instances.update"',
} as const;

/** Logging, alerting and the settings of a project. */
export function* operationAssets({ project, one }: ProjectContext): Generator<CloudObject> {
  const { id, number } = project;
  const logging = `//logging.googleapis.com/projects/${id}`;
  yield one('logging.googleapis.com/LogSink', `${logging}/sinks/all`, {
    ...{ name: 'all', destination: `storage.googleapis.com/${id}-logs`, filter: '', createTime: created },
    writerIdentity: `serviceAccount:service-${number}@gcp-sa-logging.iam.gserviceaccount.com`,
  });
  const channel = `projects/${id}/notificationChannels/${number}1`;
  for (const [index, [metric, filter]] of Object.entries(filters).entries()) {
    yield one('logging.googleapis.com/LogMetric', `${logging}/metrics/${metric}`, {
      ...{ name: metric, filter, createTime: created },
      metricDescriptor: { type: `logging.googleapis.com/user/${metric}`, metricKind: 'DELTA' },
    });
    const name = `projects/${id}/alertPolicies/${number}${index}`;
    yield one('monitoring.googleapis.com/AlertPolicy', `//monitoring.googleapis.com/${name}`, {
      ...{ name, displayName: metric, enabled: true, combiner: 'OR', notificationChannels: [channel] },
      conditions: [
        {
          displayName: metric,
          conditionThreshold: {
            filter: `metric.type="logging.googleapis.com/user/${metric}" AND resource.type="global"`,
            ...{ comparison: 'COMPARISON_GT', thresholdValue: 0, duration: '0s' },
          },
        },
      ],
    });
  }
  for (const service of ['cloudasset', 'compute', 'container', 'logging', 'storage']) {
    const path = `projects/${number}/services/${service}.googleapis.com`;
    yield one('serviceusage.googleapis.com/Service', `//serviceusage.googleapis.com/${path}`, {
      ...{ name: path, parent: `projects/${number}`, state: 'ENABLED' },
    });
  }
  const settings = `projects/${number}/accessApprovalSettings`;
  yield one(
    'accessapproval.googleapis.com/AccessApprovalSettings',
    `//accessapproval.googleapis.com/${settings}`,
    {
      ...{ name: settings, notificationEmails: ['security@example.com'] },
      enrolledServices: [{ cloudProduct: 'all', enrollmentLevel: 'BLOCK_ALL' }],
    },
  );
}
