import { Type } from 'typebox';
import type { Family } from '../http/family.ts';
import { empty } from '../http/reply.ts';
import { defineRoute, type Route } from '../http/route.ts';
import type { Scope } from '../identity/scope.ts';
import type { IntegrationCatalogue } from '../integrations/catalogue.ts';
import type { IntegrationFamily } from '../integrations/declaration.ts';
import type { IntegrationBody, Integrations } from '../integrations/integrations.ts';
import { IntegrationRecord } from '../integrations/record.ts';
import { SearchBody } from '../search/request.ts';
import { IntegrationChange, IntegrationCreation } from './integration-family.ts';
import { fieldsOf, searchRecords } from './record-search.ts';

export interface IntegrationRouteParts {
  readonly name: IntegrationFamily;
  /** One of them, for example `an alert channel`. */
  readonly singular: string;
  readonly plural: string;
  /** What the audit log calls it, for example `Alert Channel`. */
  readonly title: string;
  readonly family: Family;
  readonly integrations: Integrations;
  readonly catalogue: IntegrationCatalogue;
}

const one = Type.Object({ data: IntegrationRecord });
const many = Type.Object({ data: Type.Array(IntegrationRecord, { description: 'The integrations.' }) });
const fields = fieldsOf(IntegrationRecord);
const guid = Type.String({ minLength: 1, maxLength: 200, description: 'Identifier (intgGuid).' });
const guidOrType = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Identifier (intgGuid), or a type: then all of that type.',
});
const described = (family: Family) =>
  Type.Union(Object.values(family.subtypes ?? {}), { description: 'By type.' });

/** The operations that all three families of integrations share. */
export function integrationRoutes({
  name,
  singular,
  plural,
  title,
  family,
  integrations,
  catalogue,
}: IntegrationRouteParts): Route[] {
  const shared = { family, org: true } as const;
  const setOf = ({ scope, origin }: { scope: Scope; origin: { url: string } }) => ({
    scope,
    family: name,
    url: origin.url,
  });
  const create = defineRoute({
    ...shared,
    method: 'POST',
    path: `/api/v2/${name}`,
    summary: `Create ${singular}`,
    access: 'write',
    audit: `${title} Created`,
    body: IntegrationCreation,
    describedBody: described(family),
    replies: { 201: one },
    refuses: ['CONFLICT'],
  });
  const list = defineRoute({
    ...shared,
    method: 'GET',
    path: `/api/v2/${name}`,
    summary: `List the ${plural}`,
    access: 'read',
    replies: { 200: many },
  });
  const search = defineRoute({
    ...shared,
    method: 'POST',
    path: `/api/v2/${name}/search`,
    summary: `Search the ${plural}`,
    access: 'read',
    body: SearchBody,
    replies: { 200: many },
    refuses: ['INVALID_FIELD', 'INVALID_FILTER'],
  });
  const get = defineRoute({
    ...shared,
    method: 'GET',
    path: `/api/v2/${name}/{intgGuid}`,
    summary: `Show ${singular}, or all of a type`,
    access: 'read',
    params: Type.Object({ intgGuid: guidOrType }),
    replies: {
      200: Type.Object({
        data: Type.Union([IntegrationRecord, Type.Array(IntegrationRecord)], {
          description: 'One, or all of a type.',
        }),
      }),
    },
    refuses: ['NOT_FOUND'],
  });
  const change = defineRoute({
    ...shared,
    method: 'PATCH',
    path: `/api/v2/${name}/{intgGuid}`,
    summary: `Change members of ${singular}`,
    description:
      'Members that are left out stay. `data` is replaced whole, but an empty or masked secret keeps its value.',
    access: 'write',
    audit: `${title} Updated`,
    params: Type.Object({ intgGuid: guid }),
    body: IntegrationChange,
    replies: { 200: one },
    refuses: ['NOT_FOUND', 'CONFLICT'],
  });
  const remove = defineRoute({
    ...shared,
    method: 'DELETE',
    path: `/api/v2/${name}/{intgGuid}`,
    summary: `Delete ${singular}`,
    access: 'write',
    audit: `${title} Deleted`,
    params: Type.Object({ intgGuid: guid }),
    replies: { 204: empty('It is gone.') },
    refuses: ['NOT_FOUND', 'CONFLICT'],
  });
  return [
    create.handle(async (request) => {
      const body = request.body as IntegrationBody;
      return { status: 201, body: { data: await integrations.create(request.actor, setOf(request), body) } };
    }),
    list.handle(async (request) => ({
      status: 200,
      body: { data: await integrations.list(setOf(request)) },
    })),
    search.handle(async (request) => {
      const records = await integrations.list(setOf(request));
      return {
        status: 200,
        body: { data: searchRecords(records, request.body, fields) as IntegrationRecord[] },
      };
    }),
    get.handle(async (request) => {
      const { intgGuid } = request.params;
      const ofType = catalogue.isType(name, intgGuid);
      const set = setOf(request);
      return {
        status: 200,
        body: {
          data: ofType ? await integrations.list(set, intgGuid) : await integrations.get(set, intgGuid),
        },
      };
    }),
    change.handle(async (request) => {
      const body = request.body as Partial<IntegrationBody>;
      return {
        status: 200,
        body: {
          data: await integrations.change(request.actor, setOf(request), request.params.intgGuid, body),
        },
      };
    }),
    remove.handle(async (request) => {
      await integrations.delete(request.actor, setOf(request), request.params.intgGuid);
      return { status: 204 };
    }),
  ];
}
