import { type TSchema, Type } from 'typebox';

interface DiscriminatedUnion {
  readonly oneOf: readonly { readonly properties: Record<string, { readonly enum: readonly string[] }> }[];
  readonly discriminator: { readonly propertyName: string };
}

/** A `oneOf` schema with a discriminator: a member that has a different constant value in each variant. */
export function discriminatedUnion(
  propertyName: string,
  variants: readonly TSchema[],
  description: string,
): TSchema {
  return Type.Unsafe({ oneOf: variants, discriminator: { propertyName }, description });
}

/** For OpenAPI, where a discriminator needs named schemas: moves the variants into `named` and refers to them. */
export function withNamedVariants(schema: unknown, prefix: string, named: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withNamedVariants(item, prefix, named));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (!isDiscriminatedUnion(schema)) {
    const members = Object.entries(schema).map(([key, value]) => [
      key,
      withNamedVariants(value, prefix, named),
    ]);
    return Object.fromEntries(members);
  }
  const { propertyName } = schema.discriminator;
  const references = schema.oneOf.map((variant) => {
    const value = variant.properties[propertyName]?.enum[0] as string;
    named[`${prefix}.${value}`] = variant;
    return [value, `#/components/schemas/${prefix}.${value}`] as const;
  });
  return {
    ...schema,
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName, mapping: Object.fromEntries(references) },
  };
}

function isDiscriminatedUnion(schema: object): schema is DiscriminatedUnion {
  return 'discriminator' in schema;
}
