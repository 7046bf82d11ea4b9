import type { ControlStore } from '../../control/store.ts';

/** Selects the channels that send e-mails: reports go to no others. */
export async function mailChannels(
  db: ControlStore['read'],
): Promise<(ownerId: string, ids: readonly string[]) => string[]> {
  const rows = await db
    .selectFrom('integrations')
    .select(['id', 'owner_id'])
    .where('family', '=', 'AlertChannels')
    .where('type', '=', 'EmailUser')
    .where('enabled', '=', 1)
    .execute();
  const owners = new Map(rows.map(({ id, owner_id }) => [id, owner_id]));
  return (ownerId, ids) => [...new Set(ids)].filter((id) => owners.get(id) === ownerId);
}
