import type { UserRow } from '../identity/user-row.ts';
import type { Member } from './member.ts';

/** Properties of a user besides the user name and roles. */
export interface Profile {
  readonly enabled?: 0 | 1 | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly company?: string | undefined;
  readonly description?: string | undefined;
}

/** The columns to update; omitted members are kept. */
export function profileColumns(given: Profile): Partial<UserRow> {
  const { enabled, firstName: first_name, lastName: last_name, company, description } = given;
  return {
    ...(enabled !== undefined && { enabled }),
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(company !== undefined && { company }),
    ...(description !== undefined && { description }),
  };
}

/** The members compared to find which of them changed. */
export function comparable({ user, organizationRole, memberships }: Member): object {
  const { enabled, first_name, last_name, company, description } = user;
  return {
    ...{ userEnabled: enabled, firstName: first_name, lastName: last_name, company, description },
    ...{ organizationRole, accountRoles: memberships },
  };
}

/** The roles of a user for the audit log. */
export function describeRoles({ organizationRole, memberships }: Member): string {
  const roles = memberships.map(({ role, accountName }) => `${role} in ${accountName}`);
  return [organizationRole, ...roles].filter(Boolean).join(', ') || 'no role';
}

export function nameOf({ first_name, last_name }: UserRow): string {
  return [first_name, last_name].filter(Boolean).join(' ');
}

/** Splits the single name of TeamUsers. An unchanged name is not split, to keep the stored boundary. */
export function splitName(given: string, present?: UserRow): Pick<Profile, 'firstName' | 'lastName'> {
  const name = given.trim();
  if (present && nameOf(present) === name) return {};
  const space = name.search(/\s/);
  return space < 0
    ? { firstName: name, lastName: '' }
    : { firstName: name.slice(0, space), lastName: name.slice(space + 1) };
}
