import type { Schema } from './schema-view.ts';

/** Optional members in the example of an object without required members, which would be empty otherwise. */
const maxOptional = 2;

/** A small value that is valid for a schema. */
export function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  const declared = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (declared !== undefined) return declared;
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const alternative = alternatives.find(({ type }) => type !== 'null') ?? alternatives[0];
  if (alternative) return exampleOf(alternative);
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return schema.items && (schema.minItems ?? 0) > 0 ? [exampleOf(schema.items)] : [];
    case 'string':
      return stringOf(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return schema.minimum ?? 1;
  }
}

function objectOf({ properties = {}, required = [] }: Schema): unknown {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, maxOptional);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

function stringOf({ format, pattern, minLength = 0 }: Schema): string {
  if (format === 'date-time' || format === 'instant') return '2026-01-31T12:00:00Z';
  if (pattern?.startsWith('^https?://')) return 'https://example.com/';
  return 'string'.padEnd(minLength, '-');
}
