import type { Scanner } from '../../control/scan/scanner.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Team } from '../../team/team.ts';
import { serviceUserName, TeamUserRecord, teamUserRecord } from '../../team/team-user-record.ts';
import { readProfile, refuseIdentityChange, UserChange, UserCreation } from './body.ts';

const teamUsers = {
  family: {
    name: 'TeamUsers',
    description: 'People and programs that belong to an account; user groups grant their permissions.',
    record: TeamUserRecord,
  },
  singular: 'a team user',
  plural: 'team users',
  title: 'Team User',
  id: 'userGuid',
  creation: UserCreation,
  change: UserChange,
  descriptions: {
    create:
      'A StandardUser is a person and requires `email`. A ServiceUser is a program without `email`; its `userName` is ' +
      'derived from its name.',
    change: 'Members that are omitted or null keep their values. `type` and `email` cannot change.',
    remove:
      'A user who has an organization role or belongs to further accounts is only removed from the account.',
  },
  mayRefuseRemoval: true,
} as const;

export const teamUserRoutes = ({ team, scanner }: { team: Team; scanner: Scanner }) =>
  recordRoutes(teamUsers, {
    create: async (request, body) => {
      const type = body.type ?? 'StandardUser';
      const isService = type === 'ServiceUser';
      if (isService && body.email) {
        throw new Refusal('INVALID_INPUT', 'email must be omitted: a ServiceUser has none.');
      }
      if (!isService && !body.email) {
        throw new Refusal(
          'INVALID_INPUT',
          'email is required: add it to the body, or set type to ServiceUser.',
        );
      }
      const userName = body.email || serviceUserName(body.name, request.caller.organization.name);
      const member = isService ? 'name' : 'email';
      const user = { userName, member, type, profile: readProfile(body), roles: {} };
      return teamUserRecord(await team.create(request, user));
    },
    list: async (request) => (await team.list(request)).map(teamUserRecord),
    searchable: { scanner, records: async (request) => (await team.list(request)).map(teamUserRecord) },
    get: async (request, guid) => teamUserRecord(await team.get(request, guid)),
    change: async (request, guid, body) =>
      teamUserRecord(
        await team.change(request, guid, ({ user }) => {
          refuseIdentityChange(user, body);
          return { profile: readProfile(body, user), roles: {} };
        }),
      ),
    remove: (request, guid) => team.remove(request, guid),
  });
