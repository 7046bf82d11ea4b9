import { Type } from 'typebox';
import { CachedJson } from '../../http/cached-json.ts';
import { defineRoute } from '../../http/route.ts';
import type { Caller } from '../../identity/caller.ts';
import type { OrganizationHost } from '../../identity/organization-host.ts';

const record = Type.Object({
  orgAccount: Type.Boolean({ description: 'Whether the account belongs to an organization.' }),
  orgAccountUrl: Type.String({ maxLength: 300, description: 'Host name of the organization account.' }),
});

const family = { name: 'OrganizationInfo', description: 'The organization of the account.', record };

const getOrganizationInfo = defineRoute({
  method: 'GET',
  path: '/api/v2/OrganizationInfo',
  family,
  summary: 'Get the organization of the account',
  access: 'any',
  org: true,
  replies: { 200: Type.Object({ data: Type.Array(record, { description: 'One element.' }) }) },
});

// Every account belongs to the organization that was created on the first start.
const information = new CachedJson((_: Caller, host) => ({
  data: [{ orgAccount: true, orgAccountUrl: host }],
}));

export const organizationInfoRoutes = ({ hostOf }: { hostOf: OrganizationHost }) => [
  getOrganizationInfo.handle(async ({ caller }) => ({
    status: 200,
    body: information.of(caller, hostOf(caller.organization)),
  })),
];
