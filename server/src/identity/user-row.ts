import type { Tables } from '../control/tables.ts';
import { newGuid } from '../platform/ids.ts';
import type { Account } from './caller.ts';

export type UserRow = Tables['users'];

export const userTypes = ['StandardUser', 'ServiceUser'] as const;
export type UserType = (typeof userTypes)[number];

export const emailPattern = '^[^\\s@]{1,64}@[^\\s@]{1,190}$';

/** The row of a new user: enabled and without a role by default. */
export function userRow(
  organization: Account,
  now: number,
  user: Pick<UserRow, 'email' | 'updated_by'> & Partial<UserRow>,
): UserRow {
  return {
    id: newGuid(organization.name),
    organization_id: organization.id,
    organization_role: null,
    created_at: now,
    enabled: 1,
    type: 'StandardUser',
    first_name: '',
    last_name: '',
    company: '',
    description: '',
    updated_at: now,
    last_sign_in_at: null,
    ...user,
  };
}
