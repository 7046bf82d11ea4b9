import { type Html, html, inline } from './html.ts';

/** What the views read of a JSON schema. */
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

/** Levels of members that are shown; no schema is nested deeper today. */
const deepest = 8;

/** The members of what a schema describes, with those inside of them. Empty where there are none to show. */
export function membersOf(schema: Schema, depth = 0): readonly Html[] {
  if (depth >= deepest) return [];
  const forms = formsOf(schema).filter((form) => membersOf(form, depth + 1).length > 0);
  if (schema.properties) return propertiesOf(schema, depth);
  if (schema.items) return membersOf(schema.items, depth);
  if (schema.discriminator || forms.length > 1) return forms.map((form) => formOf(schema, form, depth));
  return forms[0] ? membersOf(forms[0], depth) : [];
}

function propertiesOf({ properties = {}, required = [] }: Schema, depth: number): readonly Html[] {
  const members = Object.entries(properties).map(
    ([name, property]) =>
      html`<dt><code>${name}</code> <span>${typeOf(property)}${required.includes(name) ? ', required' : ''}</span></dt><dd>${inline(property.description ?? '')}${membersOf(property, depth + 1)}</dd>`,
  );
  return members.length > 0 ? [html`<dl>${members}</dl>`] : [];
}

/** One of several, closed until it is wanted. */
function formOf({ discriminator }: Schema, form: Schema, depth: number): Html {
  const word = discriminator && form.properties?.[discriminator.propertyName]?.enum?.[0];
  const name =
    word === undefined ? (form.description ?? typeOf(form)) : `${discriminator?.propertyName}: ${word}`;
  return html`<details><summary>${inline(name)}</summary>${membersOf(form, depth + 1)}</details>`;
}

function formsOf({ anyOf = [], oneOf = [], allOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf, ...allOf];
}

/** In words: `array of string, at most 40 characters`. */
export function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.discriminator) return 'object';
  const forms = formsOf(schema);
  if (forms.length > 0) return [...new Set(forms.map(typeOf))].join(' or ');
  if (schema.type === 'array') return schema.items ? `array of ${typeOf(schema.items)}` : 'array';
  return [schema.type ?? 'any value', ...boundsOf(schema)].join(', ');
}

function boundsOf({ format, pattern, minLength, maxLength, minimum, maximum, ...schema }: Schema): string[] {
  const bounds = [format, pattern && `matching ${pattern}`, range(minLength, maxLength, ' characters')];
  const value = range(minimum, maximum, '');
  const initial = schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`;
  return [...bounds, value, initial].filter((text) => text !== undefined);
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (most !== undefined) return `at most ${most}${unit}`;
  return least === undefined ? undefined : `at least ${least}${unit}`;
}
