import { type Static, Type } from 'typebox';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Member, Membership } from './member.ts';
import type { TeamView } from './team.ts';

const string = (description: string, maxLength = 200) => Type.String({ maxLength, description });
const flag = (description: string) => Type.Boolean({ description });

export const TeamMemberRecord = Type.Object(
  {
    userGuid: string('Identifier used in paths.'),
    custGuid: string(
      'Identifier of the account; for the organization, of an account in which they have the highest role.',
    ),
    userName: string('User name: an e-mail address.', 320),
    userEnabled: coded(disabledOrEnabled, 'Whether they have access:'),
    props: Type.Object(
      {
        firstName: string('First name.', 400),
        lastName: string('Last name.', 400),
        company: string('Company.'),
        accountAdmin: flag('Whether they are an administrator of that account.'),
        orgAdmin: flag('Whether they administer the organization.'),
        orgUser: flag('Whether they may read in the whole organization.'),
        jitCreated: flag('Whether they were created by single sign-on; always false.'),
        createdTime: string('When they were added.', 30),
        updatedTime: string('When they were last changed.', 30),
        updatedBy: string('User who changed them last.', 320),
        lastLoginTime: Type.Optional(string('When they last signed in to the console or got a token.', 30)),
        lastSessionCreatedTime: Type.Optional(string('Same as lastLoginTime.', 30)),
      },
      { description: 'Further properties.' },
    ),
  },
  { description: 'A team member.' },
);
export type TeamMemberRecord = Static<typeof TeamMemberRecord>;

export function teamMemberRecord(member: Member, view: TeamView): TeamMemberRecord {
  return recordIn(accountContext(member, view), member);
}

/** For the organization one record per account, from which one client derives the roles. */
export function teamMemberRecords(member: Member, view: TeamView): TeamMemberRecord[] {
  const { memberships } = member;
  if (!view.scope.isOrganization || memberships.length === 0) return [teamMemberRecord(member, view)];
  return memberships.map((membership) => recordIn(membership, member));
}

type AccountContext = Pick<Membership, 'accountId'> & Partial<Membership>;

/** Clients require an account: a role in the organization is shown in the account with the organization's name. */
function accountContext({ memberships, accounts }: Member, { scope, caller }: TeamView): AccountContext {
  if (!scope.isOrganization)
    return memberships.find(({ accountId }) => accountId === scope.ownerId) ?? { accountId: scope.ownerId };
  const main = accounts.find(({ name }) => name === caller.organization.name) ?? accounts[0];
  return (
    memberships.find(({ role }) => role === 'accountAdmin') ??
    memberships[0] ?? { accountId: main?.id ?? scope.ownerId }
  );
}

function recordIn({ accountId, role }: AccountContext, member: Member): TeamMemberRecord {
  const { user, organizationRole, lastSession } = member;
  return {
    userGuid: user.id,
    custGuid: accountId,
    userName: user.email,
    userEnabled: user.enabled,
    props: {
      firstName: user.first_name,
      lastName: user.last_name,
      company: user.company,
      accountAdmin: role === 'accountAdmin',
      orgAdmin: organizationRole === 'orgAdmin',
      orgUser: organizationRole === 'orgUser',
      jitCreated: false,
      createdTime: formatInstant(user.created_at),
      updatedTime: formatInstant(user.updated_at),
      updatedBy: user.updated_by,
      ...(lastSession !== undefined && {
        lastLoginTime: formatInstant(lastSession),
        lastSessionCreatedTime: formatInstant(lastSession),
      }),
    },
  };
}
