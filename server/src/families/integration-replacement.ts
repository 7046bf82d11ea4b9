import { Type } from 'typebox';
import { defineRoute, type Route } from '../http/route.ts';
import type { IntegrationBody } from '../integrations/integrations.ts';
import { IntegrationRecord } from '../integrations/record.ts';
import { Refusal } from '../platform/errors.ts';
import { IntegrationCreation } from './integration-family.ts';
import type { IntegrationRouteParts } from './integration-routes.ts';

/** PUT, which two of the three families have: the whole object, of the type that it has. */
export function replacementRoute({
  name,
  singular,
  title,
  family,
  integrations,
}: IntegrationRouteParts): Route {
  const replace = defineRoute({
    method: 'PUT',
    path: `/api/v2/${name}/{intgGuid}`,
    family,
    org: true,
    summary: `Replace ${singular}`,
    description: 'An empty or masked secret keeps its value. The type can not change.',
    access: 'write',
    audit: `${title} Updated`,
    params: Type.Object({
      intgGuid: Type.String({ minLength: 1, maxLength: 200, description: 'Identifier (intgGuid).' }),
    }),
    body: IntegrationCreation,
    describedBody: Type.Union(Object.values(family.subtypes ?? {}), { description: 'By type.' }),
    replies: { 200: Type.Object({ data: IntegrationRecord }) },
    refuses: ['NOT_FOUND', 'CONFLICT'],
  });
  return replace.handle(async ({ actor, scope, origin, params, body }) => {
    const set = { scope, family: name, url: origin.url };
    const present = await integrations.get(set, params.intgGuid);
    if (present.type !== body.type) {
      throw new Refusal(
        'INVALID_INPUT',
        `type must stay ${present.type}: create another integration instead.`,
      );
    }
    const data = await integrations.change(actor, set, params.intgGuid, body as IntegrationBody);
    return { status: 200, body: { data } };
  });
}
