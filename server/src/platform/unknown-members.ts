import { nameOf } from './explanation.ts';
import { nearest } from './nearest.ts';

/** The keywords of a JSON schema that declare members. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: unknown;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

const maxNamed = 20;
/** Longer names are not misspellings, and comparing them is slow. */
const maxNameLength = 100;

/** A warning for each member, at any depth, that the schema does not declare and that was ignored. */
export function unknownMembers(schema: unknown, value: unknown): string[] {
  const warnings: string[] = [];
  let more = 0;
  if (!isObject(value)) return warnings;
  visit([schema as Shape], value, [], (path, name, known) => {
    if (warnings.length < maxNamed) warnings.push(warningFor(path, name, known));
    else more++;
  });
  return more > 0 ? [...warnings, `${more} more unknown members were ignored.`] : warnings;
}

function warningFor(path: readonly string[], name: string, known: readonly string[]): string {
  const [similar] = name.length > maxNameLength ? [] : nearest(name, known, 1);
  const hint =
    similar === undefined ? `known members are ${known.join(', ')}.` : `did you mean '${similar}'?`;
  return `unknown member '${nameOf([...path, name])}' was ignored; ${hint}`;
}

type UnknownMemberCallback = (path: readonly string[], name: string, known: readonly string[]) => void;

/** In a union, a member is known if any variant declares it. */
function visit(
  shapes: readonly Shape[],
  value: object,
  path: readonly string[],
  report: UnknownMemberCallback,
): void {
  const variants = shapes.flatMap(variantsOf);
  if (Array.isArray(value)) {
    const items = variants.flatMap((variant) => variant.items ?? []);
    if (items.length === 0) return;
    for (let index = 0; index < value.length; index++) {
      if (isObject(value[index])) visit(items, value[index], [...path, String(index)], report);
    }
    return;
  }
  if (variants.some(isOpen)) return;
  const members = new Map<string, Shape[]>();
  for (const { properties = {} } of variants)
    for (const [name, shape] of Object.entries(properties))
      members.set(name, [...(members.get(name) ?? []), shape]);
  if (members.size === 0) return;
  const known = [...members.keys()];
  for (const [name, inner] of Object.entries(value)) {
    const schemas = members.get(name);
    if (!schemas) report(path, name, known);
    else if (isObject(inner)) visit(schemas, inner, [...path, name], report);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function variantsOf(shape: Shape): Shape[] {
  const alternatives = shape.anyOf ?? shape.oneOf;
  return alternatives ? alternatives.flatMap(variantsOf) : [shape];
}

/** Whether the schema allows any member. */
function isOpen({ type, properties, additionalProperties, patternProperties }: Shape): boolean {
  return (
    patternProperties !== undefined ||
    typeof additionalProperties === 'object' ||
    (type === undefined && properties === undefined)
  );
}
