import type { Entity } from '../../alerts/finding.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import { membersOf, stringOf, type TrailEvent, trailEventOf } from './trail-event.ts';

type Values = Readonly<Record<string, unknown>>;

/** The entities of a violation for `entityMap`. */
export function entitiesOf(row: Row, subject: Subject): Entity[] {
  const event = eventOf(row, subject);
  if (event) return trailEntities(event);
  const all = subject.subCategory === 'Compliance' ? resourceEntities(row) : [];
  return [...all, ...hostEntities(row, subject), ...activityEntities(row, subject)];
}

/** The CloudTrail event in a row. */
export function eventOf(row: Row, { evidence, streams }: Subject): TrailEvent | undefined {
  return evidence === 'AwsResource' && streams.length > 0 ? trailEventOf(row.EVENT) : undefined;
}

export function trailEntities(event: TrailEvent): Entity[] {
  const { api, service, region, account, address, userName } = event;
  return [
    entity('CT_User', {
      key: {
        account: event.userAccount,
        mfa: event.mfa ? 1 : 0,
        principalId: event.principalId,
        username: userName,
      },
      props: { api_list: arrayOf(api), region_list: arrayOf(region) },
    }),
    entity('API', {
      key: { api, service },
      props: { source_ip_address_list: arrayOf(address), user_list: arrayOf(userName) },
    }),
    ...(region === ''
      ? []
      : [entity('Region', { key: { region }, props: { account_list: arrayOf(account) } })]),
    ...(address === ''
      ? []
      : [entity('SourceIpAddress', { key: { ip_addr: address }, props: { api_list: arrayOf(api) } })]),
    ...event.resources.map((resource) => entity('Resource', { key: resource, props: {} })),
  ];
}

function resourceEntities(row: Row): Entity[] {
  const value = first(row, 'RESOURCE_KEY', 'ARN', 'URN', 'RESOURCE_ID');
  const reason = first(row, 'COMPLIANCE_FAILURE_REASON');
  const region = first(row, 'RESOURCE_REGION');
  return [
    ...(value === ''
      ? []
      : [
          entity('Resource', {
            key: { name: first(row, 'RESOURCE_TYPE', 'SERVICE') || 'resource', value },
            props: valuesOf(row, {
              account_id: 'ACCOUNT_ID',
              account_alias: 'ACCOUNT_ALIAS',
              resource_id: 'RESOURCE_ID',
              region: 'RESOURCE_REGION',
              service: 'SERVICE',
              tenant_id: 'TENANT_ID',
              subscription_id: 'SUBSCRIPTION_ID',
              organization_id: 'ORGANIZATION_ID',
              project_id: 'PROJECT_ID',
              compartment_id: 'COMPARTMENT_ID',
              cluster_id: 'CLUSTER_ID',
              namespace: 'NAMESPACE',
              resource_tags: 'RESOURCE_TAGS',
            }),
          }),
        ]),
    ...(region === ''
      ? []
      : [entity('Region', { key: { region }, props: { account_list: arrayOf(first(row, 'ACCOUNT_ID')) } })]),
    ...(reason === '' ? [] : [entity('ViolationReason', { key: { reason }, props: {} })]),
  ];
}

/** Kinds of entities on hosts; one of the key columns must have a value. */
const hostKinds: readonly {
  readonly kind: string;
  readonly key: Readonly<Record<string, string>>;
  readonly props: Readonly<Record<string, string>>;
  /** Restricts the kind to datasources in which the key columns have this meaning. */
  readonly only?: RegExp;
}[] = [
  {
    kind: 'Machine',
    key: { mid: 'MID' },
    props: { hostname: 'HOSTNAME', os: 'OS', machine_tags: 'TAGS' },
  },
  {
    kind: 'User',
    key: { username: 'USERNAME' },
    props: { mid: 'MID', uid: 'UID', tty: 'TTY', home_dir: 'HOME_DIR' },
  },
  {
    kind: 'Process',
    key: { exe_path: 'EXE_PATH', pid_hash: 'PID_HASH' },
    props: { mid: 'MID', pid: 'PID', cmdline: 'CMDLINE', ppid: 'PPID', parent_exe_path: 'PARENT_EXE_PATH' },
  },
  {
    kind: 'File',
    key: { path: 'PATH' },
    props: { mid: 'MID', file_name: 'FILE_NAME', owner_username: 'OWNER_USERNAME', size: 'SIZE' },
  },
  { kind: 'File', key: { path: 'FILE_PATH' }, props: { mid: 'MID' } },
  { kind: 'FileDataHash', key: { filedata_hash: 'FILEDATA_HASH' }, props: { path: 'PATH' } },
  {
    kind: 'Container',
    key: { container_id: 'CONTAINER_ID', container_name: 'CONTAINER_NAME' },
    props: { mid: 'MID', image_repo: 'REPO', image_id: 'IMAGE_ID', tag: 'TAG', pod_name: 'POD_NAME' },
  },
  {
    kind: 'DnsName',
    key: { hostname: 'HOSTNAME' },
    props: { mid: 'MID' },
    only: /^LW_HA_DNS_REQUESTS$/,
  },
  { kind: 'IpAddress', key: { ip_addr: 'IP_ADDR' }, props: { mid: 'MID' } },
  { kind: 'IpAddress', key: { ip_addr: 'SRC_IP_ADDR' }, props: { port: 'SRC_PORT' } },
  { kind: 'IpAddress', key: { ip_addr: 'DST_IP_ADDR' }, props: { port: 'DST_PORT' } },
];

function hostEntities(row: Row, { datasource, source }: Subject): Entity[] {
  if (source !== 'Agent') return [];
  return hostKinds.flatMap(({ kind, key, props, only }) => {
    if (only && !only.test(datasource)) return [];
    const known = valuesOf(row, key);
    if (Object.keys(known).length === 0) return [];
    // In this datasource, HOSTNAME is the queried name.
    const shown = kind === 'Machine' && datasource === 'LW_HA_DNS_REQUESTS' ? {} : props;
    return [entity(kind, { key: known, props: valuesOf(row, shown) })];
  });
}

/** Kinds of entities in Kubernetes and cloud audit logs. */
const activityKinds: typeof hostKinds = [
  {
    kind: 'K8sUser',
    key: { username: 'USER_NAME' },
    props: { user_id: 'USER_ID', cloud_user: 'CLOUD_USER', groups: 'USER_GROUPS' },
  },
  { kind: 'K8sCluster', key: { cluster_id: 'CLUSTER_ID', cluster_type: 'CLUSTER_TYPE' }, props: {} },
  { kind: 'K8sNamespace', key: { namespace: 'OBJECT_NAMESPACE' }, props: { cluster_id: 'CLUSTER_ID' } },
  {
    kind: 'K8sResource',
    key: { name: 'EVENT_OBJECT', value: 'EVENT_URI' },
    props: { cluster_id: 'CLUSTER_ID' },
  },
  {
    kind: 'API',
    key: { api: 'EVENT_NAME', service: 'EVENT_SOURCE' },
    props: { project_id: 'PROJECT_ID', error_code: 'ERROR_CODE' },
  },
];

function activityEntities(row: Row, { streams, source }: Subject): Entity[] {
  if (streams.length === 0 || source === 'Agent') return [];
  const activity = activityKinds.flatMap(({ kind, key, props }) => {
    const known = valuesOf(row, key);
    return Object.keys(known).length > 0 ? [entity(kind, { key: known, props: valuesOf(row, props) })] : [];
  });
  const { protoPayload, resource } = membersOf(row.EVENT);
  const { authenticationInfo, requestMetadata } = membersOf(protoPayload);
  const caller = stringOf(membersOf(authenticationInfo).principalEmail);
  const address = stringOf(membersOf(requestMetadata).callerIp);
  const project = stringOf(membersOf(membersOf(resource).labels).project_id);
  const { methodName, serviceName } = membersOf(protoPayload);
  const api = row.EVENT_NAME === undefined ? stringOf(methodName) : '';
  return [
    ...activity,
    ...(api === '' ? [] : [entity('API', { key: { api, service: stringOf(serviceName) }, props: {} })]),
    ...(caller === '' ? [] : [entity('User', { key: { username: caller }, props: {} })]),
    ...(address === '' ? [] : [entity('SourceIpAddress', { key: { ip_addr: address }, props: {} })]),
    ...(project === '' ? [] : [entity('Project', { key: { project_id: project }, props: {} })]),
  ];
}

function entity(kind: string, { key, props }: { key: Values; props: Values }): Entity {
  return { kind, key, props };
}

function valuesOf(row: Row, columns: Readonly<Record<string, string>>): Values {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) => {
      const value = row[column];
      return value === undefined || value === null || value === '' ? [] : [[name, shown(value)]];
    }),
  );
}

/** Integers beyond the safe range become strings, because clients would lose precision. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? stringOf(value) : value;
}

function first(row: Row, ...columns: readonly string[]): string {
  return columns.map((column) => stringOf(row[column])).find((value) => value !== '') ?? '';
}

function arrayOf(value: string): string[] {
  return value === '' ? [] : [value];
}

/** Datasources whose HOSTNAME is not the reporting host but the queried name or the origin of a login. */
const namesOtherHosts = /^LW_HA_(?:DNS_REQUESTS|USER_LOGINS|SSH_LOGINS)$/;

/** The host name in the row itself. */
export function hostnameIn(row: Row, { datasource, source }: Subject): string | undefined {
  if (source !== 'Agent' || namesOtherHosts.test(datasource)) return undefined;
  return stringOf(row.HOSTNAME) || undefined;
}

/** Display name for the timeline: method and caller for API calls, the name of the violation otherwise. */
export function shownNameOf(row: Row, subject: Subject, key: string, hostname?: string): string {
  return callNameOf(row, subject) || nameOf(row, subject, key, hostname);
}

function callNameOf(row: Row, { datasource }: Subject): string {
  const isCluster = datasource.startsWith('LW_ACT_K8S_');
  if (!isCluster && !datasource.startsWith('LW_ACT_GCP_')) return '';
  const { methodName, authenticationInfo } = membersOf(membersOf(row.EVENT).protoPayload);
  const call = isCluster
    ? [first(row, 'EVENT_NAME'), first(row, 'EVENT_OBJECT')].filter(Boolean).join(' ')
    : stringOf(methodName).replace(/^.*\./, '');
  const caller = isCluster ? first(row, 'USER_NAME') : stringOf(membersOf(authenticationInfo).principalEmail);
  return call === '' ? '' : [call, caller && `by ${caller}`].filter(Boolean).join(' ').slice(0, 300);
}

/** The name of a violation, with the name of its host, or the host id if the name is unknown. */
export function nameOf(row: Row, subject: Subject, key: string, hostname?: string): string {
  const event = eventOf(row, subject);
  if (event)
    return [event.api, event.userName && `by ${event.userName}`].filter(Boolean).join(' ').slice(0, 300);
  const name =
    first(row, 'RESOURCE_KEY', 'ARN', 'URN', 'RESOURCE_ID', 'PATH', 'FILE_PATH', 'EXE_PATH') ||
    first(row, 'USERNAME', 'USER_NAME', 'CONTAINER_NAME', 'HOSTNAME', 'EVENT_NAME');
  const host = hostname ?? first(row, 'HOSTNAME', 'MID');
  if (name === '') return host === '' ? key : `${hostname === undefined ? 'machine' : 'host'} ${host}`;
  return (subject.source === 'Agent' && host !== '' && host !== name ? `${name} on ${host}` : name).slice(
    0,
    300,
  );
}
