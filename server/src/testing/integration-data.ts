import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { loadIntegrationTypes } from '../integrations/catalogue.ts';
import type { IntegrationType } from '../integrations/declaration.ts';

const folders = ['delivery/channels/', 'collect/accounts/', 'collect/registries/'];

/** All integration types of the server. */
export const integrationTypes = (
  await Promise.all(folders.map((folder) => loadIntegrationTypes(new URL(`../${folder}`, import.meta.url))))
).flat();

export interface SchemaNode {
  readonly type?: string;
  readonly enum?: string[];
  readonly pattern?: string;
  readonly examples?: string[];
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly anyOf?: SchemaNode[];
  readonly properties?: Record<string, SchemaNode>;
  readonly patternProperties?: Record<string, SchemaNode>;
  readonly required?: string[];
  readonly items?: SchemaNode;
}

const words = fc.string({
  unit: fc.constantFrom('a', 'B', '7', '-', ' ', 'é', '"', '\\', '😀'),
  minLength: 1,
  maxLength: 12,
});

/** Generates any value that the schema allows. */
function arbitraryOf(schema: SchemaNode, isComplete = false): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => arbitraryOf(one, isComplete)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      if (schema.examples) {
        const examples = fc.constantFrom(...schema.examples);
        return schema.minLength ? examples : fc.oneof(examples, fc.constant(''));
      }
      if (schema.pattern?.startsWith('^https'))
        return words.map((word) => `https://example.com/${encodeURIComponent(word)}`);
      if (schema.pattern?.startsWith('^data')) {
        return words.map(
          (word) => `data:application/json;name=i.json;base64,${Buffer.from(word).toString('base64')}`,
        );
      }
      if (schema.pattern) return fc.nat({ max: 9999 }).map(String);
      return schema.minLength ? words : fc.oneof(words, fc.constant(''));
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case 'object':
      if (!schema.properties) {
        const [inner] = Object.values(schema.patternProperties ?? {});
        return fc.dictionary(
          fc.constantFrom('k1', 'k2', 'k3'),
          arbitraryOf(inner?.type ? inner : { type: 'boolean' }),
          { minKeys: 1, maxKeys: 1 },
        );
      }
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties).map(([name, property]) => [
            name,
            arbitraryOf(property, isComplete),
          ]),
        ),
        isComplete ? {} : { requiredKeys: schema.required ?? [] },
      );
    default:
      return fc.constant('anything');
  }
}

/** Generates valid data of a type, including its own checks; `isComplete` includes all optional members. */
export function integrationDataOf(
  { data, check }: IntegrationType,
  { isComplete = false } = {},
): fc.Arbitrary<Record<string, unknown>> {
  const all = arbitraryOf(data as TSchema as SchemaNode, isComplete) as fc.Arbitrary<Record<string, unknown>>;
  return all.filter((value) => check?.(value) === undefined);
}

export function schemaAt(schema: SchemaNode, path: readonly string[]): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>((node, name) => node?.properties?.[name], schema);
}

export function memberAt(data: unknown, [name, ...rest]: readonly string[]): unknown {
  const value = (data as Record<string, unknown> | undefined)?.[name as string];
  return rest.length === 0 ? value : memberAt(value, rest);
}

/** Sets a member; does nothing below a missing object. */
export function withMember(
  data: Record<string, unknown>,
  [name, ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const key = name as string;
  if (rest.length === 0) return { ...data, [key]: value };
  return data[key] === undefined
    ? data
    : { ...data, [key]: withMember(data[key] as Record<string, unknown>, rest, value) };
}
