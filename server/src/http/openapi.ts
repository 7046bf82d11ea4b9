import { setImmediate } from 'node:timers/promises';
import type { TObject, TSchema } from 'typebox';
import { type ErrorCode, errorTable, mostProblems } from '../platform/errors.ts';
import { instantFormats } from '../platform/instant.ts';
import { withNamedVariants } from './discriminated-union.ts';
import type { Family } from './family.ts';
import { allowsEmptyBody, bodySchema } from './operation.ts';
import { isContent, isEmpty } from './reply.ts';
import type { Declaration } from './route.ts';
import { responseSchema } from './warnings.ts';

type Json = Record<string, unknown>;

/** How the interface works, in Markdown. */
export const introduction = `Cloud-security posture service, interface version 2.

**Sign in.** Exchange an API key for a token at \`POST /api/v2/access/tokens\`, then send \`Authorization: Bearer <token>\`.

**Choose an account.** Requests use the account of the key; \`Account-Name\` names another one. Operations that take
\`Org-Access: true\` then use the organization's own set.

**Answers.** A success has \`data\` unless the operation says otherwise. Searches and queries also have \`warnings\` when
they ignored a member or a value matches nothing. A failure has \`message\`, \`code\` and \`requestId\`; wrong input also
has \`problems\`, one for each field. New members may appear at any time: ignore those you do not know.

**Times** are UTC: ${instantFormats}. A range is at most 7 days; without one it is the last 24 hours.

**Limits.** Each user has a number of requests per hour for each functionality; three RateLimit headers tell what is
left.`;

type HeaderSchema = Json & { readonly description: string };

const accountHeaders: [string, HeaderSchema][] = [
  [
    'Account-Name',
    { type: 'string', maxLength: 40, description: 'Account to use instead of the one the key belongs to.' },
  ],
];
const orgHeaders: [string, HeaderSchema][] = [
  [
    'Org-Access',
    { type: 'boolean', description: 'true: use the organization’s own set; Account-Name is then ignored.' },
  ],
];

/**
 * The whole interface as an OpenAPI 3.1 document, from nothing but the route declarations. It is long, so it is written one
 * operation at a time, and other requests get their turn in between.
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
    ['schemas', objectText(await textsOf(schemas))],
    ['headers', JSON.stringify(rateHeaders)],
  ]);
  const info = {
    title: 'Vedette',
    version,
    description: introduction,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
  const tags = familiesOf(declarations).map(({ name, description }) => ({ name, description }));
  return objectText([
    ...(await textsOf({ openapi: '3.1.0', info, servers: [{ url: '/' }], tags })),
    ['paths', objectText([...paths].map(([path, operations]) => [path, objectText(operations)]))],
    ['components', objectText(components)],
  ]);
}

async function textsOf(members: Json): Promise<[string, string][]> {
  const texts: [string, string][] = [];
  for (const [name, value] of Object.entries(members)) {
    texts.push([name, JSON.stringify(value)]);
    await setImmediate();
  }
  return texts;
}

/** A JSON object of members that are written already. */
function objectText(members: Iterable<readonly [name: string, text: string]>): string {
  return `{${Array.from(members, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

export function familiesOf(declarations: readonly Declaration[]): Family[] {
  return [...new Map(declarations.map(({ family }) => [family.name, family])).values()];
}

/** Refusals of its own and those that follow from what the operation takes. */
export function refusalsOf(declaration: Declaration): ErrorCode[] {
  const { access, org, rate, params, query, headers, body, refuses = [] } = declaration;
  const schema = bodySchema(declaration);
  const shared: readonly [boolean, ...ErrorCode[]][] = [
    [access !== 'public', 'UNAUTHENTICATED'],
    [access === 'read' || access === 'write', 'FORBIDDEN', 'INVALID_ACCOUNT'],
    [Boolean(params || query || headers || schema || org), 'INVALID_INPUT'],
    [Boolean(schema) || body === 'records', 'INVALID_INPUT', 'MALFORMED_BODY', 'UNSUPPORTED_CONTENT'],
    [body !== undefined, 'BODY_TOO_LARGE'],
    [rate !== 'exempt', 'RATE_LIMITED'],
    // What any request can meet before its operation is known.
    [true, 'MALFORMED_REQUEST', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE'],
  ];
  return [...new Set([...refuses, ...shared.flatMap(([holds, ...codes]) => (holds ? codes : []))])];
}

/** Names an operation in the document and in the address of its page. */
export function operationIdOf({ method, path }: Declaration): string {
  return `${method.toLowerCase()}${path
    .replace(/^\/api\/v2/, '')
    .replaceAll(/[/{}.]+(\w)/g, (_, letter) => letter.toUpperCase())
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

/** Those of its own, and the headers that choose whose data it is about. */
export function parametersOf({ access, org, params, query, headers }: Declaration): Parameter[] {
  return [
    ...parameters('path', params),
    ...parameters('query', query),
    ...parameters('header', headers),
    ...(access === 'public' || access === 'agent' ? [] : accountHeaders).map(headerParameter),
    ...(org ? orgHeaders : []).map(headerParameter),
  ];
}

function parameters(place: Parameter['in'], schema: TObject | undefined): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: (schema?.required as string[] | undefined)?.includes(name) ?? false,
    description: (property as { description?: string }).description,
    schema: property as object,
  }));
}

function headerParameter([name, schema]: [string, HeaderSchema]): Parameter {
  return { name, in: 'header', required: false, description: schema.description, schema };
}

const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'From POST /api/v2/access/tokens.' },
  agentToken: { type: 'http', scheme: 'bearer', description: 'From POST /api/v2/AgentAccessTokens.' },
};

const rateHeaderNames = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
const rateHeaders = {
  'RateLimit-Limit': { description: 'Requests allowed per hour.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left.', schema: { type: 'integer' } },
  'RateLimit-Reset': {
    description: 'Seconds until a request can be made again; 0 while not limited.',
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
    message: { type: 'string', maxLength: 10_000, description: 'What is wrong and what to do.' },
    code: {
      type: 'string',
      enum: Object.keys(errorTable),
      description: 'The kind of refusal, for programs.',
    },
    requestId: { type: 'string', maxLength: 40, description: 'Names the request in the log of the service.' },
    problems: {
      type: 'array',
      maxItems: mostProblems,
      description: 'Everything that is wrong with the input; `message` is that of the first.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: {
          field: {
            type: 'string',
            maxLength: 1_000,
            description: 'Where it stands, as in `filters[0].field`; empty for the whole body.',
          },
          message: { type: 'string', maxLength: 10_000, description: 'What is wrong and what to do.' },
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
      return [status, { description, headers: rateHeaderRefs, content: { [type]: { schema } } }];
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
