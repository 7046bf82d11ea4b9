import { Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import { integrationFamily } from '../../families/integration-family.ts';
import { integrationRoutes } from '../../families/integration-routes.ts';
import { JsonBytes } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import type { IntegrationCatalogue } from '../../integrations/catalogue.ts';
import type { Integrations } from '../../integrations/integrations.ts';
import { IntegrationRecord } from '../../integrations/record.ts';
import { notFound } from '../../platform/errors.ts';
import { omissible } from '../../platform/omissible.ts';

const name = 'ContainerRegistries';
const registryType = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Type of the integration: ContVulnCfg.',
});

export const containerRegistryRoutes = (deps: {
  integrations: Integrations;
  catalogue: IntegrationCatalogue;
  scanner: Scanner;
}) => {
  const { integrations, catalogue } = deps;
  const family = integrationFamily(name, 'Container registries whose images are scanned.', catalogue);
  const listSubtype = defineRoute({
    method: 'GET',
    path: `/api/v2/${name}/{type}/{subtype}`,
    family,
    org: true,
    summary: 'List the container registries of a subtype',
    access: 'read',
    // The subtypes are the same for every account; the registries in the response belong to the caller.
    isCatalogue: true,
    params: Type.Object({
      type: registryType,
      subtype: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Subtype, as in data.registryType.',
      }),
    }),
    replies: {
      200: Type.Object({ data: Type.Array(IntegrationRecord, { description: 'The registries.' }) }),
    },
    refuses: ['NOT_FOUND'],
  });
  const mapPolicies = defineRoute({
    method: 'POST',
    path: `/api/v2/${name}/{intgGuid}/mapPolicies`,
    family,
    org: true,
    summary: 'Select the policies that evaluate the images of a registry',
    access: 'write',
    audit: 'Container Registry Policies Mapped',
    params: Type.Object({
      intgGuid: Type.String({ minLength: 1, maxLength: 200, description: 'Identifier (intgGuid).' }),
    }),
    body: Type.Object({
      evaluate: Type.Boolean({ description: 'true: all policies evaluate the images.' }),
      policyGuids: omissible(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
          maxItems: 1_000,
          description: 'Policies to map.',
        }),
      ),
    }),
    replies: { 200: Type.Object({ data: IntegrationRecord }) },
    refuses: ['NOT_FOUND'],
  });
  const registries = {
    ...deps,
    name,
    singular: 'a container registry',
    plural: 'container registries',
  } as const;
  return [
    ...integrationRoutes({ ...registries, title: 'Container Registry', family }),
    listSubtype.handle(async ({ scope, origin, params: { type, subtype } }) => {
      if (!catalogue.isType(name, type)) throw notFound('type of container registry', type);
      const set = { scope, family: name, url: origin.url } as const;
      return { status: 200, body: JsonBytes.array(await integrations.listJson(set, type, subtype)) };
    }),
    mapPolicies.handle(async ({ actor, scope, origin, params, body }) => {
      const set = { scope, family: name, url: origin.url } as const;
      const { evaluate, policyGuids } = body;
      const props = { policyEvaluation: { evaluate, ...(policyGuids && { policyGuids }) } };
      return {
        status: 200,
        body: { data: await integrations.addProps(actor, set, params.intgGuid, props) },
      };
    }),
  ];
};
