import { type Html, html, inline } from './html.ts';

/** The JSON Schema keywords that the views show. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
}

/** Levels of nesting that are shown; no schema is nested deeper. */
const maxDepth = 8;

/** The members of a schema, including nested ones. */
export function membersOf(schema: Schema, depth = 0): readonly Html[] {
  if (depth >= maxDepth) return [];
  const alternatives = alternativesOf(schema).filter(
    (alternative) => membersOf(alternative, depth + 1).length > 0,
  );
  if (schema.properties) return propertiesOf(schema, depth);
  if (schema.items) return membersOf(schema.items, depth);
  if (schema.discriminator || alternatives.length > 1)
    return alternatives.map((alternative) => alternativeView(schema, alternative, depth));
  return alternatives[0] ? membersOf(alternatives[0], depth) : [];
}

function propertiesOf({ properties = {}, required = [] }: Schema, depth: number): readonly Html[] {
  const members = Object.entries(properties).map(
    ([name, property]) =>
      html`<dt><code>${name}</code> <span>${typeOf(property)}${required.includes(name) ? ', required' : ''}</span></dt><dd>${inline(property.description ?? '')}${membersOf(property, depth + 1)}</dd>`,
  );
  return members.length > 0 ? [html`<dl>${members}</dl>`] : [];
}

/** One alternative of a union, collapsed. */
function alternativeView({ discriminator }: Schema, alternative: Schema, depth: number): Html {
  const value = discriminator && alternative.properties?.[discriminator.propertyName]?.enum?.[0];
  const name =
    value === undefined
      ? (alternative.description ?? typeOf(alternative))
      : `${discriminator?.propertyName}: ${value}`;
  return html`<details><summary>${inline(name)}</summary>${membersOf(alternative, depth + 1)}</details>`;
}

function alternativesOf({ anyOf = [], oneOf = [], allOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf, ...allOf];
}

/** For example `array of string, at most 40 characters`. */
export function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.discriminator) return 'object';
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(' or ');
  if (schema.type === 'array') return schema.items ? `array of ${typeOf(schema.items)}` : 'array';
  return [schema.type ?? 'any value', ...boundsOf(schema)].join(', ');
}

function boundsOf({ format, pattern, minLength, maxLength, minimum, maximum, ...schema }: Schema): string[] {
  const bounds = [format, pattern && `matching ${pattern}`, range(minLength, maxLength, ' characters')];
  const value = range(minimum, maximum, '');
  const initial = schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`;
  return [...bounds, value, initial].filter((bound) => bound !== undefined);
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
  if (max !== undefined) return `at most ${max}${unit}`;
  return min === undefined ? undefined : `at least ${min}${unit}`;
}
