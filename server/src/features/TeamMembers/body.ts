import { type Static, Type } from 'typebox';
import type { UserRow } from '../../identity/user-row.ts';
import { Refusal } from '../../platform/errors.ts';
import { email, flagOf, orNull, userEnabled } from '../../team/form.ts';
import type { Profile } from '../../team/profile.ts';
import type { MemberRoles } from '../../team/team.ts';

const flag = (description: string) => orNull(Type.Boolean(), description);
const text = (description: string) => orNull(Type.String({ maxLength: 200 }), description);
const accounts = (description: string) =>
  orNull(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 1_000 }),
    `${description} Needs Org-Access; a change replaces them all.`,
  );
const shared = {
  userEnabled,
  props: orNull(
    Type.Object({
      firstName: text('First name.'),
      lastName: text('Last name.'),
      company: text('Company.'),
      accountAdmin: flag('Whether they administer the account; not looked at with Org-Access.'),
    }),
    'Properties; what else a record shows in them is ignored.',
  ),
  orgAdmin: flag('Whether they administer the organization. Needs Org-Access.'),
  orgUser: flag('Whether they may read in the whole organization. Needs Org-Access.'),
  adminRoleAccounts: accounts('Names of the accounts that they administer.'),
  userRoleAccounts: accounts('Names of the accounts that they belong to otherwise.'),
};

export const MemberCreation = Type.Object({ userName: email, ...shared });
export const MemberChange = Type.Object({
  userName: orNull(email, 'User name; it can not change.'),
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

/** Who somebody is does not change: keys, tokens and the audit log are about that name. */
export function refuseRenaming(user: UserRow, { userName }: Body): void {
  if (typeof userName !== 'string' || userName.toLowerCase() === user.email) return;
  throw new Refusal(
    'INVALID_INPUT',
    `userName can not change from ${user.email}: create another team member instead.`,
  );
}
