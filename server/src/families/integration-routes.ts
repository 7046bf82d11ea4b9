import { Type } from 'typebox';
import type { Scanner } from '../control/scan/scanner.ts';
import type { Family } from '../http/family.ts';
import { JsonBytes } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { IntegrationCatalogue } from '../integrations/catalogue.ts';
import type { IntegrationFamily } from '../integrations/declaration.ts';
import type { IntegrationBody, IntegrationChange, Integrations } from '../integrations/integrations.ts';
import { IntegrationRecord } from '../integrations/record.ts';
import { Refusal } from '../platform/errors.ts';
import { describedCreation, IntegrationCreation, IntegrationPatch } from './integration-family.ts';
import type { ReadRequest, RecordFamily } from './record-family.ts';
import { recordRoutes } from './record-routes.ts';

export interface IntegrationRouteDeps extends Pick<RecordFamily, 'singular' | 'plural' | 'title'> {
  readonly name: IntegrationFamily;
  readonly family: Family;
  readonly hasReplacement?: boolean;
  readonly integrations: Integrations;
  readonly scanner: Scanner;
  readonly catalogue: IntegrationCatalogue;
}

const lookup = {
  id: 'Identifier (intgGuid), or a type, which selects all integrations of that type.',
  response: Type.Object({
    data: Type.Union([IntegrationRecord, Type.Array(IntegrationRecord)], {
      description: 'The integration, or all integrations of the type.',
    }),
    intgGuid: Type.Optional(
      Type.String({ maxLength: 100, description: 'Identifier of the integration; omitted for a type.' }),
    ),
  }),
};

/** The operations that all three integration families share; PUT is optional. */
export function integrationRoutes(deps: IntegrationRouteDeps): Route[] {
  const { name, singular, family, integrations, catalogue, scanner } = deps;
  const setOf = ({ scope, origin }: ReadRequest) => ({ scope, family: name, url: origin.url });
  const definition = {
    singular,
    plural: deps.plural,
    title: deps.title,
    family: { ...family, record: IntegrationRecord },
    id: 'intgGuid',
    org: true,
    creation: Type.Unsafe<IntegrationBody>(IntegrationCreation),
    describedCreation: describedCreation(name, catalogue),
    change: Type.Unsafe<IntegrationChange>(IntegrationPatch),
    lookup,
    summaries: { get: `Get ${singular}, or all of a type` },
    descriptions: {
      change:
        'Omitted members keep their values. `data` is replaced as a whole, but an empty or masked secret keeps its value. If a member marked `x-destination` changes, the secrets must be sent again.',
      replace:
        'An empty or masked secret keeps its value. If a member marked `x-destination` changes, the secrets must be sent again. The type cannot change.',
    },
    mayRefuseRemoval: true,
  } as const;
  return recordRoutes(definition, {
    create: (request, body) => integrations.create(request.actor, setOf(request), body),
    list: async (request) => JsonBytes.array(await integrations.listJson(setOf(request))),
    searchable: { scanner, records: (request) => integrations.listJson(setOf(request)) },
    get: async (request, id) => {
      const set = setOf(request);
      if (catalogue.isType(name, id)) return JsonBytes.array(await integrations.listJson(set, id));
      const data = await integrations.get(set, id);
      return JsonBytes.of({ data, intgGuid: data.intgGuid });
    },
    change: (request, id, body) => integrations.change(request.actor, setOf(request), id, body),
    ...(deps.hasReplacement && {
      replace: async (request, id, body) => {
        const { type } = await integrations.get(setOf(request), id);
        if (type !== body.type) {
          throw new Refusal(
            'INVALID_INPUT',
            `type can not change from ${type}: create another integration instead.`,
          );
        }
        return integrations.change(request.actor, setOf(request), id, body);
      },
    }),
    remove: (request, id) => integrations.delete(request.actor, setOf(request), id),
  });
}
