import type { TelemetryDataset } from './dataset.ts';

/** An evaluation as searches return it. It has no table of its own: evaluations are stored as intervals. */
export const evaluationRecord: TelemetryDataset = {
  path: 'Configs/ComplianceEvaluations',
  description: 'The newest evaluation of each policy and resource in the time range.',
  members: {
    account: {
      type: 'json',
      description: 'Cloud account of the resource.',
      inner: {
        AccountId: { type: 'string', description: 'AWS account.' },
        Account_Alias: { type: 'string', description: 'Alias of the AWS account.' },
        organizationId: { type: 'string', description: 'Google Cloud organization.' },
        organizationName: { type: 'string', description: 'Name of that organization.' },
        projectId: { type: 'string', description: 'Google Cloud project.' },
        projectName: { type: 'string', description: 'Name of that project.' },
        tenantId: { type: 'string', description: 'Azure tenant.' },
        tenantName: { type: 'string', description: 'Name of that tenant.' },
        subscriptionId: { type: 'string', description: 'Azure subscription.' },
        subscriptionName: { type: 'string', description: 'Name of that subscription.' },
        clusterName: { type: 'string', description: 'Kubernetes cluster.' },
        clusterType: { type: 'string', description: 'Type of the Kubernetes cluster: EKS, GKE, AKS.' },
      },
    },
    evalType: { type: 'string', description: 'Family of the check; always LW_SA.' },
    id: { type: 'string', description: 'Policy.' },
    reason: {
      type: 'string',
      description: 'Why the resource violates the policy, or could not be assessed; empty otherwise.',
    },
    recommendation: { type: 'string', description: 'Title of the policy.' },
    region: { type: 'string', description: 'Region of the resource.' },
    reportTime: { type: 'time', description: 'Time of the evaluation.' },
    resource: { type: 'string', description: 'Resource: its ARN, URN, name or account.' },
    section: { type: 'string', description: 'Service that the policy is about.' },
    severity: { type: 'string', description: 'Severity of the policy: Critical, High, Medium, Low, Info.' },
    status: {
      type: 'string',
      description: 'Compliant, NonCompliant, Suppressed by an exception, or CouldNotAssess.',
    },
    since: { type: 'time', description: 'Since when the resource has this status.' },
    exceptionId: {
      type: 'string',
      description: 'Exception that suppresses the violation.',
      optional: true,
    },
  },
  range: { by: 'instant', member: 'reportTime' },
  identity: ['id', 'resource'],
  datasources: [],
};

/** The evaluations of one provider, as a search names them. */
export const evaluationDatasets = {
  AwsCompliance: 'aws',
  AzureCompliance: 'azure',
  GcpCompliance: 'gcp',
  K8sCompliance: 'k8s',
} as const;
