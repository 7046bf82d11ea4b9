import type { Schema } from './schema-view.ts';

/** Optional members that an example shows of an object without required ones, which would be empty otherwise. */
const mostOptional = 2;

/** A small value that a schema takes, for people to begin with. */
export function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  const given = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const form = forms.find(({ type }) => type !== 'null') ?? forms[0];
  if (form) return exampleOf(form);
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
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, mostOptional);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

function stringOf({ format, pattern, minLength = 0 }: Schema): string {
  if (format === 'date-time' || format === 'instant') return '2026-01-31T12:00:00Z';
  if (pattern?.startsWith('^https?://')) return 'https://example.com/';
  return 'string'.padEnd(minLength, '-');
}
