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

/** An operation that takes a body, as the OpenAPI document of the server has it. */
export interface DocumentedOperation {
  readonly method: string;
  /** With a made-up value for each parameter. */
  readonly path: string;
  readonly takesRecords: boolean;
  readonly forAgents: boolean;
  /** Ways to the members of the body, two levels deep. */
  readonly members: readonly (readonly string[])[];
}

export async function operationsWithBody(client: Client): Promise<DocumentedOperation[]> {
  const document: Document = await client.must('GET', '/api/v2/openapi.json');
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security, requestBody }]) => {
      if (!requestBody) return [];
      const [type, media] = Object.entries(requestBody.content)[0] as [string, { schema: Schema }];
      return [
        {
          method: method.toUpperCase(),
          path: path.replaceAll(/\{\w+\}/g, '1'),
          takesRecords: type === 'application/x-ndjson',
          forAgents: security.some((scheme) => 'agentToken' in scheme),
          members: membersOf(document, media.schema, 2),
        },
      ];
    }),
  );
}

export const isSearch = ({ path }: DocumentedOperation) => path.endsWith('/search');

function membersOf(document: Document, schema: Schema, levels: number): string[][] {
  const found = new Map<string, string[]>();
  const add = (way: string[]) => found.set(JSON.stringify(way), way);
  for (const form of formsOf(document, schema)) {
    for (const [name, inner] of Object.entries(form.properties ?? {})) {
      add([name]);
      if (levels > 1) for (const way of membersOf(document, inner, levels - 1)) add([name, ...way]);
    }
  }
  return [...found.values()];
}

function formsOf(document: Document, schema: Schema): Schema[] {
  const named = schema.$ref && document.components.schemas[schema.$ref.split('/').at(-1) as string];
  if (named) return formsOf(document, named);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...choices.flatMap((choice) => formsOf(document, choice))];
}
