import { type TSchema, Type } from 'typebox';

interface Choice {
  readonly oneOf: readonly { readonly properties: Record<string, { readonly enum: readonly string[] }> }[];
  readonly discriminator: { readonly propertyName: string };
}

/** One of several forms, told apart by a member that in each of them can only be one word. */
export function discriminatedUnion(
  propertyName: string,
  forms: readonly TSchema[],
  description: string,
): TSchema {
  return Type.Unsafe({ oneOf: forms, discriminator: { propertyName }, description });
}

/** The same for OpenAPI, whose discriminator can only speak of forms with a name: they move into `named`. */
export function withNamedVariants(schema: unknown, prefix: string, named: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withNamedVariants(item, prefix, named));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (!isChoice(schema)) {
    const members = Object.entries(schema).map(([key, value]) => [
      key,
      withNamedVariants(value, prefix, named),
    ]);
    return Object.fromEntries(members);
  }
  const { propertyName } = schema.discriminator;
  const places = schema.oneOf.map((form) => {
    const word = form.properties[propertyName]?.enum[0] as string;
    named[`${prefix}.${word}`] = form;
    return [word, `#/components/schemas/${prefix}.${word}`] as const;
  });
  return {
    ...schema,
    oneOf: places.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName, mapping: Object.fromEntries(places) },
  };
}

function isChoice(schema: object): schema is Choice {
  return 'discriminator' in schema;
}
