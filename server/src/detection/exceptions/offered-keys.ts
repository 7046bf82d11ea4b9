import type { CheckedQuery } from '@vedette/lql/check/checked';
import type { ExceptionKey } from './keys.ts';

const everywhere = ['resourceNames', 'resourceTags'] as const;

/** By the first datasource that a query reads: what it is about decides what an exception can single out. */
const byDatasource: readonly (readonly [datasource: RegExp, keys: readonly ExceptionKey[]])[] = [
  [/^(?:LW_CFG_AWS_|LW_CE_AWS_|CloudTrailRawEvents)/, ['accountIds', 'arns', 'regionNames', ...everywhere]],
  [/^LW_CFG_AZURE_/, ['tenantIds', 'subscriptionIds', 'regionNames', ...everywhere]],
  [/^(?:LW_CFG_GCP_|LW_ACT_GCP_)/, ['organizationIds', 'projectIds', 'regionNames', ...everywhere]],
  [/^(?:LW_CFG_K8S_|LW_ACT_K8S_)/, ['clusterIds', 'namespaces', ...everywhere]],
  [/^LW_/, everywhere],
];

/** What exceptions to a policy with this query can name. */
export function keysFor({ blocks: [first] }: CheckedQuery): readonly ExceptionKey[] {
  const root = first?.sources[0];
  if (root?.kind !== 'table') return [];
  return byDatasource.find(([name]) => name.test(root.datasource.name))?.[1] ?? [];
}
