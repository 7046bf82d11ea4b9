import { Type } from 'typebox';
import { CachedJson } from '../../http/cached-json.ts';
import type { Family } from '../../http/family.ts';
import { defineRoute } from '../../http/route.ts';
import { Refusal } from '../../platform/errors.ts';
import { quoted } from '../../platform/quoted.ts';
import { describedFamilies, describeType } from './catalogue.ts';

const family = { name: 'schemas', description: 'JSON schemas of the record types.' };

const typeName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of a type from GET /api/v2/schemas.',
});
const subtypeName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of a subtype.',
});
const jsonSchema = Type.Unknown({
  description: 'A JSON schema, or for datasets an array of names and types.',
});

const listTypes = defineRoute({
  method: 'GET',
  path: '/api/v2/schemas',
  family,
  summary: 'List the types that have a schema',
  access: 'read',
  isCatalogue: true,
  // Without a `data` wrapper: clients expect none in this family.
  replies: { 200: Type.Array(typeName, { description: 'Names of the types.' }) },
});

const getType = defineRoute({
  method: 'GET',
  path: '/api/v2/schemas/{type}',
  family,
  summary: 'Get the schema of a type',
  access: 'read',
  isCatalogue: true,
  params: Type.Object({ type: typeName }),
  replies: { 200: jsonSchema },
  refuses: ['NOT_FOUND'],
});

const getSubtype = defineRoute({
  method: 'GET',
  path: '/api/v2/schemas/{type}/{subtype}',
  family,
  summary: 'Get the schema of a subtype',
  access: 'read',
  isCatalogue: true,
  params: Type.Object({ type: typeName, subtype: subtypeName }),
  replies: { 200: jsonSchema },
  refuses: ['NOT_FOUND'],
});

/** `families` is called for each request, because the route table is not yet complete when these routes are created. */
export const schemaRoutes = ({ families }: { families: () => readonly Family[] }) => {
  const find = (name: string): Family => {
    const family = describedFamilies(families()).find((candidate) => candidate.name === name);
    if (!family)
      throw new Refusal('NOT_FOUND', `Not found: type ${quoted(name)}. GET /api/v2/schemas lists the types.`);
    return family;
  };
  const schemas = new CachedJson<Family>(describeType);
  return [
    listTypes.handle(async () => ({
      status: 200,
      body: describedFamilies(families()).map(({ name }) => name),
    })),
    getType.handle(async ({ params }) => ({ status: 200, body: schemas.of(find(params.type), '') })),
    getSubtype.handle(async ({ params }) => {
      const { subtypes = {} } = find(params.type);
      if (!Object.hasOwn(subtypes, params.subtype)) {
        throw new Refusal('NOT_FOUND', `Not found: subtype ${quoted(params.subtype)} of ${params.type}.`);
      }
      return { status: 200, body: subtypes[params.subtype] };
    }),
  ];
};
