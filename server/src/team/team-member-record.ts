import { type Static, Type } from 'typebox';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Member, Membership } from './member.ts';
import type { TeamView } from './team.ts';

const text = (description: string, maxLength = 200) => Type.String({ maxLength, description });
const flag = (description: string) => Type.Boolean({ description });

export const TeamMemberRecord = Type.Object(
  {
    userGuid: text('Identifier of the user, as paths use it.'),
    custGuid: text(
      'Identifier of the account; seen from the organization, of one in which they have most rights.',
    ),
    userName: text('User name: an e-mail address.', 320),
    userEnabled: coded(disabledOrEnabled, 'Whether they have access:'),
    props: Type.Object(
      {
        firstName: text('First name.', 400),
        lastName: text('Last name.', 400),
        company: text('Company.'),
        accountAdmin: flag('Whether they are an administrator of that account.'),
        orgAdmin: flag('Whether they administer the organization.'),
        orgUser: flag('Whether they may read in the whole organization.'),
        jitCreated: flag('Whether they were made by signing in; nobody is.'),
        createdTime: text('When they were added.', 30),
        updatedTime: text('When they were last changed.', 30),
        updatedBy: text('Who changed them last.', 320),
        lastLoginTime: Type.Optional(text('When a token was last obtained for them.', 30)),
        lastSessionCreatedTime: Type.Optional(text('The same.', 30)),
      },
      { description: 'Further properties.' },
    ),
  },
  { description: 'A team member.' },
);
export type TeamMemberRecord = Static<typeof TeamMemberRecord>;

export function teamMemberRecord(member: Member, view: TeamView): TeamMemberRecord {
  return recordIn(placeOf(member, view), member);
}

/** With the eyes of the organization one for each account, as one client reads from them who is what in which. */
export function teamMemberRecords(member: Member, view: TeamView): TeamMemberRecord[] {
  const { memberships } = member;
  if (!view.scope.isOrganization || memberships.length === 0) return [teamMemberRecord(member, view)];
  return memberships.map((membership) => recordIn(membership, member));
}

type Place = Pick<Membership, 'accountId'> & Partial<Membership>;

/** Clients know accounts only: a role in the organization is shown in the account that bears its name. */
function placeOf({ memberships, accounts }: Member, { scope, caller }: TeamView): Place {
  if (!scope.isOrganization)
    return memberships.find(({ accountId }) => accountId === scope.ownerId) ?? { accountId: scope.ownerId };
  const main = accounts.find(({ name }) => name === caller.organization.name) ?? accounts[0];
  return (
    memberships.find(({ role }) => role === 'accountAdmin') ??
    memberships[0] ?? { accountId: main?.id ?? scope.ownerId }
  );
}

function recordIn({ accountId, role }: Place, member: Member): TeamMemberRecord {
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
