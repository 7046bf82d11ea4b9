import type { ControlTransaction } from '../control/store.ts';
import { addDefaultGroups } from '../groups/default-groups.ts';
import type { NewOwner } from '../identity/accounts.ts';
import { addDefaultChannel } from '../integrations/default-channel.ts';

/** Adds the default records of a new account or organization, in the transaction that creates it. */
export async function addDefaultRecords(tx: ControlTransaction, owner: NewOwner): Promise<void> {
  await addDefaultChannel(tx, owner);
  await addDefaultGroups(tx, owner);
}
