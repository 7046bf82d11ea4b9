import type { Company } from '../../company/company.ts';
import { type CloudObject, cloudObject, seeded } from '../cloud-object.ts';

export const created = '2025-05-20T09:00:00Z';
export const region = 'europe-west3';
export const zone = `${region}-a`;

export interface Project {
  readonly id: string;
  readonly number: string;
  readonly name: string;
}

/** The project of the audit log, and another one. */
export function projectsOf(company: Company): [Project, Project] {
  const number = (name: string) => String(seeded(company, 'project', name).between(1e11, 9e11));
  const { project } = company.cloud;
  const sandbox = project.replace('analytics', 'sandbox');
  return [
    { id: project, number: number(project), name: 'Analytics' },
    { id: sandbox, number: number(sandbox), name: 'Sandbox' },
  ];
}

/** The names of the assets of the first project that planted misconfigurations are about. */
export function assetNames(company: Company) {
  const [{ id, number }] = projectsOf(company);
  const compute = `//compute.googleapis.com/projects/${id}`;
  const keyRing = `//cloudkms.googleapis.com/projects/${id}/locations/${region}/keyRings/data`;
  const gke = `//container.googleapis.com/projects/${id}/locations/${region}/clusters`;
  return {
    organization: `//cloudresourcemanager.googleapis.com/organizations/${company.cloud.organizationId}`,
    contact: `//essentialcontacts.googleapis.com/organizations/${company.cloud.organizationId}/contacts/1`,
    project: `//cloudresourcemanager.googleapis.com/projects/${number}`,
    network: `${compute}/global/networks/main`,
    firewall: `${compute}/global/firewalls/allow-ssh`,
    instance: `${compute}/zones/${zone}/instances/worker-1`,
    disk: `${compute}/zones/${zone}/disks/worker-1`,
    subnet: `${compute}/regions/${region}/subnetworks/main`,
    proxy: `${compute}/global/targetHttpsProxies/reports`,
    bucket: `//storage.googleapis.com/${id}-exports`,
    staging: `//storage.googleapis.com/${id}-staging`,
    database: `//cloudsql.googleapis.com/projects/${id}/instances/warehouse`,
    mysql: `//cloudsql.googleapis.com/projects/${id}/instances/catalogue`,
    zone: `//dns.googleapis.com/projects/${number}/managedZones/reports`,
    dnsPolicy: `//dns.googleapis.com/projects/${number}/policies/query-logging`,
    key: `${keyRing}/cryptoKeys/buckets`,
    serviceAccountKey: `//iam.googleapis.com/projects/${id}/serviceAccounts/${number}1/keys/${number}11`,
    metric: `//logging.googleapis.com/projects/${id}/metrics/firewall-rule-changes`,
    dataset: `//bigquery.googleapis.com/projects/${id}/datasets/sales`,
    apiKey: `//apikeys.googleapis.com/projects/${number}/locations/global/keys/map`,
    table: `//bigquery.googleapis.com/projects/${id}/datasets/sales/tables/orders`,
    cluster: `${gke}/reports`,
    nodePool: `${gke}/reports/nodePools/default`,
  };
}

export interface AssetContent {
  readonly data: object;
  readonly parent?: string;
  readonly location?: string;
  readonly iamPolicy?: object | undefined;
}

export function asset(
  assetType: string,
  name: string,
  ancestors: readonly string[],
  { data, parent = '', location = 'global', iamPolicy }: AssetContent,
): CloudObject {
  const resource = { version: 'v1', data, parent, location };
  return cloudObject(assetType, name, {
    ...{ name, assetType, ancestors, resource },
    ...(iamPolicy && { iamPolicy }),
  });
}

/** What the assets of a project need to know of it. */
export interface ProjectContext {
  readonly company: Company;
  readonly project: Project;
  /** Among the projects. */
  readonly index: number;
  readonly today: number;
  /** The service account of its workloads. */
  readonly account: string;
  /** Makes an asset of the project. */
  one(type: string, name: string, data: object, more?: Omit<AssetContent, 'data'>): CloudObject;
  /** The address of a resource of Compute Engine. */
  link(path: string): string;
  /** The full name of a key of the project. */
  key(use: string): string;
}

export function projectContext(
  company: Company,
  project: Project,
  index: number,
  today: number,
): ProjectContext {
  const { id, number } = project;
  const ancestors = [`projects/${number}`, `organizations/${company.cloud.organizationId}`];
  const parent = `//cloudresourcemanager.googleapis.com/projects/${number}`;
  return {
    ...{ company, project, index, today },
    account: `worker@${id}.iam.gserviceaccount.com`,
    one: (type, name, data, more = {}) => asset(type, name, ancestors, { data, parent, ...more }),
    link: (path) => `https://www.googleapis.com/compute/v1/projects/${id}/${path}`,
    key: (use) => `projects/${id}/locations/${region}/keyRings/data/cryptoKeys/${use}`,
  };
}

/** An API key, of which the company otherwise has none. */
export function apiKey(company: Company): CloudObject[] {
  const [project] = projectsOf(company);
  const { one } = projectContext(company, project, 0, 0);
  const path = `projects/${project.number}/locations/global/keys/map`;
  const content = { name: path, uid: 'map', displayName: 'Map', createTime: created, restrictions: {} };
  return [one('apikeys.googleapis.com/Key', `//apikeys.googleapis.com/${path}`, content)];
}
