import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import { clickhouse } from './clickhouse/clickhouse.ts';
import { compile } from './compile.ts';
import { duckdb } from './duckdb/duckdb.ts';
import { splitLines } from './golden.sample.ts';
import type { Tables } from './tables.ts';

const tables: Tables = {
  rows: ({ datasource, columns, bounds, bind }) => {
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const range = `t >= ${bind(BigInt(bounds.start))} and t < ${bind(BigInt(bounds.end))}`;
    return `select ${names || '1'} from ${datasource.name.toLowerCase()} where account = ${bind(bounds.account)} and ${range}`;
  },
};

const options = { tables, bounds: { account: 'acme', start: 1000, end: 2000 }, now: 1_714_568_400_000 };

const queries: Record<string, string> = {
  'columns-and-constants': `{ source { LW_HE_FILES } filter { SIZE > 1024 and PATH = '/etc/passwd' and
    OWNER_USERNAME in ('root', 'daemon') and FILE_CREATED_TIME >= '2024-05-01' } return { PATH, SIZE, FILE_CREATED_TIME } }`,
  'json-comparisons': `{ source { CloudTrailRawEvents } filter { EVENT:userIdentity."type" = 'Root' and
    EVENT:readOnly = 'false' and EVENT:responseElements.count > 3 and EVENT:flag = true } return { INSERT_ID, EVENT } }`,
  'join-by-columns': `{ source { LW_HE_FILES f with LW_HE_MACHINES m } filter { m.OS = 'linux' } return { f.PATH, m.HOSTNAME } }`,
  'join-by-path': `{ source { LW_CFG_AWS_EC2_SECURITY_GROUPS with LW_CFG_AWS_EC2_VPCS v } filter { value_exists(v.RESOURCE_CONFIG) }
    return distinct { LW_CFG_AWS_EC2_SECURITY_GROUPS.ARN } }`,
  fork: `{ source { LW_HE_PROCESSES p with (LW_HE_MACHINES m, LW_HE_USERS u) } filter { u.HOME_DIR is null }
    return { p.CMDLINE, m.HOSTNAME } }`,
  'expansions-chained': `{ source { LW_CFG_AWS_EC2_SECURITY_GROUPS g, array_to_rows(g.RESOURCE_CONFIG:IpPermissions) as (p),
    array_to_rows_non_empty(p:IpRanges) as (r) } filter { p:FromPort <= 22 and r:CidrIp = '0.0.0.0/0' }
    return distinct { g.ARN, p:FromPort::Number as PORT } }`,
  'in-block': `{ source { LW_HE_PROCESSES } filter { (MID, USERNAME) in { source { LW_HE_USERS } filter { HOME_DIR like '/home/%' }
    return { MID, USERNAME } } and not (MID in { source { LW_HE_MACHINES } return { MID } }) } return { PID_HASH } }`,
  patterns: `{ source { LW_HE_PROCESSES } filter { CMDLINE ilike '%CURL%' and EXE_PATH rlike s'/usr/(local/)?bin/.*'
    and not CMDLINE like any ('a\\\\_%', '%b') } return { CMDLINE } }`,
  'case-and-arithmetic': `{ source { LW_HE_FILES } return { case when SIZE is null then 0 when SIZE > 10 then SIZE / 2
    else -SIZE end as HALF, PATH || ':' || OWNER_USERNAME as WHO, SIZE % 7 + BLOCK_COUNT * 512 as REST } }`,
  time: `{ source { LW_HA_USER_LOGINS } filter { LOGIN_TIME > add_days(-7, current_timestamp_sec()::Timestamp)
    and hour_part(LOGIN_TIME) between 0 and 5 } return { USERNAME, diff_minutes(LOGIN_TIME, LOGOFF_TIME) as MINUTES } }`,
  addresses: `{ source { LW_HA_USER_LOGINS } filter { not ip_contains('10.0.0.0/8', IP_ADDR) } return { IP_ADDR, ip_family(IP_ADDR) as FAMILY } }`,
  'lists-and-nulls': `{ source { LW_HE_USERS } filter { any_in_array(OTHER_GROUP_NAMES, 'wheel', 'sudo')
    or OTHER_GROUP_NAMES:"a b" is json null or not key_exists(OTHER_GROUP_NAMES:x) }
    return { coalesce(HOME_DIR, 'none') as HOME, array_size(OTHER_GROUP_NAMES) as GROUPS } }`,
  union: `union { { source { LW_HE_FILES } return { MID, PATH as NAME } }, { source { LW_HE_USERS } return { MID, USERNAME as NAME } } }`,
};

describe.for(Object.entries({ duckdb, clickhouse }))('%s', ([name, dialect]) => {
  test.for(Object.entries(queries))('%s', async ([file, text]) => {
    const { query, problems } = analyse(text, sampleCatalogue);
    if (!query) throw new Error(problems.map(({ message }) => message).join(' '));
    const { sql, parameters } = compile(query, { ...options, dialect, limit: 100 });
    const parameterLines = parameters.map((value, at) => `-- ${at + 1}: ${typeof value} ${value}`);
    await expect(`${splitLines(sql)}\n${parameterLines.join('\n')}\n`).toMatchFileSnapshot(
      `../../src/compile/golden/${file}.${name}.sql`,
    );
  });
});
