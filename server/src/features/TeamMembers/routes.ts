import { Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import type { WriteRequest } from '../../families/record-family.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import type { Member } from '../../team/member.ts';
import type { Team } from '../../team/team.ts';
import { TeamMemberRecord, teamMemberRecord } from '../../team/team-member-record.ts';
import { memberProfileOf, userProfile } from '../../team/user-profile.ts';
import { MemberChange, MemberCreation, readProfile, readRoles, refuseRenaming } from './body.ts';

const OrganizationMember = Type.Object(
  {
    userGuid: Type.String({ maxLength: 200, description: 'Identifier of the user.' }),
    userName: Type.String({ maxLength: 320, description: 'User name: an e-mail address.' }),
    ...userProfile,
  },
  { description: 'A user of the organization.' },
);

const teamMembers = {
  family: {
    name: 'TeamMembers',
    description: 'The people who belong to an account, or to the organization, with their roles.',
    record: TeamMemberRecord,
  },
  singular: 'a team member',
  plural: 'team members',
  title: 'Team Member',
  id: 'userGuid',
  org: true,
  creation: MemberCreation,
  change: MemberChange,
  written: Type.Union([TeamMemberRecord, OrganizationMember], {
    description: 'The team member; with Org-Access the user with all accounts.',
  }),
  descriptions: {
    create:
      'With Org-Access the roles are `orgAdmin`, `orgUser`, `adminRoleAccounts` and `userRoleAccounts`, else ' +
      '`props.accountAdmin`.',
    change:
      'Members that are left out or null stay, those of `props` too. Who has a role in the organization or belongs to ' +
      'further accounts can be changed by an administrator of the organization only.',
    remove:
      'Who has a role in the organization or belongs to further accounts is only taken out of the account, unless ' +
      'Org-Access is true.',
  },
  mayRefuseRemoval: true,
} as const;

export const teamMemberRoutes = ({ team, scanner }: { team: Team; scanner: Scanner }) => {
  const shown = ({ scope, origin }: WriteRequest, member: Member) =>
    scope.isOrganization
      ? { userGuid: member.user.id, userName: member.user.email, ...memberProfileOf(member, origin.host) }
      : teamMemberRecord(member, scope);
  return recordRoutes(teamMembers, {
    create: async (request, body) =>
      shown(
        request,
        await team.create(request, {
          userName: body.userName,
          member: 'userName',
          type: 'StandardUser',
          profile: readProfile(body),
          roles: readRoles(body),
        }),
      ),
    list: async ({ scope }) => (await team.list(scope)).map((member) => teamMemberRecord(member, scope)),
    searched: {
      scanner,
      records: async ({ scope }) => (await team.list(scope)).map((member) => teamMemberRecord(member, scope)),
    },
    get: async ({ scope }, guid) => teamMemberRecord(await team.get(scope, guid), scope),
    change: async (request, guid, body) =>
      shown(
        request,
        await team.change(request, guid, ({ user }) => {
          refuseRenaming(user, body);
          return { profile: readProfile(body), roles: readRoles(body) };
        }),
      ),
    remove: (request, guid) => team.remove(request, guid),
  });
};
