import type { CheckedQuery } from '@vedette/lql/check/checked';
import { hasMark } from '../../alerts/marks.ts';
import { isGlobal } from '../../datasources/global-services.ts';
import type { ServedDatasource } from '../../telemetry/served-datasource.ts';
import type { ExceptionKey } from './keys.ts';

const everywhere = ['resourceNames', 'resourceTags'] as const;

/** Exception keys by the first datasource of the query. */
const byDatasource: readonly (readonly [datasource: RegExp, keys: readonly ExceptionKey[]])[] = [
  [/^(?:LW_CFG_AWS_|LW_CE_AWS_|CloudTrailRawEvents)/, ['accountIds', 'arns', 'regionNames', ...everywhere]],
  [/^LW_CFG_AZURE_/, ['tenantIds', 'subscriptionIds', 'regionNames', ...everywhere]],
  [/^(?:LW_CFG_GCP_|LW_ACT_GCP_)/, ['organizationIds', 'projectIds', 'regionNames', ...everywhere]],
  [/^(?:LW_CFG_K8S_|LW_ACT_K8S_)/, ['clusterIds', 'namespaces', ...everywhere]],
  [/^LW_/, everywhere],
];

/** The exception keys for a policy with this query. */
export function keysFor({ blocks: [first] }: CheckedQuery): readonly ExceptionKey[] {
  const root = first?.sources[0];
  if (root?.kind !== 'table') return [];
  const keys = byDatasource.find(([name]) => name.test(root.datasource.name))?.[1] ?? [];
  return keys.filter((key) => isKnownOf(root.datasource as ServedDatasource, key));
}

/** Resource keys need a matching column. Names and tags are always available. */
function isKnownOf({ origin, columns }: ServedDatasource, key: ExceptionKey): boolean {
  if (origin.from !== 'resources' || key === 'resourceNames' || key === 'resourceTags') return true;
  if (key === 'regionNames' && isGlobal(origin)) return false;
  return columns.some(({ name }) => hasMark(name, key));
}
