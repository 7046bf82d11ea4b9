import type { ClientPackage } from './service.ts';

/** A schema of the SDK: a number for a simple type, or an array that starts with its kind. */
type Schema = unknown;
const [listKind, mapKind, structureKind, unionKind] = [1, 2, 3, 4];
const listOfSimple = 64;
const timestamps = [4, 5, 6, 7];

/** The schema of what a call returns. */
export function outputSchema(sdk: ClientPackage, call: string): Schema {
  const operation = sdk[`${call}$`];
  if (!Array.isArray(operation)) throw new Error(`The SDK has no call ${call}.`);
  return resolved(operation[5]);
}

/** The schema at a path; of the elements where arrays are on the way. */
export function schemaAt(schema: Schema, path: string): Schema {
  let at = elementOf(resolved(schema));
  for (const name of path.split('.').filter(Boolean))
    at = elementOf(resolved(membersOf(at).get(fold(name))?.schema));
  return at;
}

/**
 * A value with the names that the API uses: other tools of AWS spell them with a small first letter. Members that the
 * call does not return are left out, and so are those without a value.
 */
export function inApiForm(schema: Schema, value: unknown): unknown {
  const form = resolved(schema);
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object') return isTimestamp(form) ? timestampOf(value) : value;
  if (Array.isArray(value)) {
    const element = isKind(form, listKind) ? form[4] : simpleElement(form, listOfSimple);
    // Something else than the API returns, of any depth.
    if (element === undefined) return undefined;
    return value.flatMap((one) => inApiForm(element, one) ?? []);
  }
  if (isKind(form, mapKind)) return mapped(value, (_, one) => inApiForm(form[5], one));
  if (!isKind(form, structureKind) && !isKind(form, unionKind)) return value;
  const members = membersOf(form);
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const member = members.get(fold(name));
    const inForm = member && inApiForm(member.schema, one);
    return inForm === undefined ? [] : [[member?.name, inForm]];
  });
  return Object.fromEntries(entries);
}

/** A member is a schema, or a schema and its traits; both may be functions, because schemas refer to one another. */
function resolved(schema: Schema): Schema {
  if (typeof schema === 'function') return resolved(schema());
  if (Array.isArray(schema) && schema.length === 2) return resolved(schema[0]);
  return schema;
}

function isKind(schema: Schema, kind: number | undefined): schema is Schema[] {
  return Array.isArray(schema) && schema[0] === kind;
}

function elementOf(schema: Schema): Schema {
  return isKind(schema, listKind) ? resolved(schema[4]) : schema;
}

function simpleElement(schema: Schema, mask: number): Schema {
  return typeof schema === 'number' && schema & mask ? schema & ~mask : undefined;
}

function membersOf(schema: Schema): Map<string, { name: string; schema: Schema }> {
  const [names = [], schemas = []] = Array.isArray(schema) ? schema.slice(4, 6) : [];
  const of = resolvedMembers(schemas);
  return new Map((names as string[]).map((name, at) => [fold(name), { name, schema: of[at] }]));
}

function resolvedMembers(schemas: unknown): unknown[] {
  return Array.isArray(schemas) ? schemas : [];
}

function fold(name: string): string {
  return name.toLowerCase();
}

function mapped(value: object, of: (name: string, one: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, of(name, one)]));
}

function isTimestamp(schema: Schema): boolean {
  return timestamps.includes(schema as number);
}

/** Epoch seconds, or milliseconds. */
function timestampOf(value: unknown): unknown {
  const number = Number(value);
  const instant = new Date(
    typeof value === 'string' && Number.isNaN(number) ? value : number * (number < 1e11 ? 1_000 : 1),
  );
  return Number.isNaN(instant.getTime()) ? value : instant.toISOString();
}
