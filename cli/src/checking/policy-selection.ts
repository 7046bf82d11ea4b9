import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import { DatasourceCatalogue } from '@vedette/server/datasources/catalogue';
import { type ResourcePolicy, resourcePolicyOf } from '@vedette/server/detection/evaluation/evaluated-policy';
import { Pack, shippedPacks } from '@vedette/server/detection/packs/pack';
import type { BuiltInPolicy } from '@vedette/server/detection/packs/policy';
import { type Severity, severities } from '@vedette/server/detection/policies/severity';
import { suggestion } from '@vedette/server/platform/nearest';
import { QueryLanguage } from '@vedette/server/querying/language';
import { datasets } from '@vedette/server/telemetry/datasets';
import { UsageError } from '../usage-error.ts';
import { CheckedFramework } from './checked-framework.ts';

/** Which policies the user asks for. */
export interface SelectionRequest {
  readonly cloud: Cloud;
  /** Ids and fragments of titles; empty for all. */
  readonly names: readonly string[];
  /** A report type. */
  readonly framework?: string | undefined;
  /** The lowest severity. */
  readonly severity?: Severity | undefined;
}

/** A built-in policy, and how its resources are evaluated. */
export interface SelectedPolicy {
  readonly policy: BuiltInPolicy;
  readonly resources: ResourcePolicy;
}

export interface PolicySelection {
  /** The most severe first. */
  readonly policies: readonly SelectedPolicy[];
  readonly framework: CheckedFramework | undefined;
  /** The kinds of resources that the policies read. */
  readonly kinds: ReadonlySet<string>;
}

/** Selects built-in policies over configuration, without a store: there are no accounts that have changed them. */
export async function selectPolicies(request: SelectionRequest): Promise<PolicySelection> {
  const { cloud, names, severity = 'info' } = request;
  const pack = await Pack.load(shippedPacks());
  const framework = request.framework
    ? await CheckedFramework.load(request.framework, cloud, pack)
    : undefined;
  const own = pack.policies.filter(
    ({ policyType, folder }) => policyType === 'Compliance' && folder.startsWith(`${cloud}/`),
  );
  const named = names.length === 0 ? own.filter(({ enabled }) => enabled) : namedPolicies(own, names);
  const chosen = named
    .filter(({ id }) => framework?.has(id) ?? true)
    .filter((policy) => rankOf(policy) <= severities.indexOf(severity))
    .sort((one, other) => rankOf(one) - rankOf(other) || one.number - other.number);
  if (chosen.length === 0)
    throw new UsageError(
      'No policy matches all of --policy, --framework and --severity: pass fewer of them.',
    );
  const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
  const policies = chosen.map((policy) => ({ policy, resources: resourcesOf(policy, pack, language) }));
  return { policies, framework, kinds: new Set(policies.flatMap(({ resources }) => resources.kinds)) };
}

function namedPolicies(policies: readonly BuiltInPolicy[], names: readonly string[]): BuiltInPolicy[] {
  const found = new Set<BuiltInPolicy>();
  for (const name of names) {
    const wanted = name.trim().toLowerCase();
    const byId = policies.find(({ id }) => id === wanted);
    const matching = byId ? [byId] : policies.filter(({ title }) => title.toLowerCase().includes(wanted));
    if (matching.length === 0 || wanted === '')
      throw new UsageError(
        `--policy '${name}' is neither the id nor a part of the title of a policy about this cloud. ${suggestion(
          name,
          policies.flatMap(({ id, title }) => [id, title]),
          'docs/policies.md lists them.',
        )}`,
      );
    for (const policy of matching) found.add(policy);
  }
  return [...found];
}

function rankOf({ severity }: BuiltInPolicy): number {
  return severities.indexOf(severity);
}

function resourcesOf(
  { id, queryId = '' }: BuiltInPolicy,
  pack: Pack,
  language: QueryLanguage,
): ResourcePolicy {
  const query = pack.query(queryId);
  const resources =
    query &&
    resourcePolicyOf({
      query: language.read(query.text).query,
      scope: query.scope === undefined ? undefined : language.read(query.scope).query,
    });
  if (!resources) throw new Error(`${id} does not evaluate resources.`);
  return resources;
}
