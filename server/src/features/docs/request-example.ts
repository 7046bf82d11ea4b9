import { parametersOf } from '../../http/openapi.ts';
import { bodySchema } from '../../http/operation.ts';
import type { Declaration } from '../../http/route.ts';
import { exampleOf } from './example.ts';
import type { Schema } from './schema-view.ts';

/** A body as it could be sent, with its content type. */
export interface ExampleBody {
  readonly type: string;
  readonly text: string;
}

/** What the documentation shows of a body; undefined when the operation takes none. */
export function describedBodyOf(declaration: Declaration): Schema | undefined {
  return (declaration.describedBody ?? bodySchema(declaration)) as Schema | undefined;
}

export function exampleBodyOf(declaration: Declaration): ExampleBody | undefined {
  const schema = describedBodyOf(declaration);
  if (!schema) return undefined;
  const value = exampleOf(schema);
  // One record on each line.
  if (declaration.body === 'records') return { type: 'application/x-ndjson', text: JSON.stringify(value) };
  return { type: 'application/json', text: JSON.stringify(value, undefined, 2) };
}

/** Before the address and after it, which the page completes with the origin that it was loaded from. */
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
    ...(body ? [`-H 'Content-Type: ${body.type}'`, `--data-binary ${quoted(body.text)}`] : []),
  ];
  // Braces would mean a list to curl.
  const place = path.replaceAll('{', '<').replaceAll('}', '>');
  const address = query.length > 0 ? `${place}?${query.join('&')}` : place;
  return {
    before: `curl ${method === 'GET' ? '' : `-X ${method} `}"`,
    after: [`${address}"`, ...options].join(' \\\n  '),
  };
}

/** A variable of the shell that is named after a header. */
function variableOf(header: string): string {
  return `$${header.toUpperCase().replaceAll('-', '_')}`;
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
