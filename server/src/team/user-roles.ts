import type { AccountRole, OrganizationRole } from '../identity/roles.ts';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import type { Member } from './member.ts';

/** The roles of a user in the organization, and in accounts by account id. */
export interface UserRoles {
  readonly organizationRole: OrganizationRole | null;
  readonly accountRoles: ReadonlyMap<string, AccountRole>;
}

/** Roles in a request of an organization administrator, with account names. */
export interface OrganizationRoles {
  readonly orgAdmin?: boolean | undefined;
  readonly orgUser?: boolean | undefined;
  readonly adminRoleAccounts?: readonly string[] | undefined;
  readonly userRoleAccounts?: readonly string[] | undefined;
}

export const noRoles: UserRoles = { organizationRole: null, accountRoles: new Map() };

export function rolesOf({ organizationRole, memberships }: Member): UserRoles {
  return {
    organizationRole,
    accountRoles: new Map(memberships.map(({ accountId, role }) => [accountId, role])),
  };
}

export function withAccountRole(present: UserRoles, accountId: string, role: AccountRole): UserRoles {
  return { ...present, accountRoles: new Map(present.accountRoles).set(accountId, role) };
}

/** Omitted roles are kept; an array replaces all accounts in which the user has that role. */
export function withOrganizationRoles(
  present: UserRoles,
  given: OrganizationRoles,
  accountIds: ReadonlyMap<string, string>,
): UserRoles {
  const accountNames = { accountAdmin: given.adminRoleAccounts, accountUser: given.userRoleAccounts };
  const accountRoles = new Map(
    [...present.accountRoles].filter(([, role]) => accountNames[role] === undefined),
  );
  const duplicate = given.adminRoleAccounts?.find((name) => given.userRoleAccounts?.some(sameAs(name)));
  if (duplicate !== undefined) {
    throw new Refusal(
      'INVALID_INPUT',
      `adminRoleAccounts and userRoleAccounts must not both contain ${quoted(duplicate)}: choose one role.`,
    );
  }
  for (const [role, names] of Object.entries(accountNames) as [
    AccountRole,
    readonly string[] | undefined,
  ][]) {
    for (const name of names ?? []) {
      const id = accountIds.get(name.toLowerCase());
      if (id === undefined) {
        const member = role === 'accountAdmin' ? 'adminRoleAccounts' : 'userRoleAccounts';
        throw new Refusal(
          'INVALID_INPUT',
          `${member} contains ${quoted(name)}, which is not an account of the organization: correct it.`,
        );
      }
      accountRoles.set(id, role);
    }
  }
  return { organizationRole: organizationRoleAfter(present.organizationRole, given), accountRoles };
}

function organizationRoleAfter(
  present: OrganizationRole | null,
  { orgAdmin, orgUser }: OrganizationRoles,
): OrganizationRole | null {
  if (orgAdmin && orgUser) {
    throw new Refusal('INVALID_INPUT', 'orgAdmin and orgUser must not both be true: choose one role.');
  }
  if (orgAdmin) return 'orgAdmin';
  if (orgUser) return 'orgUser';
  const isRevoked = (present === 'orgAdmin' ? orgAdmin : orgUser) === false;
  return isRevoked ? null : present;
}

function sameAs(name: string): (other: string) => boolean {
  return (other) => other.toLowerCase() === name.toLowerCase();
}
