import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import { content, empty } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { SharedBody } from '../../http/shared-body.ts';
import { page, pagePolicy } from './page.ts';

const family = { name: 'docs', description: 'This reference, for people and for programs.' };

const unchanged = empty('The client has it: its ETag is in If-None-Match.');

const getDocs = defineRoute({
  method: 'GET',
  path: '/api/v2/docs',
  family,
  summary: 'Show the reference of the interface as a page',
  access: 'public',
  replies: { 200: content('text/html; charset=utf-8', 'The page.'), 304: unchanged },
});

const getDocsScript = defineRoute({
  method: 'GET',
  path: '/api/v2/docs/reference.js',
  family,
  summary: 'Load the program that draws the reference page',
  access: 'public',
  replies: { 200: content('text/javascript; charset=utf-8', 'The program.'), 304: unchanged },
});

const getOpenApi = defineRoute({
  method: 'GET',
  path: '/api/v2/openapi.json',
  family,
  summary: 'Describe the interface in OpenAPI 3.1',
  access: 'public',
  replies: { 200: Type.Unknown({ description: 'The OpenAPI document.' }), 304: unchanged },
});

/** `describe` is asked once, when the route table is complete. */
export const docsRoutes = ({ describe }: { describe: () => Promise<string> }) => {
  const html = new SharedBody(async () => Buffer.from(page));
  const script = new SharedBody(() => readFile(scriptFile()), 'public, max-age=86400');
  const document = new SharedBody(async () => Buffer.from(await describe()));
  return [
    getDocs.handle(async () => ({
      status: 200,
      body: html,
      headers: { 'content-security-policy': pagePolicy },
    })),
    getDocsScript.handle(async () => ({ status: 200, body: script })),
    getOpenApi.handle(async () => ({ status: 200, body: document })),
  ];
};

/** The package's own plug-in is not used: it loads the file at start and redirects the address of the page. */
function scriptFile(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return join(dirname(entry), 'js', 'standalone.js');
}
