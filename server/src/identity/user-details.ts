import type { ControlStore } from '../control/store.ts';

/** What the console shows about its user, besides the permissions. */
export interface UserDetails {
  readonly firstName: string;
  readonly lastName: string;
  readonly isPasswordSet: boolean;
}

export async function userDetails(db: ControlStore['read'], userId: string): Promise<UserDetails> {
  const row = await db
    .selectFrom('users')
    .leftJoin('passwords', 'passwords.user_id', 'users.id')
    .select(['users.first_name', 'users.last_name', 'passwords.set_at'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return {
    firstName: row?.first_name ?? '',
    lastName: row?.last_name ?? '',
    isPasswordSet: typeof row?.set_at === 'number',
  };
}
