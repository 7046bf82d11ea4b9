import { Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import type { WriteRequest } from '../../families/record-family.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import type { OrganizationHost } from '../../identity/organization-host.ts';
import type { Member } from '../../team/member.ts';
import type { Team } from '../../team/team.ts';
import { TeamMemberRecord, teamMemberRecord, teamMemberRecords } from '../../team/team-member-record.ts';
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
    description: 'Users of an account or of the organization, with their roles.',
    record: TeamMemberRecord,
  },
  singular: 'a team member',
  plural: 'team members',
  title: 'Team Member',
  id: 'userGuid',
  org: true,
  creation: MemberCreation,
  change: MemberChange,
  writeResponse: Type.Union([TeamMemberRecord, OrganizationMember], {
    description: 'The team member; with Org-Access, the user with all accounts.',
  }),
  descriptions: {
    list: 'In an account, callers with an organization role also see the other users with an organization role.',
    search: 'With Org-Access, a user has one record for each account.',
    create:
      'With Org-Access, the roles are `orgAdmin`, `orgUser`, `adminRoleAccounts` and `userRoleAccounts`, otherwise ' +
      '`props.accountAdmin`.',
    change:
      'Members that are omitted or null keep their values, also within `props`. Only an administrator of the organization ' +
      'can change a user who has an organization role or belongs to further accounts.',
    remove:
      'A user who has an organization role or belongs to further accounts is only removed from the account, unless ' +
      'Org-Access is true.',
  },
  mayRefuseRemoval: true,
} as const;

export interface TeamMemberDeps {
  readonly team: Team;
  readonly scanner: Scanner;
  readonly hostOf: OrganizationHost;
}

export const teamMemberRoutes = ({ team, scanner, hostOf }: TeamMemberDeps) => {
  const recordOf = ({ scope, caller }: WriteRequest, member: Member) =>
    scope.isOrganization
      ? {
          userGuid: member.user.id,
          userName: member.user.email,
          ...memberProfileOf(member, hostOf(caller.organization)),
        }
      : teamMemberRecord(member, { scope, caller });
  return recordRoutes(teamMembers, {
    create: async (request, body) =>
      recordOf(
        request,
        await team.create(request, {
          userName: body.userName,
          member: 'userName',
          type: 'StandardUser',
          profile: readProfile(body),
          roles: readRoles(body),
        }),
      ),
    list: async (request) => (await team.list(request)).map((member) => teamMemberRecord(member, request)),
    searchable: {
      scanner,
      records: async (request) =>
        (await team.list(request)).flatMap((member) => teamMemberRecords(member, request)),
    },
    get: async (request, guid) => teamMemberRecord(await team.get(request, guid), request),
    change: async (request, guid, body) =>
      recordOf(
        request,
        await team.change(request, guid, ({ user }) => {
          refuseRenaming(user, body);
          return { profile: readProfile(body), roles: readRoles(body) };
        }),
      ),
    remove: (request, guid) => team.remove(request, guid),
  });
};
