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

  test('is declared once, and one that changes something says what the audit log calls it', () => {
    const names = declarations.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    for (const declaration of declarations) {
      expect(declaration.audit !== undefined, nameOf(declaration)).toBe(declaration.access === 'write');
    }
  });

  test('describes every property and bounds every string that a client sends or gets', () => {
    const problems = declarations.flatMap((declaration) =>
      schemasOf(declaration).flatMap(([part, schema]) => faultsOf(schema, `${nameOf(declaration)} ${part}`)),
    );
    expect(problems).toEqual([]);
  });

  test('finds an undescribed property and an unbounded string, so that the check above means something', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } };
    expect(faultsOf(schema, 'x')).toEqual(['x.a has no description', 'x.a[] is an unbounded string']);
  });

  test('declares its errors: those of its own and those that follow from what it takes', () => {
    for (const declaration of declarations) {
      const codes = refusalsOf(declaration);
      expect(codes, nameOf(declaration)).toContain('INTERNAL');
      expect(codes.includes('UNAUTHENTICATED') || declaration.access === 'public').toBe(true);
      for (const code of codes) expect(errorTable).toHaveProperty(code);
    }
  });

  test('declares what any request can be refused with, and that Org-Access can be neither true nor false', () => {
    for (const declaration of declarations) {
      const codes = refusalsOf(declaration);
      for (const code of ['MALFORMED_REQUEST', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'] as const)
        expect(codes, nameOf(declaration)).toContain(code);
      if (declaration.org) expect(codes, nameOf(declaration)).toContain('INVALID_INPUT');
    }
  });

  test('appears in the OpenAPI document with its parameters, body, replies and errors', async () => {
    let [turns, isWritten] = [0, false];
    const count = () => {
      turns++;
      if (!isWritten) setImmediate(count);
    };
    setImmediate(count);
    const text = await describeInterface(declarations, '1');
    isWritten = true;
    expect(turns, 'turns of other requests').toBeGreaterThanOrEqual(declarations.length);
    const document = JSON.parse(text) as { paths: Record<string, Record<string, DescribedOperation>> };
    for (const declaration of declarations) {
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

test('every operation that answers with a token or the settings of an integration is known to show secrets', () => {
  const shows = service.routes
    .filter((route) => new Operation(route, new RouteCounters('', '')).returnsSecret)
    .map(({ declaration }) => nameOf(declaration));
  const families = ['AgentAccessTokens', 'AlertChannels', 'CloudAccounts', 'ContainerRegistries'];
  const answersRecords = ({ method, family, replies }: Declaration) =>
    families.includes(family.name) && method !== 'DELETE' && !Object.values(replies).every(isEmpty);
  const expected = declarations
    .filter((declaration) => answersRecords(declaration) || declaration.path === '/api/v2/access/tokens')
    .map(nameOf);
  expect(expected.length).toBeGreaterThan(20);
  expect(shows.sort()).toEqual(expected.sort());
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
  ].filter((part): part is [string, TSchema] => part[1] !== undefined);
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

function faultsOf(schema: unknown, place: string): string[] {
  const { type, maxLength, enum: words, const: only, properties = {}, items } = schema as Node;
  const { anyOf = [], oneOf = [] } = schema as Node;
  const unbounded = type === 'string' && maxLength === undefined && !words && only === undefined;
  return [
    ...(unbounded ? [`${place} is an unbounded string`] : []),
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(property.description ? [] : [`${place}.${name} has no description`]),
      ...faultsOf(property, `${place}.${name}`),
    ]),
    ...(items ? faultsOf(items, `${place}[]`) : []),
    ...[...anyOf, ...oneOf].flatMap((choice) => faultsOf(choice, place)),
  ];
}
