import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorTable } from '../platform/errors.ts';
import { TestService } from '../testing/service.ts';
import { describeInterface, refusalsOf } from './openapi.ts';
import { Operation } from './operation.ts';
import { isContent, isEmpty } from './reply.ts';
import type { Declaration } from './route.ts';
import { RouteCounters } from './route-counters.ts';

let service: TestService;
let declarations: Declaration[];
beforeAll(async () => {
  service = await TestService.start();
  declarations = service.routes.map(({ declaration }) => declaration);
});
afterAll(() => service.stop());

const nameOf = ({ method, path }: Declaration) => `${method} ${path}`;

describe('every route declaration', () => {
  test('has a summary, a family with a description, and replies', () => {
    for (const declaration of declarations) {
      const { summary, family, replies } = declaration;
      expect(summary, nameOf(declaration)).toMatch(/^[A-Z].{10,}[^.]$/);
      expect(family.description, nameOf(declaration)).toMatch(/\.$/);
      expect(Object.keys(replies).length, nameOf(declaration)).toBeGreaterThan(0);
    }
  });

  test('is unique, and has an audit event if it is a write', () => {
    const names = declarations.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    for (const declaration of declarations) {
      expect(declaration.audit !== undefined, nameOf(declaration)).toBe(declaration.access === 'write');
    }
  });

  test('describes every property and limits the length of every string', () => {
    const faults = declarations.flatMap((declaration) =>
      schemasOf(declaration).flatMap(([location, schema]) =>
        faultsOf(schema, `${nameOf(declaration)} ${location}`),
      ),
    );
    expect(faults).toEqual([]);
  });

  test('the check above detects undescribed properties and unbounded strings', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } };
    expect(faultsOf(schema, 'x')).toEqual(['x.a has no description', 'x.a[] is an unbounded string']);
  });

  test('declares its own errors and those that follow from its access and inputs', () => {
    for (const declaration of declarations) {
      const codes = refusalsOf(declaration);
      expect(codes, nameOf(declaration)).toContain('INTERNAL');
      expect(codes.includes('UNAUTHENTICATED') || declaration.access === 'public').toBe(true);
      for (const code of codes) expect(errorTable).toHaveProperty(code);
    }
  });

  test('declares the errors of every request, and INVALID_INPUT for Org-Access', () => {
    for (const declaration of declarations) {
      const codes = refusalsOf(declaration);
      for (const code of ['MALFORMED_REQUEST', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'] as const)
        expect(codes, nameOf(declaration)).toContain(code);
      if (declaration.org) expect(codes, nameOf(declaration)).toContain('INVALID_INPUT');
    }
  });

  test('appears in the OpenAPI document with its parameters, body, replies and errors', async () => {
    let [iterations, isWritten] = [0, false];
    const count = () => {
      iterations++;
      if (!isWritten) setImmediate(count);
    };
    setImmediate(count);
    const isPublic = ({ isPrivate }: Declaration) => !isPrivate;
    const json = await describeInterface(declarations.filter(isPublic), '1');
    isWritten = true;
    expect(iterations, 'event-loop iterations').toBeGreaterThanOrEqual(declarations.filter(isPublic).length);
    const document = JSON.parse(json) as { paths: Record<string, Record<string, DescribedOperation>> };
    for (const declaration of declarations.filter(isPublic)) {
      const operation = document.paths[declaration.path]?.[
        declaration.method.toLowerCase()
      ] as DescribedOperation;
      expect(operation.summary).toBe(declaration.summary);
      const inPath = operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      expect(inPath).toEqual([...declaration.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      const statuses = new Set([
        ...Object.keys(declaration.replies),
        ...refusalsOf(declaration).map((code) => String(errorTable[code].status)),
      ]);
      expect(new Set(Object.keys(operation.responses))).toEqual(statuses);
      const credential = declaration.access === 'agent' ? { agentToken: [] } : { token: [] };
      expect(operation.security).toEqual(declaration.access === 'public' ? [] : [credential]);
    }
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('operations of the console are in neither the OpenAPI document nor the schemas', async () => {
  const ofConsole = declarations.filter(({ path }) => path.startsWith('/session'));
  expect(ofConsole.filter(({ isPrivate }) => isPrivate)).toHaveLength(7);
  expect(declarations.filter(({ isPrivate }) => isPrivate)).toHaveLength(7);
  const { text } = await service.request('GET', '/api/v2/openapi.json');
  expect(text).toContain('"/api/v2/access/tokens"');
  expect(text).not.toContain('"/session');
  const schemas = await service.request('GET', '/api/v2/schemas', { token: await service.token() });
  expect(schemas.text).not.toContain('"session"');
});

test('operations that return a token or the settings of an integration are marked as returning secrets', () => {
  const marked = service.routes
    .filter((route) => new Operation(route, new RouteCounters('', '')).returnsSecret)
    .map(({ declaration }) => nameOf(declaration));
  const families = ['AgentAccessTokens', 'AlertChannels', 'CloudAccounts', 'ContainerRegistries'];
  const returnsRecords = ({ method, family, replies }: Declaration) =>
    families.includes(family.name) && method !== 'DELETE' && !Object.values(replies).every(isEmpty);
  const expected = declarations
    .filter((declaration) => returnsRecords(declaration) || declaration.path === '/api/v2/access/tokens')
    .map(nameOf);
  expect(expected.length).toBeGreaterThan(20);
  expect(marked.sort()).toEqual(expected.sort());
});

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: unknown[];
  readonly parameters: { in: string; name: string }[];
  readonly responses: Record<string, unknown>;
}

function schemasOf({
  params,
  query,
  headers,
  body,
  describedBody,
  replies,
}: Declaration): [string, unknown][] {
  const json = Object.entries(replies).filter(([, reply]) => !isEmpty(reply) && !isContent(reply));
  return [
    ['path', params] as const,
    ['query', query] as const,
    ['header', headers] as const,
    ['body', body === 'discarded' ? undefined : body] as const,
    ['described body', describedBody] as const,
    ...(json as [string, TSchema][]),
  ].filter((entry): entry is [string, TSchema] => entry[1] !== undefined);
}

interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly maxLength?: number;
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly properties?: Record<string, Node>;
  readonly items?: Node;
  readonly anyOf?: Node[];
  readonly oneOf?: Node[];
}

function faultsOf(schema: unknown, path: string): string[] {
  const { type, maxLength, enum: allowed, const: constant, properties = {}, items } = schema as Node;
  const { anyOf = [], oneOf = [] } = schema as Node;
  const unbounded = type === 'string' && maxLength === undefined && !allowed && constant === undefined;
  return [
    ...(unbounded ? [`${path} is an unbounded string`] : []),
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(property.description ? [] : [`${path}.${name} has no description`]),
      ...faultsOf(property, `${path}.${name}`),
    ]),
    ...(items ? faultsOf(items, `${path}[]`) : []),
    ...[...anyOf, ...oneOf].flatMap((variant) => faultsOf(variant, path)),
  ];
}
