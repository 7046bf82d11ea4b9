import { setImmediate } from 'node:timers/promises';
import type { TObject, TSchema } from 'typebox';
import { type ErrorCode, errorTable, maxProblems } from '../platform/errors.ts';
import { instantFormats } from '../platform/instant.ts';
import { withNamedVariants } from './discriminated-union.ts';
import type { Family } from './family.ts';
import { allowsEmptyBody, bodySchema } from './operation.ts';
import { isContent, isEmpty } from './reply.ts';
import type { Declaration } from './route.ts';
import { responseSchema } from './warnings.ts';

type Json = Record<string, unknown>;

/** General description of the API, in Markdown. */
export const introduction = `Cloud-security posture service, API version 2.

**Authentication.** Exchange an API key for an access token with \`POST /api/v2/access/tokens\`, then send
\`Authorization: Bearer <token>\` with every request.

**Accounts.** Requests use the account of the API key; the header \`Account-Name\` selects another one. Operations that
support \`Org-Access: true\` then use the organization's own resources.

**Responses.** A successful response has \`data\`, unless the operation says otherwise. Searches and queries also return
\`warnings\` if they ignored an unknown member or a value matches nothing. An error has \`message\`, \`code\` and
\`requestId\`; invalid input also has \`problems\`, one for each field. New members may be added at any time: ignore
members that you do not know.

**Timestamps** are UTC: ${instantFormats}. A time range is at most 7 days long; the default is the last 24 hours.

**Rate limits.** Each user has a number of requests per hour for each functionality; three RateLimit headers show the
current state.`;

type HeaderSchema = Json & { readonly description: string };

const accountHeaders: [string, HeaderSchema][] = [
  [
    'Account-Name',
    { type: 'string', maxLength: 40, description: 'Account to use instead of the account of the API key.' },
  ],
];
const orgHeaders: [string, HeaderSchema][] = [
  [
    'Org-Access',
    {
      type: 'boolean',
      description: 'true: use the organization’s own resources; Account-Name is then ignored.',
    },
  ],
];

/**
 * The OpenAPI 3.1 document, generated from the route declarations. It is serialized one operation at a time, so that other
 * requests are served in between.
 */
export async function describeInterface(
  declarations: readonly Declaration[],
  version: string,
): Promise<string> {
  const paths = new Map<string, Map<string, string>>();
  const schemas: Json = { Error: errorSchema };
  for (const declaration of declarations) {
    const { path, method } = declaration;
    const operations = paths.get(path) ?? new Map<string, string>();
    const operation = JSON.stringify(describeOperation(declaration, schemas));
    paths.set(path, operations.set(method.toLowerCase(), operation));
    await setImmediate();
  }
  const components = new Map([
    ['securitySchemes', JSON.stringify(securitySchemes)],
    ['schemas', jsonObject(await serializeMembers(schemas))],
    ['headers', JSON.stringify(rateHeaders)],
  ]);
  const info = {
    title: 'Vedette',
    version,
    description: introduction,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
  const tags = familiesOf(declarations).map(({ name, description }) => ({ name, description }));
  return jsonObject([
    ...(await serializeMembers({ openapi: '3.1.0', info, servers: [{ url: '/' }], tags })),
    ['paths', jsonObject([...paths].map(([path, operations]) => [path, jsonObject(operations)]))],
    ['components', jsonObject(components)],
  ]);
}

async function serializeMembers(members: Json): Promise<[string, string][]> {
  const serialized: [string, string][] = [];
  for (const [name, value] of Object.entries(members)) {
    serialized.push([name, JSON.stringify(value)]);
    await setImmediate();
  }
  return serialized;
}

/** A JSON object from members whose values are already serialized. */
function jsonObject(members: Iterable<readonly [name: string, json: string]>): string {
  return `{${Array.from(members, ([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

export function familiesOf(declarations: readonly Declaration[]): Family[] {
  return [...new Map(declarations.map(({ family }) => [family.name, family])).values()];
}

/** The declared errors of the operation, and those that follow from its access and inputs. */
export function refusalsOf(declaration: Declaration): ErrorCode[] {
  const { access, org, rate, params, query, headers, body, refuses = [] } = declaration;
  const schema = bodySchema(declaration);
  const shared: readonly [boolean, ...ErrorCode[]][] = [
    [access !== 'public', 'UNAUTHENTICATED'],
    [access === 'read' || access === 'write', 'FORBIDDEN', 'INVALID_ACCOUNT'],
    [access === 'agent', 'FORBIDDEN'],
    [Boolean(params || query || headers || schema || org), 'INVALID_INPUT'],
    [Boolean(schema) || body === 'records', 'INVALID_INPUT', 'MALFORMED_BODY', 'UNSUPPORTED_CONTENT'],
    [body !== undefined, 'BODY_TOO_LARGE'],
    [rate !== 'exempt', 'RATE_LIMITED'],
    // Any request can fail with these before it is routed.
    [true, 'MALFORMED_REQUEST', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE'],
  ];
  return [...new Set([...refuses, ...shared.flatMap(([applies, ...codes]) => (applies ? codes : []))])];
}

/** The `operationId` in the document, also used in the URL of the operation's page. */
export function operationIdOf({ method, path }: Declaration): string {
  return `${method.toLowerCase()}${path
    .replace(/^\/api\/v2/, '')
    .replaceAll(/[/{}.]+(\w)/g, (_, character) => character.toUpperCase())
    .replaceAll(/\W/g, '')}`;
}

function describeOperation(declaration: Declaration, schemas: Json): Json {
  const { family, summary, description, access } = declaration;
  const body = bodySchema(declaration);
  return {
    operationId: operationIdOf(declaration),
    tags: [family.name],
    summary,
    ...(description && { description }),
    security: access === 'public' ? [] : access === 'agent' ? [{ agentToken: [] }] : [{ token: [] }],
    parameters: parametersOf(declaration),
    ...(body && {
      requestBody: {
        required: !allowsEmptyBody(body),
        content: {
          'application/json': {
            schema: withNamedVariants(declaration.describedBody ?? body, family.name, schemas),
          },
        },
      },
    }),
    ...(declaration.body === 'records' && {
      requestBody: {
        required: true,
        content: {
          'application/x-ndjson': { schema: declaration.describedBody },
          'application/json': { schema: { type: 'array', items: declaration.describedBody } },
        },
      },
    }),
    responses: { ...describeReplies(declaration), ...describeRefusals(declaration) },
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: object;
}

/** The declared parameters, and the headers that select the account or organization. */
export function parametersOf({ access, org, params, query, headers }: Declaration): Parameter[] {
  return [
    ...parameters('path', params),
    ...parameters('query', query),
    ...parameters('header', headers),
    ...(access === 'public' || access === 'agent' ? [] : accountHeaders).map(headerParameter),
    ...(org ? orgHeaders : []).map(headerParameter),
  ];
}

function parameters(location: Parameter['in'], schema: TObject | undefined): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: location,
    required: (schema?.required as string[] | undefined)?.includes(name) ?? false,
    description: (property as { description?: string }).description,
    schema: property as object,
  }));
}

function headerParameter([name, schema]: [string, HeaderSchema]): Parameter {
  return { name, in: 'header', required: false, description: schema.description, schema };
}

const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'Access token from POST /api/v2/access/tokens.' },
  agentToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Agent access token from POST /api/v2/AgentAccessTokens.',
  },
};

const rateHeaderNames = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
const rateHeaders = {
  'RateLimit-Limit': { description: 'Requests allowed per hour.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests remaining.', schema: { type: 'integer' } },
  'RateLimit-Reset': {
    description: 'Seconds until the next request is allowed; 0 while requests remain.',
    schema: { type: 'integer' },
  },
};
const rateHeaderRefs = Object.fromEntries(
  rateHeaderNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const errorSchema = {
  type: 'object',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string', maxLength: 10_000, description: 'The problem and how to fix it.' },
    code: {
      type: 'string',
      enum: Object.keys(errorTable),
      description: 'Machine-readable error code.',
    },
    requestId: {
      type: 'string',
      maxLength: 40,
      description: 'Identifies the request in the log of the service.',
    },
    problems: {
      type: 'array',
      maxItems: maxProblems,
      description: 'All problems of the input; `message` repeats the first.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: {
          field: {
            type: 'string',
            maxLength: 1_000,
            description: 'Path of the field, such as `filters[0].field`; empty for the whole body.',
          },
          message: { type: 'string', maxLength: 10_000, description: 'The problem and how to fix it.' },
        },
      },
    },
  },
};

function describeReplies(declaration: Declaration): Json {
  return Object.fromEntries(
    Object.entries(declaration.replies).map(([status, reply]) => {
      if (isEmpty(reply)) return [status, { description: reply.description, headers: rateHeaderRefs }];
      const [type, schema, description] = isContent(reply)
        ? [reply.type, { type: 'string' }, reply.description]
        : ['application/json', responseSchema(declaration, reply as TSchema), 'Success.'];
      const documents = (declaration.documents ?? []).map((media) => [media, { schema: { type: 'string' } }]);
      const content = { [type]: { schema }, ...Object.fromEntries(documents) };
      return [status, { description, headers: rateHeaderRefs, content }];
    }),
  );
}

function describeRefusals(declaration: Declaration): Json {
  const refusals = refusalsOf(declaration);
  const statuses = [...new Set(refusals.map((code) => errorTable[code].status))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: refusals
          .filter((code) => errorTable[code].status === status)
          .map((code) => `\`${code}\`: ${errorTable[code].meaning}`)
          .join('\n\n'),
        headers: rateHeaderRefs,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
