import type { ControlTransaction } from '../../control/store.ts';
import type { Policies } from '../../detection/policies/policies.ts';
import { refuseUnknownGroups } from '../../groups/known-groups.ts';
import type { Scope } from '../../identity/scope.ts';
import { Refusal } from '../../platform/errors.ts';
import { printable } from '../../platform/quoted.ts';
import { refuseUnknownChannels } from '../../rules/channels.ts';
import { policiesOf } from './content.ts';
import { contentOf, type DefinitionColumns, propsOf } from './merge.ts';

const maxNamed = 10;

/**
 * A definition refers only to policies, channels and groups of its own account. What the version before already had may
 * have been deleted since, and does not prevent other changes.
 */
export async function refuseUnknownReferences(
  tx: ControlTransaction,
  policies: Policies,
  scope: Scope,
  next: DefinitionColumns,
  before?: DefinitionColumns,
): Promise<void> {
  const known = before ? policiesOf(contentOf(before)) : new Set<string>();
  const ids = [...policiesOf(contentOf(next))].filter((id) => !known.has(id) && !policies.builtIn.has(id));
  await refuseUnknownPolicies(tx, scope, ids);
  const channelsOf = (columns?: DefinitionColumns) => JSON.parse(columns?.alert_channels ?? '[]') as string[];
  await refuseUnknownChannels(tx, scope, channelsOf(next), channelsOf(before), 'alertChannels');
  const groupsOf = (columns?: DefinitionColumns) => (columns ? (propsOf(columns).resourceGroups ?? []) : []);
  await refuseUnknownGroups(tx, scope, groupsOf(next), groupsOf(before), 'props.resourceGroups');
}

async function refuseUnknownPolicies(
  tx: ControlTransaction,
  { ownerId }: Scope,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx
    .selectFrom('policies')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('id', 'in', ids)
    .execute();
  const custom = new Set(rows.map(({ id }) => id));
  const unknown = ids.filter((id) => !custom.has(id));
  if (unknown.length === 0) return;
  const named = unknown.slice(0, maxNamed).map((id) => printable(id));
  const rest = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : '';
  throw new Refusal(
    'INVALID_INPUT',
    `reportDefinition names policies that the account does not have: ${named.join(', ')}${rest}. Remove them, or use identifiers of GET /api/v2/Policies.`,
  );
}
