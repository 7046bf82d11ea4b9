/** What a query reads, as something to select from. */
export interface RawTables {
  readonly connections: string;
  readonly machines: string;
  /** The condition of the time range. */
  readonly inRange: string;
}

export interface Asked {
  readonly name: string;
  readonly text: string;
  /** The same rows by somebody who knows the files. */
  raw(tables: RawTables): string;
}

const moment = (sql: string) => `strftime(make_timestamp_ms(${sql}), '%Y-%m-%dT%H:%M:%S.%gZ')`;

/** One of each kind that policies and investigations are made of. */
export const questions: readonly Asked[] = [
  {
    name: 'filter by a column',
    text: `{
      source { LW_HA_CONNECTION_SUMMARY }
      filter { NUM_CONNS = 17 and SRC_ENTITY_TYPE = 'Process' }
      return { BATCH_START_TIME, DST_ENTITY_TYPE, NUM_CONNS, SRC_OUT_BYTES }
    }`,
    raw: ({ connections, inRange }) => `
      select json_object('BATCH_START_TIME', ${moment('t')}, 'DST_ENTITY_TYPE', "dstEntityType",
        'NUM_CONNS', "numConns", 'SRC_OUT_BYTES', "srcOutBytes") as "row"
      from ${connections} where ${inRange} and "numConns" = 17 and "srcEntityType" = 'Process'`,
  },
  {
    name: 'filter by a JSON path',
    text: `{
      source { LW_HA_CONNECTION_SUMMARY }
      filter { DST_ENTITY_ID:hostname like '%ubuntu%' }
      return { BATCH_START_TIME, DST_ENTITY_ID:hostname as HOSTNAME, NUM_CONNS }
    }`,
    raw: ({ connections, inRange }) => `
      select json_object('BATCH_START_TIME', ${moment('t')}, 'HOSTNAME', "dstEntityId.hostname",
        'NUM_CONNS', "numConns") as "row"
      from ${connections} where ${inRange} and "dstEntityId.hostname" like '%ubuntu%'`,
  },
  {
    name: 'join of connections and machines',
    text: `{
      source { LW_HA_CONNECTION_SUMMARY c with LW_HE_MACHINES m }
      filter { c.NUM_CONNS > 40 and m.OS = 'Ubuntu' }
      return { c.BATCH_START_TIME, m.HOSTNAME, c.NUM_CONNS }
    }`,
    raw: ({ connections, machines, inRange }) => `
      select json_object('BATCH_START_TIME', ${moment('c.t')}, 'HOSTNAME', m.hostname, 'NUM_CONNS', c."numConns") as "row"
      from (from ${connections} where ${inRange}) c
      join (from ${machines} where ${inRange}) m on c."srcEntityId.mid" = m.mid
      where c."numConns" > 40 and m.os = 'Ubuntu'`,
  },
  {
    name: 'expansion of a list',
    text: `{
      source { LW_HA_CONNECTION_SUMMARY, array_to_rows(ENDPOINT_DETAILS) as (pair) }
      filter { SRC_OUT_BYTES > 20000 and pair:dst_port = 53 }
      return { BATCH_START_TIME, pair:src_ip_addr as FROM_ADDRESS, SRC_OUT_BYTES }
    }`,
    raw: ({ connections, inRange }) => `
      select json_object('BATCH_START_TIME', ${moment('t')}, 'FROM_ADDRESS', pair ->> 'src_ip_addr',
        'SRC_OUT_BYTES', "srcOutBytes") as "row"
      from (select t, "srcOutBytes", unnest(json_extract(doc, '$.endpointDetails[*]')) as pair
        from ${connections} where ${inRange} and "srcOutBytes" > 20000)
      where (pair ->> 'dst_port')::bigint = 53`,
  },
  {
    name: 'distinct',
    text: `{
      source { LW_HA_CONNECTION_SUMMARY }
      return distinct { BATCH_START_TIME, SRC_ENTITY_TYPE, DST_ENTITY_TYPE }
    }`,
    raw: ({ connections, inRange }) => `
      select json_object('BATCH_START_TIME', ${moment('t')}, 'SRC_ENTITY_TYPE', "srcEntityType",
        'DST_ENTITY_TYPE', "dstEntityType") as "row"
      from (select distinct t, "srcEntityType", "dstEntityType" from ${connections} where ${inRange})`,
  },
  {
    name: 'in a sub-query',
    text: `{
      source { LW_HA_CONNECTION_SUMMARY }
      filter {
        NUM_CONNS > 40 and SRC_OUT_BYTES in {
          source { LW_HA_CONNECTION_SUMMARY } filter { SRC_ENTITY_TYPE = 'IpAddress' } return { SRC_OUT_BYTES }
        }
      }
      return { BATCH_START_TIME, NUM_CONNS, SRC_OUT_BYTES }
    }`,
    raw: ({ connections, inRange }) => `
      select json_object('BATCH_START_TIME', ${moment('t')}, 'NUM_CONNS', "numConns", 'SRC_OUT_BYTES', "srcOutBytes") as "row"
      from ${connections} where ${inRange} and "numConns" > 40 and "srcOutBytes" in
        (select "srcOutBytes" from ${connections} where ${inRange} and "srcEntityType" = 'IpAddress')`,
  },
];
