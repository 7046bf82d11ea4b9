import { nameOf } from './explanation.ts';
import { nearest } from './nearest.ts';

/** What of a JSON schema says which members a value has. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: unknown;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

const mostNamed = 20;
/** A longer name is no misspelt one, and finding the nearest takes its time. */
const longestName = 100;

/** One sentence for each member that the schema does not declare, at any depth: it was ignored. */
export function unknownMembers(schema: unknown, value: unknown): string[] {
  const sentences: string[] = [];
  let more = 0;
  if (!isObject(value)) return sentences;
  visit([schema as Shape], value, [], (path, name, known) => {
    if (sentences.length < mostNamed) sentences.push(sentenceOn(path, name, known));
    else more++;
  });
  return more > 0 ? [...sentences, `${more} more unknown members were ignored.`] : sentences;
}

function sentenceOn(path: readonly string[], name: string, known: readonly string[]): string {
  const [similar] = name.length > longestName ? [] : nearest(name, known, 1);
  const hint =
    similar === undefined ? `known members are ${known.join(', ')}.` : `did you mean '${similar}'?`;
  return `unknown member '${nameOf([...path, name])}' was ignored; ${hint}`;
}

type Found = (path: readonly string[], name: string, known: readonly string[]) => void;

/** Where a union offers several forms, a member is known that one of them has. */
function visit(shapes: readonly Shape[], value: object, path: readonly string[], found: Found): void {
  const forms = shapes.flatMap(formsOf);
  if (Array.isArray(value)) {
    const items = forms.flatMap((form) => form.items ?? []);
    if (items.length === 0) return;
    for (let index = 0; index < value.length; index++) {
      if (isObject(value[index])) visit(items, value[index], [...path, String(index)], found);
    }
    return;
  }
  if (forms.some(isOpen)) return;
  const members = new Map<string, Shape[]>();
  for (const { properties = {} } of forms)
    for (const [name, shape] of Object.entries(properties))
      members.set(name, [...(members.get(name) ?? []), shape]);
  if (members.size === 0) return;
  const known = [...members.keys()];
  for (const [name, inner] of Object.entries(value)) {
    const below = members.get(name);
    if (!below) found(path, name, known);
    else if (isObject(inner)) visit(below, inner, [...path, name], found);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function formsOf(shape: Shape): Shape[] {
  const choices = shape.anyOf ?? shape.oneOf;
  return choices ? choices.flatMap(formsOf) : [shape];
}

/** Whether any member may be there, because the schema says so or says nothing at all. */
function isOpen({ type, properties, additionalProperties, patternProperties }: Shape): boolean {
  return (
    patternProperties !== undefined ||
    typeof additionalProperties === 'object' ||
    (type === undefined && properties === undefined)
  );
}
