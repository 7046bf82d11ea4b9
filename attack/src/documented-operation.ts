import type { Client } from './client.ts';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedMethod>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface DocumentedMethod {
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** An operation with a request body, from the OpenAPI document of the server. */
export interface DocumentedOperation {
  readonly method: string;
  /** With a placeholder value for each parameter. */
  readonly path: string;
  readonly takesRecords: boolean;
  /** Whose token it takes. */
  readonly caller: 'user' | 'agent' | 'collector';
  /** Paths of the members of the body, two levels deep. */
  readonly members: readonly (readonly string[])[];
}

export async function operationsWithBody(client: Client): Promise<DocumentedOperation[]> {
  const document: Document = await client.requireSuccess('GET', '/api/v2/openapi.json');
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security, requestBody }]) => {
      if (!requestBody) return [];
      const [type, media] = Object.entries(requestBody.content)[0] as [string, { schema: Schema }];
      return [
        {
          method: method.toUpperCase(),
          path: samplePath(path),
          takesRecords: type === 'application/x-ndjson',
          caller: !security.some((scheme) => 'agentToken' in scheme)
            ? 'user'
            : isUpload(path)
              ? 'collector'
              : 'agent',
          members: membersOf(document, media.schema, 2),
        },
      ];
    }),
  );
}

const isUpload = (path: string) => path.startsWith('/ingest/v1/resources/');

/** With values that let the request reach its body. */
function samplePath(path: string): string {
  const values: Readonly<Record<string, string>> = { csp: 'aws', kind: 'LW_CFG_AWS_S3' };
  const sample = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1');
  return isUpload(path) ? `${sample}?started=1&part=1` : sample;
}

export const isSearch = ({ path }: DocumentedOperation) => path.endsWith('/search');

function membersOf(document: Document, schema: Schema, levels: number): string[][] {
  const paths = new Map<string, string[]>();
  const add = (path: string[]) => paths.set(JSON.stringify(path), path);
  for (const alternative of alternativesOf(document, schema)) {
    for (const [name, inner] of Object.entries(alternative.properties ?? {})) {
      add([name]);
      if (levels > 1) for (const path of membersOf(document, inner, levels - 1)) add([name, ...path]);
    }
  }
  return [...paths.values()];
}

function alternativesOf(document: Document, schema: Schema): Schema[] {
  const named = schema.$ref && document.components.schemas[schema.$ref.split('/').at(-1) as string];
  if (named) return alternativesOf(document, named);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...choices.flatMap((choice) => alternativesOf(document, choice))];
}
