import type { Company } from '../company/company.ts';
import { millisecondsPerHour } from '../hour.ts';
import { type CloudObject, cloudObject, seeded } from './cloud-object.ts';

const created = '2025-05-20T09:00:00Z';
const week = 7 * 24 * millisecondsPerHour;
const zone = 'europe-west3-a';

interface Project {
  readonly id: string;
  readonly number: string;
  readonly name: string;
}

/** The project of the audit log, and another one. */
function projectsOf(company: Company): [Project, Project] {
  const number = (name: string) => String(seeded(company, 'project', name).between(1e11, 9e11));
  const { project } = company.cloud;
  const sandbox = project.replace('analytics', 'sandbox');
  return [
    { id: project, number: number(project), name: 'Analytics' },
    { id: sandbox, number: number(sandbox), name: 'Sandbox' },
  ];
}

/** The names of assets that others refer to. */
export function assetNames(company: Company) {
  const [{ id, number }] = projectsOf(company);
  return {
    project: `//cloudresourcemanager.googleapis.com/projects/${number}`,
    firewall: `//compute.googleapis.com/projects/${id}/global/firewalls/allow-ssh`,
    bucket: `//storage.googleapis.com/${id}-exports`,
    database: `//cloudsql.googleapis.com/projects/${id}/instances/warehouse`,
  };
}

/** The assets of the organization in the form of Cloud Asset Inventory. */
export function* gcpAssets(company: Company, today: number): Generator<CloudObject> {
  const { organizationId } = company.cloud;
  const organization = `organizations/${organizationId}`;
  const manager = '//cloudresourcemanager.googleapis.com';
  const owners = company.people.filter(({ team }) => team === 'data').map(({ email }) => `user:${email}`);
  yield asset(
    'cloudresourcemanager.googleapis.com/Organization',
    `${manager}/${organization}`,
    [organization],
    { data: { name: organization, displayName: company.domain, state: 'ACTIVE' } },
  );
  for (const [index, project] of projectsOf(company).entries()) {
    const ancestors = [`projects/${project.number}`, organization];
    const types = ['ADMIN_READ', 'DATA_READ', 'DATA_WRITE'];
    const auditLogConfigs = types.map((logType) => ({ logType }));
    yield asset(
      'cloudresourcemanager.googleapis.com/Project',
      `${manager}/projects/${project.number}`,
      ancestors,
      {
        data: {
          ...{
            projectId: project.id,
            projectNumber: project.number,
            name: project.name,
            createTime: created,
          },
          ...{ lifecycleState: 'ACTIVE', parent: { type: 'organization', id: organizationId } },
          labels: { team: 'data' },
        },
        iamPolicy: {
          bindings: [{ role: 'roles/editor', members: owners }],
          auditConfigs: [{ service: 'allServices', auditLogConfigs }],
        },
      },
    );
    yield* projectAssets(company, project, ancestors, index, today);
  }
}

function* projectAssets(
  company: Company,
  { id, number }: Project,
  ancestors: readonly string[],
  index: number,
  today: number,
): Generator<CloudObject> {
  const compute = `//compute.googleapis.com/projects/${id}`;
  const link = (path: string) => `https://www.googleapis.com/compute/v1/projects/${id}/${path}`;
  const global = { ancestors, parent: `//cloudresourcemanager.googleapis.com/projects/${number}` };
  const one = (type: string, name: string, data: object, more: object = {}, location = 'global') =>
    asset(type, name, global.ancestors, { data, parent: global.parent, location, ...more });
  yield one('compute.googleapis.com/Network', `${compute}/global/networks/main`, {
    ...{ name: 'main', selfLink: link('global/networks/main'), autoCreateSubnetworks: false },
    routingConfig: { routingMode: 'REGIONAL' },
  });
  yield one(
    'compute.googleapis.com/Subnetwork',
    `${compute}/regions/europe-west3/subnetworks/main`,
    {
      ...{ name: 'main', ipCidrRange: '10.156.0.0/20', network: link('global/networks/main') },
      ...{ purpose: 'PRIVATE', privateIpGoogleAccess: true, logConfig: { enable: true } },
    },
    {},
    'europe-west3',
  );
  yield one('compute.googleapis.com/Firewall', `${compute}/global/firewalls/allow-ssh`, {
    ...{ name: 'allow-ssh', direction: 'INGRESS', disabled: false, priority: 1000 },
    ...{ network: link('global/networks/main'), logConfig: { enable: true } },
    ...{ allowed: [{ IPProtocol: 'tcp', ports: ['22'] }], sourceRanges: ['35.235.240.0/20'] },
  });
  const account = `worker@${id}.iam.gserviceaccount.com`;
  yield one(
    'iam.googleapis.com/ServiceAccount',
    `//iam.googleapis.com/projects/${id}/serviceAccounts/${number}1`,
    {
      ...{ name: `projects/${id}/serviceAccounts/${account}`, email: account, projectId: id },
      ...{ uniqueId: `${number}1`, displayName: 'Workers' },
    },
  );
  // One worker for five hosts, and another one every second week.
  const count = Math.max(2, Math.ceil(company.hosts / 10)) + (Math.floor(today / week) % 2);
  for (let worker = 1; worker <= count; worker++) {
    const name = `worker-${worker}`;
    yield one(
      'compute.googleapis.com/Instance',
      `${compute}/zones/${zone}/instances/${name}`,
      {
        ...{ name, id: String(seeded(company, 'instance', id, worker).key()), status: 'RUNNING' },
        ...{ machineType: link(`zones/${zone}/machineTypes/e2-standard-4`), zone: link(`zones/${zone}`) },
        ...{ creationTimestamp: created, canIpForward: false, labels: { team: 'data' } },
        networkInterfaces: [
          { network: link('global/networks/main'), networkIP: `10.156.${index}.${worker + 3}` },
        ],
        serviceAccounts: [
          { email: account, scopes: ['https://www.googleapis.com/auth/devstorage.read_only'] },
        ],
        shieldedInstanceConfig: { enableSecureBoot: true, enableVtpm: true, enableIntegrityMonitoring: true },
        metadata: { items: [{ key: 'block-project-ssh-keys', value: 'true' }] },
      },
      {},
      zone,
    );
  }
  for (const use of ['exports', 'staging'])
    yield one(
      'storage.googleapis.com/Bucket',
      `//storage.googleapis.com/${id}-${use}`,
      {
        ...{ name: `${id}-${use}`, location: 'EU', storageClass: 'STANDARD', timeCreated: created },
        iamConfiguration: {
          uniformBucketLevelAccess: { enabled: true },
          publicAccessPrevention: 'inherited',
        },
        ...{ versioning: { enabled: true }, logging: { logBucket: `${id}-logs` }, labels: { team: 'data' } },
        encryption: { defaultKmsKeyName: `projects/${id}/locations/eu/keyRings/data/cryptoKeys/buckets` },
      },
      { iamPolicy: { bindings: [{ role: 'roles/storage.admin', members: [`projectEditor:${id}`] }] } },
      'eu',
    );
  yield one(
    'sqladmin.googleapis.com/Instance',
    `//cloudsql.googleapis.com/projects/${id}/instances/warehouse`,
    {
      ...{ name: 'warehouse', project: id, databaseVersion: 'POSTGRES_16', region: 'europe-west3' },
      ...{
        state: 'RUNNABLE',
        createTime: created,
        ipAddresses: [{ type: 'PRIVATE', ipAddress: '10.156.16.3' }],
      },
      settings: {
        tier: 'db-custom-4-16384',
        ipConfiguration: {
          ipv4Enabled: false,
          requireSsl: true,
          sslMode: 'ENCRYPTED_ONLY',
          authorizedNetworks: [],
        },
        backupConfiguration: { enabled: true, pointInTimeRecoveryEnabled: true },
        databaseFlags: [{ name: 'log_connections', value: 'on' }],
      },
    },
    {},
    'europe-west3',
  );
}

function asset(
  assetType: string,
  name: string,
  ancestors: readonly string[],
  {
    data,
    parent = '',
    location = 'global',
    iamPolicy,
  }: { data: object; parent?: string; location?: string; iamPolicy?: object },
): CloudObject {
  const resource = { version: 'v1', data, parent, location };
  return cloudObject(assetType, name, {
    name,
    assetType,
    ancestors,
    resource,
    ...(iamPolicy && { iamPolicy }),
  });
}
