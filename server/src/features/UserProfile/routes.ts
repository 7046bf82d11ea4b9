import { Type } from 'typebox';
import { CachedJson } from '../../http/cached-json.ts';
import { defineRoute } from '../../http/route.ts';
import type { Caller } from '../../identity/caller.ts';
import type { OrganizationHost } from '../../identity/organization-host.ts';
import { userProfile, userProfileOf } from '../../team/user-profile.ts';

const record = Type.Object({
  username: Type.String({ maxLength: 255, description: 'E-mail address of the user.' }),
  ...userProfile,
});

const family = { name: 'UserProfile', description: 'The user of the access token.', record };

const getUserProfile = defineRoute({
  method: 'GET',
  path: '/api/v2/UserProfile',
  family,
  summary: 'Get the user of the access token and their accounts',
  access: 'any',
  replies: { 200: Type.Object({ data: Type.Array(record, { description: 'One element.' }) }) },
});

const profile = new CachedJson((caller: Caller, host) => ({
  data: [{ username: caller.email, ...userProfileOf(caller, { host }) }],
}));

export const userProfileRoutes = ({ hostOf }: { hostOf: OrganizationHost }) => [
  getUserProfile.handle(async ({ caller }) => ({
    status: 200,
    body: profile.of(caller, hostOf(caller.organization)),
  })),
];
