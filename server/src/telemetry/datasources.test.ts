import { describe, expect, test } from 'vitest';
import { datasets } from './datasets.ts';
import { recordsPerBatch } from './datasource.ts';
import { columnsOf, memberAt } from './query-column.ts';
import { maxRecords } from './record-strings.ts';

const batch = 'BATCH_START_TIME T, BATCH_END_TIME T, ';
const created = 'RECORD_CREATED_TIME T, ';
const inserted = 'INSERT_ID N, INSERT_TIME T, EVENT_TIME T, ';
const keyFile =
  'HOSTNAME S, IS_IN_CONTAINER S, CONTAINER_KEY J, FILE_PATH S, FILE_PERMISSIONS N, FILE_CREATED_TIME T, FILE_MODIFIED_TIME T, FILE_ACCESSED_TIME T, OWNER_UID N, OWNER_GID N, SSH_KEY_TYPE S, FINGERPRINT_OPENSSH_MD5 S, FINGERPRINT_OPENSSH_SHA256 S, FINGERPRINT_RSA_MD5 S';

/** As defined by the interface: String, Number, Timestamp, Json. */
const published: Record<string, string> = {
  CloudTrailRawEvents: `${inserted}EVENT J, EVENT_SOURCE S, EVENT_NAME S, ERROR_CODE S`,
  LW_ACT_GCP_ACTIVITY: `${inserted}EVENT J, ORGANIZATION_ID S, PROJECT_ID S, EVENT_SOURCE S, EVENT_NAME S, ERROR_CODE S`,
  // Ours: no such datasource was published.
  LW_ACT_AZURE_ACTIVITY: `${inserted}EVENT J, SUBSCRIPTION_ID S, EVENT_SOURCE S, EVENT_NAME S, CATEGORY S, RESULT_TYPE S, RESOURCE_ID S, RESOURCE_REGION S, CALLER S, CALLER_IP S`,
  // No table of it was published. The first columns are ours: queries need a time, and alerts a key.
  LW_ACT_K8S_AUDIT: `${inserted}USER_ID S, USER_NAME S, USER_GROUPS J, CLOUD_USER S, EVENT_URI S, EVENT_NAME S, EVENT_SOURCE S, EVENT_OBJECT S, OBJECT_NAMESPACE S, CLUSTER_TYPE S, CLUSTER_ID S, COMMAND S, EVENT_JSON J`,
  LW_HA_CONNECTIONS: `${batch}${created}CONN_START_TIME T, CONN_END_TIME T, MID N, SRC_IP_ADDR S, SRC_PORT N, DST_IP_ADDR S, DST_PORT N, PROTOCOL S, SYN S, FIN S, LOCAL S, INCOMING J, OUTGOING J, FIRST_KNOWN_TIME T`,
  LW_HA_CONNECTION_SUMMARY: `${batch}SRC_ENTITY_TYPE S, SRC_ENTITY_ID J, DST_ENTITY_TYPE S, DST_ENTITY_ID J, SRC_IN_BYTES N, SRC_OUT_BYTES N, DST_IN_BYTES N, DST_OUT_BYTES N, ENDPOINT_DETAILS J, NUM_CONNS N`,
  LW_HA_DNS_REQUESTS: `${batch}${created}MID N, SRV_IP_ADDR S, HOSTNAME S, HOST_IP_ADDR S, TTL N, PKTLEN N`,
  LW_HA_FILE_CHANGES: `${batch}ACTIVITY_START_TIME T, ACTIVITY_END_TIME T, MID N, PATH S, ACTIVITY S, FILEDATA_HASH S, LAST_MODIFIED_TIME T, SIZE N`,
  LW_HA_SSH_LOGINS: `${batch}BATCH_ID S, ${created}LOGIN_TIME T, MID N, USERNAME S, IP_ADDR S, HOSTNAME S, SSH_KEY_TYPE S, FINGERPRINT_OPENSSH_MD5 S, FINGERPRINT_OPENSSH_SHA256 S`,
  LW_HA_SYSCALLS_EXEC: `${batch}BATCH_ID S, ${created}MID N, EXE_PATH S, PID N, PID_HASH N, PPID N, PPID_HASH N, CMDLINE S, UID N, GID N, COUNT N, OS S, PARENT_EXE_PATH S, IS_IN_CONTAINER S`,
  LW_HA_SYSCALLS_FILE: `${batch}BATCH_ID S, ${created}MID N, TARGET_TYPE S, TARGET_OP S, TARGET_PATH S, WATCH_PATH S, PID N, PID_HASH N, PPID N, PPID_HASH N, UID N, GID N, COUNT N, OS S`,
  LW_HA_USER_LOGINS: `${batch}${created}LOGIN_TIME T, LOGOFF_TIME T, EVENT_TYPE S, MID N, USERNAME S, HOSTNAME S, IP_ADDR S, TTY S, UID N, GID N`,
  LW_HA_WIN_REGISTRY: `${batch}MID N, KEY_PATH S, VALUE_NAME S, VALUE_DATA S, VALUE_DATA_TYPE S, OLD_NAME S, MODIFIED_TIME T, OPERATION S, PID N, PID_HASH N, EXE_PATH S, USERNAME S, HOSTNAME S`,
  LW_HE_ACCESS_SSH_AUTHORIZED_KEYS: `${batch}BATCH_ID S, ${created}MID N, ${keyFile}`,
  LW_HE_ALL_PROCESSES: `${batch}PROCESS_START_TIME T, EXE_PATH S, CMDLINE S, OS S, MID N, PID_HASH N, PID N, PPID_HASH N, PPID N, IS_IN_CONTAINER S, CONTAINER_ID S, RECORD_CREATED_TIME T, PROCESS_SOURCE J`,
  LW_HE_CONTAINERS: `${batch}${created}CONTAINER_START_TIME T, MID N, CONTAINER_ID S, CONTAINER_TYPE S, IMAGE_ID S, CONTAINER_NAME S, PRIVILEGED N, NETWORK_MODE S, PID_MODE S, IPV4 S, IPV6 S, LISTEN_PORT_MAP J, VOLUME_MAP J, REPO S, TAG S, PROPS_LABEL J, PROPS_ENV J`,
  LW_HE_FILES: `${batch}${created}MID N, PATH S, FILE_NAME S, INODE N, FILE_TYPE S, IS_LINK N, LINK_DEST_PATH S, LINK_ABS_DEST_PATH S, OWNER_UID N, OWNER_USERNAME S, OWNER_GID N, METADATA_HASH S, FILEDATA_HASH S, SIZE N, BLOCK_SIZE N, BLOCK_COUNT N, FILE_ACCESSED_TIME T, FILE_MODIFIED_TIME T, FILE_CREATED_TIME T, FILE_PERMISSIONS N, HARD_LINK_COUNT N`,
  LW_HE_IMAGES: `${batch}${created}IMAGE_CREATED_TIME T, MID N, IMAGE_ID S, CONTAINER_TYPE S, AUTHOR S, REPO S, TAG S, SIZE N, VIRTUAL_SIZE N, IMAGE_VERSION S, ACTIVE_COUNT N, DIGEST S`,
  LW_HE_MACHINES: `${batch}${created}MID N, HOSTNAME S, DOMAIN S, KERNEL S, KERNEL_RELEASE S, KERNEL_VERSION S, OS S, OS_VERSION S, OS_DESC S, CPU_INFO J, MEMORY_INFO J, MACHINE_ID J, LAST_BOOT_TIME T, LAST_BOOT_REASON S, DEFAULT_ROUTER S, TAGS J, KERNEL_ARGS S, ROUTE J`,
  LW_HE_PACKAGES: `${batch}${created}MID N, IS_IN_CONTAINER S, CONTAINER_KEY J, PACKAGE_NAME S, PACKAGE_ARCH S, PACKAGE_VERSION S, VERSION_FORMAT S, NAMESPACE S, SOURCE_FILE S, ACTIVE S, CAA S`,
  LW_HE_PROCESSES: `${batch}${created}PROCESS_START_TIME T, MID N, PID_HASH N, PID S, PPID_HASH N, PPID N, PGID N, SID N, USERNAME S, EUSERNAME S, EXE_PATH S, CMDLINE S, CWD S, ROOT S, OS S`,
  LW_HE_SECRETS_ALL: `${batch}BATCH_ID S, ${created}MID N, HOSTNAME S, IS_IN_CONTAINER S, CONTAINER_KEY J, FILE_PATH S, SECRET_TYPE S, SECRET_METADATA J`,
  LW_HE_SECRETS_SSH_PRIVATE_KEYS: `${batch}BATCH_ID S, ${created}MID N, ${keyFile}, FINGERPRINT_PKCS8_SHA1 S`,
  LW_HE_SYSCALLS_PROCESSES: `${batch}BATCH_ID S, ${created}PROCESS_START_TIME T, MID N, PID_HASH N, PID N, PPID_HASH N, PPID N, UID N, GID N, EXE_PATH S, CMDLINE S, PEXE_PATH S, OS S`,
  LW_HE_USERS: `${batch}${created}MID N, USERNAME S, PRIMARY_GROUP_NAME S, OTHER_GROUP_NAMES J, HOME_DIR S`,
};

const all = datasets.flatMap((dataset) =>
  dataset.datasources.map((datasource) => [datasource.name, dataset, datasource] as const),
);

describe('the datasources', () => {
  test('are those of the interface that are based on telemetry, each once', () => {
    expect(all.map(([name]) => name).sort()).toEqual(Object.keys(published).sort());
  });

  test('number the records of a batch uniquely', () => {
    expect(maxRecords).toBeLessThan(recordsPerBatch);
  });
});

describe.each(all)('%s', (name, dataset, datasource) => {
  const columns = columnsOf(dataset, datasource);

  test('has the columns of the interface, in order and of their types', () => {
    expect(columns.map((column) => `${column.name} ${column.type[0]}`).join(', ')).toBe(published[name]);
  });

  test('has a description, and so has each column', () => {
    for (const description of [datasource.description ?? dataset.description, ...columns.map(descriptionOf)])
      expect(description).toMatch(/^[A-Z1].*[\w)]\.$/);
  });

  test('uses the timestamps of the dataset for its time range', () => {
    const tested = datasource.time.map((time) => columns.find((column) => column.name === time)?.source);
    const { range } = dataset;
    if (range.by === 'overlap') expect(tested).toEqual(['startTime', 'endTime']);
    else expect(tested).toEqual([range.by === 'start' ? 'startTime' : range.member]);
  });

  test('filters and pairs records by declared members', () => {
    const { where = [], pairs } = datasource;
    for (const { member, is } of where) {
      expect(memberAt(dataset, member).type, member).toBe('string');
      if (is !== undefined) expect(dataset.members[member]?.optional, member).toBeUndefined();
    }
    const sides = columns.filter(({ source }) => typeof source === 'object' && 'side' in source);
    expect(sides.length).toBe(pairs ? 2 : 0);
    if (!pairs) return;
    expect(memberAt(dataset, pairs.by).type).toBe('string');
    expect(memberAt(dataset, pairs.order).type).toBe('time');
    for (const member of pairs.agreeOn) expect(() => memberAt(dataset, member)).not.toThrow();
  });
});

const descriptionOf = ({ description }: { description: string }) => description;

test('only casts of the query language are used, on declared members', () => {
  const [, machines] = all.find(([name]) => name === 'LW_HE_MACHINES') as (typeof all)[number];
  const reading = (from: string, type: 'String' | 'Number') => () =>
    columnsOf(machines, { name: 'X', columns: { A: { from, type } }, time: ['A'] });
  expect(reading('tags', 'Number')).toThrow('A from tags: there is no cast from json to Number.');
  expect(reading('nothing', 'String')).toThrow('Entities/MachineDetails has no member nothing.');
  expect(reading('tags.nothing', 'String')).toThrow('has no member tags.nothing.');
  expect(reading('mid', 'String')()).toMatchObject([{ type: 'String', reads: [{ cast: 'text' }] }]);
});
