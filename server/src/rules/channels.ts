import type { ControlTransaction } from '../control/store.ts';
import type { Scope } from '../identity/scope.ts';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';

/**
 * A record uses only alert channels of its own account or organization. A channel it already had may have been deleted
 * since: clients send back whole records, and other changes must not fail because of it.
 */
export async function refuseUnknownChannels(
  tx: ControlTransaction,
  { ownerId, isOrganization }: Scope,
  guids: readonly string[],
  before: readonly string[] = [],
  member = 'intgGuidList',
): Promise<void> {
  if (guids.length === 0) return;
  const channels = await tx
    .selectFrom('integrations')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('family', '=', 'AlertChannels')
    .where('id', 'in', guids)
    .execute();
  const known = new Set([...before, ...channels.map(({ id }) => id)]);
  const position = guids.findIndex((guid) => !known.has(guid));
  if (position < 0) return;
  const owner = isOrganization ? 'the organization' : 'the account';
  throw new Refusal(
    'INVALID_INPUT',
    `${member}[${position}] must be the intgGuid of an alert channel of ${owner}, not ${quoted(guids[position] ?? '')}.`,
  );
}
