import { retiredKeyRows } from '../control/retired-keys.ts';
import type { ControlStore } from '../control/store.ts';
import { Directory } from '../identity/directory.ts';
import { Refusal } from '../platform/errors.ts';
import { formatInstant } from '../platform/instant.ts';

export interface ForgetRetiredKeysDeps {
  readonly store: ControlStore;
  readonly userName: string;
  /** Required to delete anything; otherwise the refusal names the backups that would become unreadable. */
  readonly isConfirmed: boolean;
}

/** Deletes the retired secret keys, which backups made before the last rotation need. */
export async function forgetRetiredKeys(deps: ForgetRetiredKeysDeps): Promise<{ forgotten: string[] }> {
  const { store, userName, isConfirmed } = deps;
  const rows = await retiredKeyRows(store.read);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { forgotten: [] };
  const keys = ids.length === 1 ? `the retired key ${ids[0]}` : `the retired keys ${ids.join(', ')}`;
  if (!isConfirmed) {
    const last = formatInstant(Math.max(...rows.map((row) => row.retired_at)));
    throw new Refusal(
      'CONFLICT',
      `Without ${keys}, backups made before ${last} can not be restored here unless they were made with --with-key. Add --yes to forget the retired keys.`,
    );
  }
  const directory = new Directory(store, userName);
  const actor = directory.actor('Retired Secret Keys Forgotten', await directory.organization());
  return store.transaction(actor, async (tx, act) => {
    await tx.deleteFrom('retired_keys').where('id', 'in', ids).execute();
    act.describe(keys);
    return { forgotten: ids };
  });
}
