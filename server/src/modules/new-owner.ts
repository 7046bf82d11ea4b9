import type { ControlTransaction } from '../control/store.ts';
import { addDefaultGroups } from '../groups/default-groups.ts';
import type { NewOwner } from '../identity/accounts.ts';
import { addDefaultChannel } from '../integrations/default-channel.ts';

/** What every new account and organization has from the start, made in the transaction that makes it. */
export async function furnish(tx: ControlTransaction, owner: NewOwner): Promise<void> {
  await addDefaultChannel(tx, owner);
  await addDefaultGroups(tx, owner);
}
