import { Type } from 'typebox';
import { defineRoute } from '../../http/route.ts';
import type { KnownCloudAccount } from '../../telemetry/resource-search.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { family } from './family.ts';

const text = (description: string) => Type.String({ maxLength: 10_000, description });
const query = (name: string, what: string) =>
  Type.Object({
    [name]: Type.Optional(Type.String({ maxLength: 500, description: `Only those of this ${what}.` })),
  });

const listSubscriptions = defineRoute({
  method: 'GET',
  path: '/api/v2/Configs/AzureSubscriptions',
  family,
  summary: 'List the Azure subscriptions of which resources are stored',
  access: 'read',
  query: query('tenantId', 'tenant'),
  replies: {
    200: Type.Object({
      data: Type.Array(
        Type.Object({
          tenant: text('Tenant: id, or id (name).'),
          subscriptions: Type.Array(text('Subscription: id, or id (name). Ids are in upper case.'), {
            description: 'Subscriptions of the tenant.',
          }),
        }),
        { description: 'One element for each tenant.' },
      ),
    }),
  },
});

const listProjects = defineRoute({
  method: 'GET',
  path: '/api/v2/Configs/GcpProjects',
  family,
  summary: 'List the Google Cloud projects of which resources are stored',
  access: 'read',
  query: query('orgId', 'organization'),
  replies: {
    200: Type.Object({
      data: Type.Array(
        Type.Object({
          organization: text('Organization: id, or id (name).'),
          projects: Type.Array(text('Project: id, or id (name).'), {
            description: 'Projects of the organization.',
          }),
        }),
        { description: 'One element for each organization.' },
      ),
    }),
  },
});

export const configRoutes = ({ telemetry }: { telemetry: Telemetry }) => [
  listSubscriptions.handle(async ({ scope, query }) => {
    const known = await telemetry.resources.cloudAccounts(scope.ownerId, 'azure');
    const upper = known.map((one) => ({ ...one, id: one.id.toUpperCase() }));
    const data = grouped(upper, query.tenantId).map(([tenant, subscriptions]) => ({ tenant, subscriptions }));
    return { status: 200, body: { data } };
  }),
  listProjects.handle(async ({ scope, query }) => {
    const known = await telemetry.resources.cloudAccounts(scope.ownerId, 'gcp');
    const data = grouped(known, query.orgId).map(([organization, projects]) => ({ organization, projects }));
    return { status: 200, body: { data } };
  }),
];

/** By parent, narrowed to one if it is given. Clients cut ids at the first space. */
function grouped(known: readonly KnownCloudAccount[], only: string | undefined): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const { parent, id, name } of known) {
    if (only && only.toLowerCase() !== parent.toLowerCase()) continue;
    const shown = name && name !== id ? `${id} (${name})` : id;
    groups.set(parent, [...(groups.get(parent) ?? []), shown]);
  }
  return [...groups];
}
