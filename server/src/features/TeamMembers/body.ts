import { type Static, Type } from 'typebox';
import type { UserRow } from '../../identity/user-row.ts';
import { Refusal } from '../../platform/errors.ts';
import { email, flagOf, orNull, userEnabled } from '../../team/form.ts';
import type { Profile } from '../../team/profile.ts';
import type { MemberRoles } from '../../team/team.ts';

const flag = (description: string) => orNull(Type.Boolean(), description);
const string = (description: string) => orNull(Type.String({ maxLength: 200 }), description);
const accounts = (description: string) =>
  orNull(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 1_000 }),
    `${description} Requires Org-Access; an update replaces the array.`,
  );
const shared = {
  userEnabled,
  props: orNull(
    Type.Object({
      firstName: string('First name.'),
      lastName: string('Last name.'),
      company: string('Company.'),
      accountAdmin: flag('Whether the member administers the account; ignored with Org-Access.'),
    }),
    'Properties; read-only members are ignored.',
  ),
  orgAdmin: flag('Whether the member administers the organization. Requires Org-Access.'),
  orgUser: flag('Whether the member may read the whole organization. Requires Org-Access.'),
  adminRoleAccounts: accounts('Names of the accounts in which the member has the administrator role.'),
  userRoleAccounts: accounts('Names of the accounts in which the member has the user role.'),
};

export const MemberCreation = Type.Object({ userName: email, ...shared });
export const MemberChange = Type.Object({
  userName: orNull(email, 'User name; it cannot change.'),
  ...shared,
});
type Body = Static<typeof MemberChange>;

export function readProfile({ userEnabled, props }: Body): Profile {
  return {
    enabled: flagOf(userEnabled),
    firstName: props?.firstName ?? undefined,
    lastName: props?.lastName ?? undefined,
    company: props?.company ?? undefined,
  };
}

export function readRoles(body: Body): MemberRoles {
  return {
    accountAdmin: body.props?.accountAdmin ?? undefined,
    orgAdmin: body.orgAdmin ?? undefined,
    orgUser: body.orgUser ?? undefined,
    adminRoleAccounts: body.adminRoleAccounts ?? undefined,
    userRoleAccounts: body.userRoleAccounts ?? undefined,
  };
}

/** The user name is immutable: keys, tokens and the audit log refer to it. */
export function refuseRenaming(user: UserRow, { userName }: Body): void {
  if (typeof userName !== 'string' || userName.toLowerCase() === user.email) return;
  throw new Refusal(
    'INVALID_INPUT',
    `userName can not change from ${user.email}: create another team member instead.`,
  );
}
