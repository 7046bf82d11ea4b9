import { parametersOf } from '../../http/openapi.ts';
import { bodySchema } from '../../http/operation.ts';
import type { Declaration } from '../../http/route.ts';
import { exampleOf } from './example.ts';
import type { Schema } from './schema-view.ts';

/** An example of a request body, with its content type. */
export interface ExampleBody {
  readonly type: string;
  readonly text: string;
}

/** The body schema in the reference; undefined if the operation has no body. */
export function describedBodyOf(declaration: Declaration): Schema | undefined {
  return (declaration.describedBody ?? bodySchema(declaration)) as Schema | undefined;
}

export function exampleBodyOf(declaration: Declaration): ExampleBody | undefined {
  const schema = describedBodyOf(declaration);
  if (!schema) return undefined;
  const value = exampleOf(schema);
  // NDJSON: one record per line.
  if (declaration.body === 'records') return { type: 'application/x-ndjson', text: JSON.stringify(value) };
  return { type: 'application/json', text: JSON.stringify(value, undefined, 2) };
}

/** The curl command before and after the origin, which the page inserts. */
export function curlOf(declaration: Declaration): { readonly before: string; readonly after: string } {
  const { method, path, access } = declaration;
  const parameters = parametersOf(declaration).filter(({ required }) => required);
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema)))}`);
  const body = exampleBodyOf(declaration);
  const options = [
    ...(access === 'public' ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...Object.entries(declaration.headers?.properties ?? {}).map(
      ([name, schema]) => `-H "${name}: ${(schema as Schema).examples?.[0] ?? variableOf(name)}"`,
    ),
    ...(body ? [`-H 'Content-Type: ${body.type}'`, `--data-binary ${shellQuoted(body.text)}`] : []),
  ];
  // curl interprets braces as alternatives.
  const template = path.replaceAll('{', '<').replaceAll('}', '>');
  const target = query.length > 0 ? `${template}?${query.join('&')}` : template;
  return {
    before: `curl ${method === 'GET' ? '' : `-X ${method} `}"`,
    after: [`${target}"`, ...options].join(' \\\n  '),
  };
}

/** The shell variable for a header. */
function variableOf(header: string): string {
  return `$${header.toUpperCase().replaceAll('-', '_')}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
