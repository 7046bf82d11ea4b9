import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { operationIdOf } from '../../http/openapi.ts';
import { content, empty } from '../../http/reply.ts';
import { type Declaration, defineRoute } from '../../http/route.ts';
import { SharedBody } from '../../http/shared-body.ts';
import { Refusal } from '../../platform/errors.ts';
import { icon } from './icon.ts';
import { type Assets, pagePolicy } from './layout.ts';
import { listPage } from './list-page.ts';
import { operationPage } from './operation-page.ts';
import { style } from './style.ts';

const family = { name: 'docs', description: 'This reference, as HTML pages and as OpenAPI document.' };

const notModified = empty('Not modified: the ETag is in If-None-Match.');
const page = content('text/html; charset=utf-8', 'The page.');
/** For assets, whose URLs contain a hash of their content. */
const assetCaching = 'public, max-age=86400';

const getDocs = defineRoute({
  method: 'GET',
  path: '/api/v2/docs',
  family,
  summary: 'Get the page that lists all operations',
  access: 'public',
  replies: { 200: page, 304: notModified },
});

const getDocsOperation = defineRoute({
  method: 'GET',
  path: '/api/v2/docs/operations/{operationId}',
  family,
  summary: 'Get the page of an operation',
  access: 'public',
  params: Type.Object({
    operationId: Type.String({
      maxLength: 200,
      description: 'Identifier of the operation in the OpenAPI document.',
    }),
  }),
  replies: { 200: page, 304: notModified },
  refuses: ['NOT_FOUND'],
});

const getDocsScript = defineRoute({
  method: 'GET',
  path: '/api/v2/docs/reference.js',
  family,
  summary: 'Get the script of the reference pages',
  access: 'public',
  replies: { 200: content('text/javascript; charset=utf-8', 'The script.'), 304: notModified },
});

const getDocsStyle = defineRoute({
  method: 'GET',
  path: '/api/v2/docs/reference.css',
  family,
  summary: 'Get the style sheet of the reference pages',
  access: 'public',
  replies: { 200: content('text/css; charset=utf-8', 'The style sheet.'), 304: notModified },
});

const getIcon = defineRoute({
  method: 'GET',
  path: '/favicon.svg',
  family,
  summary: 'Get the icon of the service',
  access: 'public',
  replies: { 200: content('image/svg+xml', 'The icon.'), 304: notModified },
});

const getOpenApi = defineRoute({
  method: 'GET',
  path: '/api/v2/openapi.json',
  family,
  summary: 'Get the OpenAPI 3.1 document',
  access: 'public',
  replies: { 200: Type.Unknown({ description: 'The OpenAPI document.' }), 304: notModified },
});

export interface DocsDeps {
  /** Called on the first request, when all routes are registered. */
  readonly declarations: () => readonly Declaration[];
  /** The OpenAPI document. */
  readonly describe: () => Promise<string>;
  readonly version: string;
}

export const docsRoutes = ({ declarations, describe, version }: DocsDeps) => {
  const script = new SharedBody(
    () => readFile(new URL('browser/reference.js', import.meta.url)),
    assetCaching,
  );
  const styleSheet = new SharedBody(async () => Buffer.from(style), assetCaching);
  const iconBody = new SharedBody(async () => Buffer.from(icon), assetCaching);
  const assets = async (): Promise<Assets> => ({
    script: `${getDocsScript.declaration.path}?v=${await script.tag()}`,
    style: `${getDocsStyle.declaration.path}?v=${await styleSheet.tag()}`,
    icon: `${getIcon.declaration.path}?v=${await iconBody.tag()}`,
  });
  const list = new SharedBody(async () => Buffer.from(listPage(declarations(), version, await assets())));
  const document = new SharedBody(async () => Buffer.from(await describe()));
  let operations: ReadonlyMap<string, SharedBody> | undefined;
  const operationPages = () =>
    new Map(
      declarations().map((declaration) => [
        operationIdOf(declaration),
        new SharedBody(async () => Buffer.from(operationPage(declaration, await assets()))),
      ]),
    );
  const headers = { 'content-security-policy': pagePolicy };
  return [
    getDocs.handle(async () => ({ status: 200, body: list, headers })),
    getDocsOperation.handle(async ({ params: { operationId } }) => {
      operations ??= operationPages();
      const body = operations.get(operationId);
      if (body) return { status: 200, body, headers };
      throw new Refusal(
        'NOT_FOUND',
        'Not found: no operation has this operationId: GET /api/v2/docs lists them.',
      );
    }),
    getDocsScript.handle(async () => ({ status: 200, body: script })),
    getDocsStyle.handle(async () => ({ status: 200, body: styleSheet })),
    getIcon.handle(async () => ({ status: 200, body: iconBody })),
    getOpenApi.handle(async () => ({ status: 200, body: document })),
  ];
};
