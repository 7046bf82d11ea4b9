/** The part of an OpenAPI document that types are derived from. */
export interface InterfaceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

interface OperationObject {
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Schema }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/** TypeScript declarations of the named operations, such as `GET /api/v2/Alerts/{alertId}`. */
export function interfaceTypes({ paths }: InterfaceDocument, names: readonly string[]): string {
  const members = names.map((name) => {
    const [method = '', path = ''] = name.split(' ');
    const operation = paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`The interface has no operation ${name}.`);
    return `${key(name)}: {${operationType(operation)}};`;
  });
  return `// Written by npm run console:types from the OpenAPI document.\nexport interface Operations {${members.join('')}}\n`;
}

function operationType({ parameters = [], requestBody, responses }: OperationObject): string {
  const object = (location: string) => {
    const own = parameters.filter((parameter) => parameter.in === location);
    const types = own.map(
      ({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema)};`,
    );
    return own.length > 0 ? `${location}: {${types.join('')}};` : '';
  };
  const body = requestBody?.content['application/json'];
  const replies = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) =>
      content?.['application/json'] ? typeOf(content['application/json'].schema) : 'undefined',
    );
  return `${object('path')}${object('query')}${body ? `body: ${typeOf(body.schema)};` : ''}reply: ${union(replies)};`;
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return union(variants.map(typeOf));
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return objectType(schema);
    case 'array':
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function objectType({
  properties = {},
  required = [],
  additionalProperties,
  patternProperties,
}: Schema): string {
  const [pattern] = Object.values(patternProperties ?? {});
  const rest = pattern ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (Object.keys(properties).length === 0)
    return `Readonly<Record<string, ${rest ? typeOf(rest) : 'unknown'}>>`;
  const members = Object.entries(properties).map(
    ([name, schema]) => `readonly ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  return `{${members.join('')}}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function key(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}
