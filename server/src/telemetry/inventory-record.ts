import type { TelemetryDataset } from './dataset.ts';
import type { Provider } from './served-datasource.ts';

/** The providers by their names in the interface. */
export const cspNames: Readonly<Record<Provider, string>> = {
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'GCP',
  k8s: 'K8s',
  oci: 'OCI',
};

/** A stored resource as searches return it. It has no table of its own: the inventory stores versions. */
export const inventoryRecord: TelemetryDataset = {
  path: 'Inventory',
  description: 'Cloud resources as they were at the last collection in the time range.',
  members: {
    startTime: { type: 'time', description: 'Start of the hour of the collection.' },
    endTime: { type: 'time', description: 'End of the hour of the collection.' },
    urn: { type: 'string', description: 'Unique name of the resource: its ARN, or its full name.' },
    csp: { type: 'string', description: 'Cloud provider.' },
    cloudDetails: {
      type: 'json',
      description: 'Account, project, subscription or cluster of the resource.',
      inner: {
        accountID: { type: 'string', description: 'AWS account.' },
        accountAlias: { type: 'string', description: 'Alias of the AWS account.' },
        organizationId: { type: 'string', description: 'Google Cloud organization.' },
        projectId: { type: 'string', description: 'Google Cloud project.' },
        tenantId: { type: 'string', description: 'Azure tenant.' },
        subscriptionId: { type: 'string', description: 'Azure subscription.' },
        clusterId: { type: 'string', description: 'Kubernetes cluster.' },
        clusterType: { type: 'string', description: 'Type of the Kubernetes cluster: EKS, GKE, AKS.' },
      },
    },
    resourceId: { type: 'string', description: 'Id of the resource in its service.' },
    resourceType: { type: 'string', description: 'Type of the resource: ec2:instance.' },
    resourceRegion: { type: 'string', description: 'Region of the resource.' },
    resourceTags: { type: 'json', description: 'Tags or labels.', optional: true },
    resourceConfig: { type: 'json', description: 'Configuration as the provider returns it.' },
    service: { type: 'string', description: 'Service of the resource.' },
    apiKey: { type: 'string', description: 'Call that returned the configuration: describe-instances.' },
    status: { type: 'json', description: 'Status of the collection of this resource.' },
  },
  range: { by: 'overlap' },
  identity: ['urn'],
  datasources: [],
};
