import { Type } from 'typebox';
import { accessibleAccounts, type Caller } from '../identity/caller.ts';
import type { Member } from './member.ts';

const account = Type.Object({
  accountName: Type.String({ maxLength: 40, description: 'Name of the account, in upper case.' }),
  custGuid: Type.String({ maxLength: 100, description: 'Identifier of the account.' }),
  userGuid: Type.String({ maxLength: 100, description: 'Identifier of the user.' }),
  admin: Type.Boolean({ description: 'Whether the user has write access to the account.' }),
  userEnabled: Type.Integer({ description: '1: the user has access to the account.' }),
});

/** The access of a user in the organization, shown by two families of endpoints. */
export const userProfile = {
  orgAccount: Type.Boolean({ description: 'Whether the account belongs to an organization.' }),
  url: Type.String({ maxLength: 300, description: 'Host of the organization account.' }),
  orgAdmin: Type.Boolean({ description: 'Whether the user administers the organization.' }),
  orgUser: Type.Boolean({ description: 'Whether the user may read in the whole organization.' }),
  accounts: Type.Array(account, { description: 'Accounts that the user has access to.' }),
};

const UserProfile = Type.Object(userProfile);
export type UserProfile = Type.Static<typeof UserProfile>;

export function userProfileOf(
  user: Pick<Caller, 'userId' | 'organizationRole' | 'accounts'>,
  { host, enabled = 1 }: { readonly host: string; readonly enabled?: 0 | 1 },
): UserProfile {
  return {
    orgAccount: true,
    url: host,
    orgAdmin: user.organizationRole === 'orgAdmin',
    orgUser: user.organizationRole === 'orgUser',
    accounts: user.accounts.map(({ id, name, admin }) => ({
      accountName: name.toUpperCase(),
      custGuid: id,
      userGuid: user.userId,
      admin,
      userEnabled: enabled,
    })),
  };
}

/** The profile of another user, for responses to administrators. */
export function memberProfileOf(member: Member, host: string): UserProfile {
  const { user, organizationRole, memberships, accounts } = member;
  const roles = new Map(memberships.map(({ accountId, role }) => [accountId, role]));
  const accessible = accessibleAccounts(
    organizationRole,
    accounts.map((account) => ({ ...account, role: roles.get(account.id) ?? null })),
  );
  const access = { userId: user.id, organizationRole: organizationRole ?? undefined, accounts: accessible };
  return userProfileOf(access, { host, enabled: user.enabled });
}
