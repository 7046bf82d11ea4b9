import {
  type Catalogue,
  type Column,
  type ColumnType,
  type Datasource,
  defaultRelationship,
  type JoinKey,
  type Relationship,
} from './catalogue.ts';

const types: Record<string, ColumnType> = { S: 'String', N: 'Number', T: 'Timestamp', J: 'Json' };

const batch = 'BATCH_START_TIME T, BATCH_END_TIME T';
const host = `${batch}, RECORD_CREATED_TIME T, MID N`;
const aws = `${batch}, QUERY_START_TIME T, QUERY_END_TIME T, ARN S, API_KEY S, SERVICE S, ACCOUNT_ID S, ACCOUNT_ALIAS S,
  RESOURCE_TYPE S, RESOURCE_ID S, RESOURCE_REGION S, RESOURCE_CONFIG J, RESOURCE_TAGS J`;

const layouts: Record<string, string> = {
  LW_HE_MACHINES: `${host}, HOSTNAME S, DOMAIN S, KERNEL S, OS S, OS_VERSION S, CPU_INFO J, LAST_BOOT_TIME T, TAGS J`,
  LW_HE_FILES: `${host}, PATH S, FILE_NAME S, IS_LINK N, OWNER_USERNAME S, SIZE N, BLOCK_COUNT N, FILE_CREATED_TIME T`,
  LW_HE_PROCESSES: `${host}, PROCESS_START_TIME T, PID_HASH N, PID S, PPID_HASH N, PPID N, USERNAME S, EXE_PATH S,
    CMDLINE S`,
  LW_HE_USERS: `${host}, USERNAME S, PRIMARY_GROUP_NAME S, OTHER_GROUP_NAMES J, HOME_DIR S`,
  LW_HE_CONTAINERS: `${host}, CONTAINER_ID S, IMAGE_ID S, PRIVILEGED N, NETWORK_MODE S, VOLUME_MAP J, REPO S, TAG S`,
  LW_HA_FILE_CHANGES: `${batch}, ACTIVITY_START_TIME T, ACTIVITY_END_TIME T, MID N, PATH S, ACTIVITY S, SIZE N`,
  LW_HA_USER_LOGINS: `${host}, LOGIN_TIME T, LOGOFF_TIME T, EVENT_TYPE S, USERNAME S, IP_ADDR S, UID N`,
  LW_HA_CONNECTION_SUMMARY: `${batch}, SRC_ENTITY_TYPE S, SRC_ENTITY_ID J, DST_ENTITY_TYPE S, DST_ENTITY_ID J,
    ENDPOINT_DETAILS J, NUM_CONNS N`,
  LW_CE_IDENTITIES:
    'RECORD_CREATED_TIME T, PRINCIPAL_ID S, PROVIDER_TYPE S, NAME J, LAST_USED_TIME T, TAGS J',
  CloudTrailRawEvents: `INSERT_ID N, INSERT_TIME T, EVENT_TIME T, EVENT J, EVENT_SOURCE S, EVENT_NAME S, ERROR_CODE S`,
  LW_ACT_K8S_AUDIT: 'EVENT_JSON J, USER_NAME S, EVENT_NAME S, EVENT_OBJECT S, CLUSTER_ID S',
  LW_CFG_AWS_ACCOUNTS: aws,
  LW_CFG_AWS_EC2_SECURITY_GROUPS: aws,
  LW_CFG_AWS_EC2_VPCS: aws,
  LW_CFG_AWS_IAM_USERS: aws,
  LW_CFG_AWS_IAM_USERS_LIST_POLICIES: aws,
  LW_CFG_AWS_LAMBDA: aws,
  LW_CFG_AWS_S3: aws,
  LW_CFG_AWS_S3_GET_BUCKET_ENCRYPTION: aws,
};

/** A relationship without a name is the default one. */
const links: readonly (readonly [
  from: string,
  to: string,
  cardinality: Relationship['cardinality'],
  on: string,
  name?: string,
])[] = [
  ['LW_HE_FILES', 'LW_HE_MACHINES', 'ONE', 'MID'],
  ['LW_HE_PROCESSES', 'LW_HE_MACHINES', 'ONE', 'MID'],
  ['LW_HE_PROCESSES', 'LW_HE_USERS', 'ONE', 'MID, USERNAME'],
  ['LW_HE_PROCESSES', 'LW_HE_PROCESSES', 'ONE', 'MID, PPID_HASH=PID_HASH', 'parent'],
  ['LW_HE_CONTAINERS', 'LW_HE_MACHINES', 'ONE', 'MID'],
  ['LW_HE_MACHINES', 'LW_HE_FILES', 'MANY', 'MID'],
  ['LW_HE_MACHINES', 'LW_HE_PROCESSES', 'MANY', 'MID'],
  ['LW_HA_FILE_CHANGES', 'LW_HE_MACHINES', 'ONE', 'MID'],
  ['LW_HA_FILE_CHANGES', 'LW_HE_FILES', 'ONE', 'MID, PATH'],
  ['LW_HA_USER_LOGINS', 'LW_HE_MACHINES', 'ONE', 'MID'],
  ['LW_CFG_AWS_EC2_SECURITY_GROUPS', 'LW_CFG_AWS_EC2_VPCS', 'ONE', 'RESOURCE_CONFIG:VpcId=RESOURCE_ID'],
  ['LW_CFG_AWS_IAM_USERS', 'LW_CFG_AWS_IAM_USERS_LIST_POLICIES', 'MANY', 'RESOURCE_ID'],
  ['LW_CFG_AWS_S3', 'LW_CFG_AWS_S3_GET_BUCKET_ENCRYPTION', 'ONE', 'ACCOUNT_ID, RESOURCE_ID'],
];

function columns(layout: string): Column[] {
  return layout.split(',').map((column) => {
    const [name, type] = column.trim().split(' ') as [string, string];
    return { name, type: types[type] as ColumnType };
  });
}

function keyOf(text: string): JoinKey {
  const [column, ...keys] = text.trim().split(':') as [string, ...string[]];
  return keys.length > 0 ? { column, keys } : { column };
}

function relationships(of: string): Relationship[] {
  return links
    .filter(([from]) => from === of)
    .map(([from, to, cardinality, on, name = defaultRelationship]) => ({
      name,
      to,
      description: `From ${from} to ${to}.`,
      cardinality,
      on: on.split(',').map((pair) => {
        const [left, right = left] = pair.split('=') as [string, string?];
        return { from: keyOf(left), to: keyOf(right) };
      }),
    }));
}

const datasources: ReadonlyMap<string, Datasource> = new Map(
  Object.entries(layouts).map(([name, layout]) => [
    name,
    { name, description: `Sample of ${name}.`, columns: columns(layout), relationships: relationships(name) },
  ]),
);

/** A subset of the public datasources, for tests. */
export const sampleCatalogue: Catalogue = {
  find: (name) => datasources.get(name),
  names: () => datasources.keys(),
};
