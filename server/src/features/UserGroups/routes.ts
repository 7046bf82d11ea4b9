import { Type } from 'typebox';
import { defineRoute } from '../../http/route.ts';
import type { UserGroups } from '../../team/user-groups.ts';

const guid = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
const userGuids = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 1_000,
  description: 'Identifiers of members of the account (userGuid).',
});
const record = Type.Object(
  {
    userGroupGuid: guid('Identifier of the group.'),
    userGuids: Type.Array(Type.String({ maxLength: 200 }), { description: 'Current members of the group.' }),
  },
  { description: 'A user group.' },
);

const shared = {
  family: {
    name: 'UserGroups',
    description: 'Predefined groups that grant permissions to members of the account.',
    record,
  },
  access: 'write',
  method: 'POST',
  // The groups are the same for every account; their members are users of the caller's account.
  isCatalogue: true,
  params: Type.Object({ userGroupGuid: guid('Identifier of the group (userGroupGuid).') }),
  body: Type.Object({ userGuids }),
  replies: { 200: Type.Object({ data: record }) },
} as const;

const addUsers = defineRoute({
  ...shared,
  path: '/api/v2/UserGroups/{userGroupGuid}/addUsers',
  summary: 'Add members of the account to a user group',
  description:
    'LACEWORK_USER_GROUP_ADMIN and LACEWORK_USER_GROUP_POWER_USER contain the administrators of the account, ' +
    'LACEWORK_USER_GROUP_READ_ONLY_USER contains all members.',
  audit: 'User Group Members Added',
  refuses: ['NOT_FOUND'],
});

const removeUsers = defineRoute({
  ...shared,
  path: '/api/v2/UserGroups/{userGroupGuid}/removeUsers',
  summary: 'Remove members of the account from a user group',
  description: 'The users remain members of the account.',
  audit: 'User Group Members Removed',
  refuses: ['NOT_FOUND', 'CONFLICT'],
});

export const userGroupRoutes = ({ groups }: { groups: UserGroups }) => [
  addUsers.handle(async ({ params, body, ...request }) => ({
    status: 200,
    body: { data: await groups.add(request, params.userGroupGuid, body.userGuids) },
  })),
  removeUsers.handle(async ({ params, body, ...request }) => ({
    status: 200,
    body: { data: await groups.remove(request, params.userGroupGuid, body.userGuids) },
  })),
];
