import type { TableRead } from '@vedette/lql/compile/tables';
import { cspNames } from '../../inventory-record.ts';
import { identifier } from '../sql/sql.ts';
import { attemptsTable } from './inventory-tables.ts';

const csp = Object.entries(cspNames)
  .map(([provider, name]) => `when '${provider.toUpperCase()}' then '${name}'`)
  .join(' ');

const columns: Readonly<Record<string, string>> = {
  BATCH_START_TIME: 'started',
  BATCH_END_TIME: 'ended',
  COLLECTED_TIME: 'collected',
  CSP: `case split_part(kind, '_', 3) ${csp} end`,
  CLOUD_ACCOUNT: 'cloud_account',
  REGION: 'region',
  DATASOURCE: 'kind',
  STATUS: 'status',
  REASON: 'reason',
  RESOURCES: 'resources',
  UNREAD: `coalesce(unread, '[]')`,
};

/** Selects the last attempt of each scope in the time range. */
export function collectionsSql({
  columns: wanted,
  bounds: { account, start, end },
  bind,
}: Pick<TableRead, 'columns' | 'bounds' | 'bind'>): string {
  const shown = wanted.map(({ name }) => {
    const column = columns[name];
    if (!column) throw new Error(`Collections have no column ${name}.`);
    return `${column} as ${identifier(name).sql}`;
  });
  return `select ${shown.length > 0 ? shown.join(', ') : 'true as "-"'} from (
    select *, max(started) filter (is_complete) over (partition by kind, cloud_account, region) as collected
    from ${attemptsTable} where account = ${bind(account)} and started < ${bind(BigInt(end))}
    qualify row_number() over (partition by kind, cloud_account, region order by started desc) = 1)
    where started >= ${bind(BigInt(start))}`;
}
