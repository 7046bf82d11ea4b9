import { type Static, Type } from 'typebox';
import type { Scope } from '../identity/scope.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Member } from './member.ts';

const text = (description: string, maxLength = 200) => Type.String({ maxLength, description });
const flag = (description: string) => Type.Boolean({ description });

export const TeamMemberRecord = Type.Object(
  {
    userGuid: text('Identifier of the user, as paths use it.'),
    custGuid: text('Identifier of the account, or of the organization.'),
    userName: text('User name: an e-mail address.', 320),
    userEnabled: Type.Integer({ minimum: 0, maximum: 1, description: '1: enabled, 0: without access.' }),
    props: Type.Object(
      {
        firstName: text('First name.', 400),
        lastName: text('Last name.', 400),
        company: text('Company.'),
        accountAdmin: flag(
          'Whether they administer the account, or, seen from the organization, one of its accounts.',
        ),
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

export function teamMemberRecord(member: Member, scope: Scope): TeamMemberRecord {
  const { user, organizationRole, memberships, lastSession } = member;
  return {
    userGuid: user.id,
    custGuid: scope.ownerId,
    userName: user.email,
    userEnabled: user.enabled,
    props: {
      firstName: user.first_name,
      lastName: user.last_name,
      company: user.company,
      accountAdmin: memberships.some(
        ({ role, accountId }) =>
          role === 'accountAdmin' && (scope.isOrganization || accountId === scope.ownerId),
      ),
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
