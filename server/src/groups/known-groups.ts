import type { ControlTransaction } from '../control/store.ts';
import type { Scope } from '../identity/scope.ts';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';

/**
 * A record refers only to resource groups of its own account. A group it already had may have been deleted since:
 * clients send back whole records, and other changes must not fail because of it.
 */
export async function refuseUnknownGroups(
  tx: ControlTransaction,
  { ownerId }: Scope,
  guids: readonly string[],
  before: readonly string[],
  member: string,
): Promise<void> {
  if (guids.length === 0) return;
  const groups = await tx
    .selectFrom('resource_groups')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('id', 'in', guids)
    .execute();
  const known = new Set([...before, ...groups.map(({ id }) => id)]);
  const position = guids.findIndex((guid) => !known.has(guid));
  if (position < 0) return;
  throw new Refusal(
    'INVALID_INPUT',
    `${member}[${position}] must be the resourceGroupGuid of a resource group of the account, not ${quoted(guids[position] ?? '')}.`,
  );
}
