import type { Column } from '@vedette/lql/catalogue/catalogue';
import type { Provider } from '../telemetry/served-datasource.ts';
import { columnTable } from './column-table.ts';

const times = columnTable(
  ['BATCH_START_TIME', 'Timestamp', 'When the collection that found the resource began.'],
  ['BATCH_END_TIME', 'Timestamp', 'When that collection ended.'],
  ['QUERY_START_TIME', 'Timestamp', 'When the provider was asked about the resource.'],
  ['QUERY_END_TIME', 'Timestamp', 'When the provider had answered.'],
);
const arn = columnTable(['ARN', 'String', 'Amazon Resource Name.']);
const urn = columnTable(['URN', 'String', 'Name of the resource that no other one has.']);
const call = columnTable([
  'API_KEY',
  'String',
  'What the provider was asked, as its command line calls it: list-buckets.',
]);
const service = columnTable(['SERVICE', 'String', 'Service of the provider that has the resource.']);
const type = columnTable(['RESOURCE_TYPE', 'String', 'What the resource is: s3:bucket.']);
const id = columnTable(['RESOURCE_ID', 'String', 'Id of the resource in its service.']);
const region = columnTable([
  'RESOURCE_REGION',
  'String',
  'Region of the resource; global services have one of their own: aws-global.',
]);
const config = columnTable([
  'RESOURCE_CONFIG',
  'Json',
  'What the provider says of the resource, as it spells it. Empty when it was asked and there is nothing.',
]);
const tags = columnTable(['RESOURCE_TAGS', 'Json', 'Tags or labels of the resource.']);
const resource = [...type, ...id, ...region, ...config, ...tags];

const aws = [
  ...times,
  ...arn,
  ...call,
  ...service,
  ...columnTable(
    ['ACCOUNT_ID', 'String', 'AWS account that the resource is in.'],
    ['ACCOUNT_ALIAS', 'String', 'Alias of that account.'],
  ),
  ...resource,
  ...columnTable(
    ['RESOURCE_KEY', 'String', 'Key by which findings and exceptions know the resource: its ARN.'],
    ['URN', 'String', 'The ARN, under the name that other providers have for such.'],
    ['ORGANIZATION_ID', 'String', 'AWS organization that the account is in.'],
    ['PARENT_URN', 'String', 'ARN of what the resource is a part of.'],
  ),
];

const azure = [
  ...times,
  ...urn,
  ...call,
  ...service,
  ...columnTable(
    ['TENANT_ID', 'String', 'Azure tenant that the resource is in.'],
    ['TENANT_NAME', 'String', 'Name of that tenant.'],
    ['SUBSCRIPTION_ID', 'String', 'Subscription that the resource is in.'],
    ['SUBSCRIPTION_NAME', 'String', 'Name of that subscription.'],
    ['RESOURCE_GROUP', 'String', 'Azure resource group that the resource is in.'],
  ),
  ...resource,
];

const gcp = [
  ...times,
  ...urn,
  ...call,
  ...service,
  ...columnTable(
    ['ORGANIZATION_ID', 'Number', 'Google Cloud organization that the resource is in.'],
    ['ORGANIZATION_NAME', 'String', 'Name of that organization.'],
    ['PROJECT_NUMBER', 'Number', 'Number of the project that the resource is in.'],
    ['PROJECT_ID', 'String', 'Id of that project.'],
    ['PROJECT_NAME', 'String', 'Name of that project.'],
    ['FOLDER_IDS', 'Json', 'Ids of the folders that the project is in.'],
    ['FOLDER_NAMES', 'Json', 'Names of those folders.'],
    ['PARENT_RESOURCE_ID', 'String', 'What the resource is a part of.'],
  ),
  ...resource,
];

/** No table of it was published: these are ours. */
const oci = [
  ...times,
  ...urn,
  ...call,
  ...service,
  ...columnTable(
    ['TENANT_ID', 'String', 'Tenancy of Oracle Cloud that the resource is in.'],
    ['TENANT_NAME', 'String', 'Name of that tenancy.'],
    ['COMPARTMENT_ID', 'String', 'Compartment that the resource is in.'],
    ['COMPARTMENT_NAME', 'String', 'Name of that compartment.'],
  ),
  ...resource,
];

const k8s = [
  ...columnTable(
    ['CLUSTER_ID', 'String', 'Cluster that the object is in.'],
    ['CLUSTER_TYPE', 'String', 'Who runs the cluster: EKS, GKE, AKS.'],
    ['NAMESPACE', 'String', 'Namespace of the object; those of the whole cluster have none.'],
  ),
  ...id,
  ...type,
  ...urn,
  ...config,
];

export const resourceColumns: Readonly<Record<Provider, readonly Column[]>> = { aws, azure, gcp, oci, k8s };

/** Users, groups and the like are in the directory of a tenant, not in a subscription. */
export const directoryColumns: readonly Column[] = [
  ...urn,
  ...service,
  ...type,
  ...region,
  ...config,
  ...tags,
  ...columnTable(
    ['RESOURCE_TYPE_VERSION', 'String', 'Version of the form that RESOURCE_CONFIG has.'],
    ['KEYS', 'Json', 'What tells the object from others.'],
  ),
];

/** What datasources under older names have besides. */
export const olderColumns: readonly Column[] = columnTable(
  ['STATUS', 'Json', 'Whether the provider answered. Always empty now.'],
  ['KEYS', 'Json', 'What tells the resource from others.'],
  ['PROPS', 'Json', 'More about the collection. Always empty now.'],
);
