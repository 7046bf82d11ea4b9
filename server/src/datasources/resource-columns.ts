import type { Column } from '@vedette/lql/catalogue/catalogue';
import type { Provider } from '../telemetry/served-datasource.ts';
import { columnTable } from './column-table.ts';

const times = columnTable(
  ['BATCH_START_TIME', 'Timestamp', 'Start of the collection run.'],
  ['BATCH_END_TIME', 'Timestamp', 'End of the collection run.'],
  ['QUERY_START_TIME', 'Timestamp', 'Start of the API call.'],
  ['QUERY_END_TIME', 'Timestamp', 'End of the API call.'],
);
const arn = columnTable(['ARN', 'String', 'Amazon Resource Name.']);
const urn = columnTable(['URN', 'String', 'Unique name of the resource.']);
const call = columnTable([
  'API_KEY',
  'String',
  'API call, as named by the command line of the provider: list-buckets.',
]);
const service = columnTable(['SERVICE', 'String', 'Service of the resource.']);
const type = columnTable(['RESOURCE_TYPE', 'String', 'Type of the resource: s3:bucket.']);
const id = columnTable(['RESOURCE_ID', 'String', 'Id of the resource in its service.']);
const region = columnTable([
  'RESOURCE_REGION',
  'String',
  'Region of the resource; aws-global for global services.',
]);
const config = columnTable([
  'RESOURCE_CONFIG',
  'Json',
  'Configuration of the resource as returned by the provider; empty if it returned none.',
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
    ['RESOURCE_KEY', 'String', 'Key of the resource in findings and exceptions: its ARN.'],
    ['URN', 'String', 'The ARN, under the name of the column for other providers.'],
    ['ORGANIZATION_ID', 'String', 'AWS organization that the account is in.'],
    ['PARENT_URN', 'String', 'ARN of the parent resource.'],
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
    ['PARENT_RESOURCE_ID', 'String', 'Id of the parent resource.'],
  ),
  ...resource,
];

/** Not published for Oracle Cloud: these columns are specific to this service. */
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
    ['CLUSTER_TYPE', 'String', 'Type of the cluster: EKS, GKE, AKS.'],
    ['NAMESPACE', 'String', 'Namespace of the object; empty for cluster-scoped objects.'],
  ),
  ...id,
  ...type,
  ...urn,
  ...config,
];

export const resourceColumns: Readonly<Record<Provider, readonly Column[]>> = { aws, azure, gcp, oci, k8s };

/** Users, groups and similar objects belong to the directory of a tenant, not to a subscription. */
export const directoryColumns: readonly Column[] = [
  ...urn,
  ...service,
  ...type,
  ...region,
  ...config,
  ...tags,
  ...columnTable(
    ['RESOURCE_TYPE_VERSION', 'String', 'Version of the format of RESOURCE_CONFIG.'],
    ['KEYS', 'Json', 'Identifying keys of the object.'],
  ),
];

/** Additional columns of datasources with deprecated names. */
export const deprecatedColumns: readonly Column[] = columnTable(
  ['STATUS', 'Json', 'Status of the API call. Deprecated, always empty.'],
  ['KEYS', 'Json', 'Identifying keys of the resource.'],
  ['PROPS', 'Json', 'Properties of the collection run. Deprecated, always empty.'],
);
