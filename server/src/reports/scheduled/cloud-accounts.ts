import { accountResource } from '../../alerts/matching-rules.ts';
import { type GroupFilter, RuleGroups } from '../../alerts/rule-groups.ts';
import type { ControlStore } from '../../control/store.ts';
import type { GroupedResource } from '../../groups/resource.ts';
import type { KnownCloudAccount } from '../../telemetry/resource-search.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { providers } from '../compliance/compliance-reports.ts';
import type { ReportCloud } from '../compliance/report.ts';

/** A cloud account as resource groups see it. */
const resources: Readonly<Record<ReportCloud, (one: KnownCloudAccount) => GroupedResource>> = {
  AWS: ({ id, name }) => resource('AWS', { Account: [id, name] }),
  Azure: ({ id, name, parent }) =>
    resource('AZURE', { 'Tenant ID': [parent], 'Subscription ID': [id], 'Subscription Name': [name] }),
  GCP: ({ id, name, parent }) =>
    resource('GCP', { 'Organization ID': [parent], 'Project ID': [id], 'Project Name': [name] }),
  K8s: ({ id }) => resource('KUBERNETES', { 'Cluster Name': [id.split('/').at(-1) ?? id, id] }),
};

const resource = (type: GroupedResource['type'], values: GroupedResource['values']): GroupedResource => ({
  ...{ type, values, tags: new Map() },
});

export interface CloudAccountsDeps {
  readonly store: ControlStore;
  readonly telemetry: Telemetry;
}

/** The cloud accounts of which an account has resources, as far as the groups of a rule contain them. */
export async function cloudAccountsOf(
  { store, telemetry }: CloudAccountsDeps,
  account: { readonly id: string; readonly name: string },
  cloud: ReportCloud,
  filter: GroupFilter,
): Promise<KnownCloudAccount[]> {
  const known = await telemetry.resources.cloudAccounts(account.id, providers[cloud]);
  const groups = await RuleGroups.read(store.read, filter);
  const selected: KnownCloudAccount[] = [];
  for (const one of known)
    if (await groups.contain(() => [resources[cloud](one), accountResource(account.name)]))
      selected.push(one);
  return selected;
}
