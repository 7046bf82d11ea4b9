import { describe, expect, test } from 'vitest';
import { shippedPacks } from '../detection/packs/pack.ts';
import type { ServedDatasource } from '../telemetry/served-datasource.ts';
import { ResourceSection } from './resource-section.ts';

const section = new ResourceSection(new URL('datasources/resources.tsv', shippedPacks()));
const find = (name: string) => section.find(name) as ServedDatasource;
const typeCodes = { String: 'S', Number: 'N', Timestamp: 'T', Json: 'J' };
const columnsOf = (name: string) =>
  find(name)
    .columns.map((column) => `${column.name} ${typeCodes[column.type]}`)
    .join(', ');
const relations = (name: string) =>
  Object.fromEntries(find(name).relationships.map(({ to, cardinality }) => [to, cardinality]));

const times = 'BATCH_START_TIME T, BATCH_END_TIME T, QUERY_START_TIME T, QUERY_END_TIME T';
const resource = 'RESOURCE_TYPE S, RESOURCE_ID S, RESOURCE_REGION S, RESOURCE_CONFIG J, RESOURCE_TAGS J';
const aws = `${times}, ARN S, API_KEY S, SERVICE S, ACCOUNT_ID S, ACCOUNT_ALIAS S, ${resource}, RESOURCE_KEY S, URN S, ORGANIZATION_ID S, PARENT_URN S`;

/** As defined by the interface; those of Oracle Cloud are not published and are specific to this service. */
const published: Readonly<Record<string, string>> = {
  LW_CFG_AWS_S3: aws,
  LW_CFG_AWS_ALL: aws,
  LW_CFG_AWS: `${aws}, STATUS J, KEYS J, PROPS J`,
  LW_CFG_AZURE_COMPUTE_DISKS: `${times}, URN S, API_KEY S, SERVICE S, TENANT_ID S, TENANT_NAME S, SUBSCRIPTION_ID S, SUBSCRIPTION_NAME S, RESOURCE_GROUP S, ${resource}`,
  LW_CFG_AZURE_USER:
    'URN S, SERVICE S, RESOURCE_TYPE S, RESOURCE_REGION S, RESOURCE_CONFIG J, RESOURCE_TAGS J, RESOURCE_TYPE_VERSION S, KEYS J',
  LW_CFG_GCP_STORAGE_BUCKET: `${times}, URN S, API_KEY S, SERVICE S, ORGANIZATION_ID N, ORGANIZATION_NAME S, PROJECT_NUMBER N, PROJECT_ID S, PROJECT_NAME S, FOLDER_IDS J, FOLDER_NAMES J, PARENT_RESOURCE_ID S, ${resource}`,
  LW_CFG_OCI_OS_BUCKETS: `${times}, URN S, API_KEY S, SERVICE S, TENANT_ID S, TENANT_NAME S, COMPARTMENT_ID S, COMPARTMENT_NAME S, ${resource}`,
  LW_CFG_K8S_CLUSTER_CLUSTERROLE:
    'CLUSTER_ID S, CLUSTER_TYPE S, NAMESPACE S, RESOURCE_ID S, RESOURCE_TYPE S, URN S, RESOURCE_CONFIG J',
};

describe('the datasources of cloud resources', () => {
  test('have the columns of their provider', () => {
    for (const [name, columns] of Object.entries(published)) expect(columnsOf(name), name).toBe(columns);
    const layouts = new Set([...section.names()].map(columnsOf));
    expect(layouts).toEqual(new Set(Object.values(published)));
  });

  test('of the Azure directory are users, groups and similar objects', () => {
    const directory = [...section.names()].filter((name) => columnsOf(name) === published.LW_CFG_AZURE_USER);
    expect(directory.map((name) => name.replace('LW_CFG_AZURE_', ''))).toEqual([
      ...['ADMINISTRATIVEUNIT', 'APPLICATION', 'APPROLEASSIGNMENT', 'DIRECTORYROLE', 'DOMAIN', 'GROUP'],
      ...['GROUP_MEMBER', 'GROUP_OWNER', 'ORGANIZATION', 'SERVICEPRINCIPAL', 'USER'],
    ]);
  });

  test('have their resource kind as origin, also under deprecated names', () => {
    const roles = { name: 'LW_CFG_AWS_IAM_ROLES', service: 'IAM', call: 'list-roles' };
    expect(find('LW_CFG_AWS_IAM_ROLES').origin).toEqual({ from: 'resources', provider: 'aws', kind: roles });
    expect(find('LW_CFG_AWS_IAM_LIST_ROLES')).toMatchObject({
      name: 'LW_CFG_AWS_IAM_LIST_ROLES',
      description: 'Deprecated name of LW_CFG_AWS_IAM_ROLES.',
      relationships: [],
      origin: { from: 'resources', provider: 'aws', kind: roles },
    });
    expect(find('LW_CFG_AWS').origin).toEqual(find('LW_CFG_AWS_ALL').origin);
    expect(find('LW_CFG_GCP_ALL').origin).toEqual({ from: 'resources', provider: 'gcp', kind: undefined });
    expect(find('LW_CFG_K8S_CLUSTER_POD_CONTAINER').origin).toMatchObject({
      provider: 'k8s',
      kind: { call: 'PodContainer' },
    });
  });

  test('are described by provider, service and API call, and whether a collector fills them', () => {
    expect(
      ['LW_CFG_AWS_S3', 'LW_CFG_AZURE_ALL', 'LW_CFG_AZURE_COMPUTE_DISKS', 'LW_CFG_AZURE_USER'].map(
        (name) => find(name).description,
      ),
    ).toEqual([
      'AWS S3: output of list-buckets. Filled by the AWS collector.',
      'All resources of Azure.',
      'Azure Compute resources of type microsoft.compute/disks. Filled by the Azure collector.',
      'Azure directory: User. Filled by the Azure collector.',
    ]);
    expect(find('LW_CFG_GCP_CLOUDFUNCTIONS_CLOUDFUNCTION_IAMPOLICY').description).toBe(
      'IAM policies of Google Cloud Functions resources of type CLOUDFUNCTIONS_CLOUDFUNCTION. Filled by the Google Cloud collector.',
    );
    expect(find('LW_CFG_OCI_OS_BUCKETS').description).toBe(
      'Oracle Cloud Object Storage Bucket resources of type OS_BUCKETS. No collector fills it.',
    );
  });
});

describe('relationships of cloud resources', () => {
  test('relate listed resources to their details, one or many, and back to the resource', () => {
    expect(relations('LW_CFG_AWS_KMS_KEYS')).toEqual({
      LW_CFG_AWS_KMS_KEYS_DESCRIBE_KEY: 'ONE',
      LW_CFG_AWS_KMS_KEYS_GET_POLICY: 'ONE',
      LW_CFG_AWS_KMS_KEYS_GET_ROTATION_STATUS: 'ONE',
    });
    expect(relations('LW_CFG_AWS_S3')).toMatchObject({
      LW_CFG_AWS_S3_GET_BUCKET_ENCRYPTION: 'ONE',
      LW_CFG_AWS_S3_GET_BUCKET_LOGGING: 'ONE',
      LW_CFG_AWS_S3_GET_PUBLIC_ACCESS_BLOCK: 'ONE',
    });
    expect(relations('LW_CFG_AWS_CLOUDTRAIL')).toEqual({
      LW_CFG_AWS_CLOUDTRAIL_GET_EVENT_SELECTORS: 'ONE',
      LW_CFG_AWS_CLOUDTRAIL_GET_TRAIL_STATUS: 'ONE',
    });
    expect(relations('LW_CFG_AWS_IAM_USERS')).toMatchObject({
      LW_CFG_AWS_IAM_GET_USER: 'ONE',
      LW_CFG_AWS_IAM_USERS_LIST_POLICIES: 'MANY',
      LW_CFG_AWS_IAM_USERS_GET_POLICY: 'MANY',
    });
    expect(relations('LW_CFG_AWS_IAM_USERS_LIST_POLICIES')).toEqual({ LW_CFG_AWS_IAM_USERS: 'ONE' });
    expect(relations('LW_CFG_AWS_ELBV2')).toMatchObject({ LW_CFG_AWS_ELBV2_DESCRIBE_LISTENERS: 'MANY' });
  });

  test('join the same resource in the same account and region', () => {
    const columns = ['ACCOUNT_ID', 'RESOURCE_REGION', 'ARN'];
    expect(find('LW_CFG_AWS_IAM_USERS_LIST_POLICIES').relationships[0]?.on).toEqual(
      columns.map((column) => ({ from: { column }, to: { column } })),
    );
  });

  test('find the listing datasource by its plural, and never by a mere prefix', () => {
    expect(relations('LW_CFG_AWS_EKS_DESCRIBE_ADDON')).toEqual({ LW_CFG_AWS_EKS_ADDONS: 'ONE' });
    expect(relations('LW_CFG_AWS_GLACIER_GET_VAULT_LOCK')).toEqual({ LW_CFG_AWS_GLACIER_VAULTS: 'ONE' });
    expect(relations('LW_CFG_AWS_ECR_PUBLIC_GET_REPOSITORY_POLICY')).toEqual({
      LW_CFG_AWS_ECR_PUBLIC_REPOSITORIES: 'ONE',
    });
    expect(relations('LW_CFG_AWS_S3CONTROL_GET_PUBLIC_ACCESS_BLOCK')).toEqual({});
    expect(Object.keys(relations('LW_CFG_AWS_LAMBDA'))).not.toContain('LW_CFG_AWS_LAMBDA_LIST_FUNCTIONS');
  });

  test('relate Google Cloud resources to their IAM policies by name', () => {
    expect(find('LW_CFG_GCP_STORAGE_BUCKET_IAMPOLICY').relationships).toMatchObject([
      {
        name: '(default)',
        to: 'LW_CFG_GCP_STORAGE_BUCKET',
        cardinality: 'ONE',
        on: [{ from: { column: 'URN' }, to: { column: 'URN' } }],
      },
    ]);
  });

  test('join networks by their configuration, in both directions', () => {
    expect(relations('LW_CFG_AWS_EC2_SECURITY_GROUPS')).toEqual({ LW_CFG_AWS_EC2_VPCS: 'ONE' });
    expect(relations('LW_CFG_AWS_EC2_VPC_FLOW_LOGS')).toEqual({ LW_CFG_AWS_EC2_VPCS: 'ONE' });
    expect(relations('LW_CFG_AWS_EC2_VPCS')).toEqual({
      LW_CFG_AWS_EC2_SECURITY_GROUPS: 'MANY',
      LW_CFG_AWS_EC2_VPC_FLOW_LOGS: 'MANY',
    });
    const [logs] = find('LW_CFG_AWS_EC2_VPC_FLOW_LOGS').relationships;
    expect(logs?.on.at(-1)).toEqual({
      from: { column: 'RESOURCE_CONFIG', keys: ['ResourceId'] },
      to: { column: 'RESOURCE_CONFIG', keys: ['VpcId'] },
    });
  });
});
