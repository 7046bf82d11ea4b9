import { Type } from 'typebox';
import { defineRoute } from '../../http/route.ts';

const account = Type.Object({
  accountName: Type.String({ maxLength: 40, description: 'Name of the account, in upper case.' }),
  custGuid: Type.String({ maxLength: 100, description: 'Identifier of the account.' }),
  userGuid: Type.String({ maxLength: 100, description: 'Identifier of the user.' }),
  admin: Type.Boolean({ description: 'Whether the user may change things in the account.' }),
  userEnabled: Type.Integer({ description: '1: the user can use the account.' }),
});

const record = Type.Object({
  username: Type.String({ maxLength: 255, description: 'E-mail address of the user.' }),
  orgAccount: Type.Boolean({ description: 'Whether the account belongs to an organization.' }),
  url: Type.String({ maxLength: 300, description: 'Host of the organization account.' }),
  orgAdmin: Type.Boolean({ description: 'Whether the user administers the organization.' }),
  orgUser: Type.Boolean({ description: 'Whether the user may read in the whole organization.' }),
  accounts: Type.Array(account, { description: 'Accounts that the user has a part in.' }),
});

const family = { name: 'UserProfile', description: 'The user behind the access token.', record };

const getUserProfile = defineRoute({
  method: 'GET',
  path: '/api/v2/UserProfile',
  family,
  summary: 'Show the user of the access token and the accounts within reach',
  access: 'any',
  replies: { 200: Type.Object({ data: Type.Array(record, { description: 'One element.' }) }) },
});

export const userProfileRoutes = () => [
  getUserProfile.handle(async ({ caller, origin }) => {
    const accounts = caller.accounts.map(({ id, name, admin }) => ({
      accountName: name.toUpperCase(),
      custGuid: id,
      userGuid: caller.userId,
      admin,
      userEnabled: 1,
    }));
    const profile = {
      username: caller.email,
      orgAccount: true,
      url: origin.host,
      orgAdmin: caller.organizationRole === 'orgAdmin',
      orgUser: caller.organizationRole === 'orgUser',
      accounts,
    };
    return { status: 200, body: { data: [profile] } };
  }),
];
