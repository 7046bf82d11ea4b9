import type { AccountRole, OrganizationRole } from '../identity/roles.ts';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import type { Member } from './member.ts';

/** The roles of a user: in the organization, and in accounts by their ids. */
export interface Standing {
  readonly organizationRole: OrganizationRole | null;
  readonly accountRoles: ReadonlyMap<string, AccountRole>;
}

/** Roles as an organization administrator gives them; accounts by name. */
export interface OrganizationRoles {
  readonly orgAdmin?: boolean | undefined;
  readonly orgUser?: boolean | undefined;
  readonly adminRoleAccounts?: readonly string[] | undefined;
  readonly userRoleAccounts?: readonly string[] | undefined;
}

export const noStanding: Standing = { organizationRole: null, accountRoles: new Map() };

export function standingOf({ organizationRole, memberships }: Member): Standing {
  return {
    organizationRole,
    accountRoles: new Map(memberships.map(({ accountId, role }) => [accountId, role])),
  };
}

export function withAccountRole(present: Standing, accountId: string, role: AccountRole): Standing {
  return { ...present, accountRoles: new Map(present.accountRoles).set(accountId, role) };
}

/** What is left out stays; a list replaces all accounts in which the user has that role. */
export function withOrganizationRoles(
  present: Standing,
  given: OrganizationRoles,
  accountIds: ReadonlyMap<string, string>,
): Standing {
  const lists = { accountAdmin: given.adminRoleAccounts, accountUser: given.userRoleAccounts };
  const accountRoles = new Map([...present.accountRoles].filter(([, role]) => lists[role] === undefined));
  const twice = given.adminRoleAccounts?.find((name) => given.userRoleAccounts?.some(sameAs(name)));
  if (twice !== undefined) {
    throw new Refusal(
      'INVALID_INPUT',
      `adminRoleAccounts and userRoleAccounts must not both contain ${quoted(twice)}: choose one role.`,
    );
  }
  for (const [role, names] of Object.entries(lists) as [AccountRole, readonly string[] | undefined][]) {
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
  const isTakenAway = (present === 'orgAdmin' ? orgAdmin : orgUser) === false;
  return isTakenAway ? null : present;
}

function sameAs(name: string): (other: string) => boolean {
  return (other) => other.toLowerCase() === name.toLowerCase();
}
