import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import { content, JsonBytes } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { page, pagePolicy } from './page.ts';

const family = { name: 'docs', description: 'This reference, for people and for programs.' };

const getDocs = defineRoute({
  method: 'GET',
  path: '/api/v2/docs',
  family,
  summary: 'Show the reference of the interface as a page',
  access: 'public',
  replies: { 200: content('text/html; charset=utf-8', 'The page.') },
});

const getDocsScript = defineRoute({
  method: 'GET',
  path: '/api/v2/docs/reference.js',
  family,
  summary: 'Load the program that draws the reference page',
  access: 'public',
  replies: { 200: content('text/javascript; charset=utf-8', 'The program.') },
});

const getOpenApi = defineRoute({
  method: 'GET',
  path: '/api/v2/openapi.json',
  family,
  summary: 'Describe the interface in OpenAPI 3.1',
  access: 'public',
  replies: { 200: Type.Unknown({ description: 'The OpenAPI document.' }) },
});

/** `describe` is asked once, when the route table is complete. */
export const docsRoutes = ({ describe }: { describe: () => unknown }) => {
  let document: JsonBytes | undefined;
  return [
    getDocs.handle(async () => ({
      status: 200,
      body: page,
      headers: { 'content-security-policy': pagePolicy },
    })),
    // Read at each call: few people open the page, and 3.5 MB would stay in memory for all the others.
    getDocsScript.handle(async () => ({
      status: 200,
      body: await readFile(scriptFile()),
      headers: { 'cache-control': 'public, max-age=86400' },
    })),
    getOpenApi.handle(async () => {
      document ??= new JsonBytes(Buffer.from(JSON.stringify(describe())));
      return { status: 200, body: document };
    }),
  ];
};

/** The package's own plug-in is not used: it loads the file at start and redirects the address of the page. */
function scriptFile(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return join(dirname(entry), 'js', 'standalone.js');
}
