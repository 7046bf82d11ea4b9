import type { Company } from '../company/company.ts';
import { azureIds, azureTenant } from './azure/tenant.ts';
import { assetNames } from './gcp/asset.ts';

export const accountId = ({ cloud }: Company) => cloud.accountId;
export const person = ({ people }: Company) => people[0]?.login as string;
export const arn = (service: string, resource: (company: Company) => string) => (company: Company) =>
  `arn:aws:${service}:${company.cloud.region}:${company.cloud.accountId}:${resource(company)}`;
const bucket =
  (use: string) =>
  ({ cloud: { buckets } }: Company) =>
    buckets.find((name) => name.endsWith(use)) as string;
export const ofAccount = (kind: string, api: string) => ({
  ...({ cloud: 'aws', kind: `LW_CFG_AWS_${kind}`, resource: accountId, api } as const),
});
export const ofUser = {
  ...({ cloud: 'aws', kind: 'LW_CFG_AWS_IAM_USERS_GET_CREDENTIAL_REPORT', resource: person } as const),
  ...{
    api: 'GetCredentialReport',
    accused: (of: Company) => `arn:aws:iam::${accountId(of)}:user/${person(of)}`,
  },
};
export const ofBucket = (use: string, kind: string, api: string) => ({
  ...({ cloud: 'aws', kind: `LW_CFG_AWS_S3_${kind}`, resource: bucket(use), api } as const),
  accused: (company: Company) => `arn:aws:s3:::${bucket(use)(company)}`,
});
export const ofCluster = {
  ...({ cloud: 'aws', kind: 'LW_CFG_AWS_EKS_CLUSTERS_DESCRIBE_CLUSTER', api: 'DescribeCluster' } as const),
  resource: ({ cloud }: Company) => cloud.cluster,
  accused: arn('eks', ({ cloud }) => `cluster/${cloud.cluster}`),
};
type Asset = keyof ReturnType<typeof assetNames>;
export const asset = (name: Asset) => (company: Company) => assetNames(company)[name];
export const gcp = (kind: string, name: Asset) => ({
  ...({ cloud: 'gcp', kind: `LW_CFG_GCP_${kind}`, resource: asset(name) } as const),
});
type AzureName = keyof ReturnType<typeof azureIds>;
export const azureId = (name: AzureName) => (company: Company) => azureIds(company)[name];
export const azure = (kind: string, name: AzureName) => ({
  ...({ cloud: 'azure', kind: `LW_CFG_AZURE_${kind}`, resource: azureId(name) } as const),
});
export const graph = (type: string, id: (company: Company) => string) => (company: Company) =>
  `/tenants/${azureTenant(company)}/microsoft.graph/${type}/${id(company)}`;
/** An object of the cluster: its API group and kind, its namespace and its name. */
export const k8s = (group: string, kind: string, namespace: string, name: (company: Company) => string) => ({
  ...({ cloud: 'k8s', kind: `LW_CFG_K8S_CLUSTER_${kind.toUpperCase()}`, api: kind } as const),
  resource: (company: Company) => (namespace ? `${namespace}/${name(company)}` : name(company)),
  accused: (company: Company) => clusterObject(company, `${group}/${kind}/${namespace}/${name(company)}`),
});
export const clusterObject = (company: Company, path: string) =>
  `k8s:${arn('eks', ({ cloud }) => `cluster/${cloud.cluster}`)(company)}/${path}`;
export const rbac = 'rbac.authorization.k8s.io';
export const node = ({ machines }: Company) =>
  machines.find(({ role }) => role.runs === 'pods')?.hostname as string;
