import type { ControlTransaction } from '../control/store.ts';
import type { NewOwner } from '../identity/accounts.ts';
import { newGuid } from '../platform/ids.ts';
import { untriedState } from './state.ts';

/** Every new account and organization gets this channel; clients look it up by name. */
export async function addDefaultChannel(tx: ControlTransaction, owner: NewOwner): Promise<void> {
  await tx
    .insertInto('integrations')
    .values({
      id: newGuid(owner.name),
      owner_id: owner.id,
      family: 'AlertChannels',
      type: 'EmailUser',
      subtype: null,
      name: 'DEFAULT EMAIL',
      enabled: 1,
      is_org: owner.isOrganization ? 1 : 0,
      is_default: 1,
      data: JSON.stringify({ channelProps: { recipients: [owner.administrator] }, notificationTypes: {} }),
      secrets: null,
      props: JSON.stringify({ isDefault: 1 }),
      state: JSON.stringify(untriedState(owner.createdAt)),
      server_token: null,
      server_token_fingerprint: null,
      identity: null,
      updated_at: owner.createdAt,
      updated_by: owner.administrator,
    })
    .execute();
}
