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

interface Unknown {
  readonly path: readonly string[];
  /** What could have been written there. */
  readonly known: readonly string[];
}

const mostNamed = 20;
/** A longer name is no misspelt one, and finding the nearest takes its time. */
const longestName = 100;

/** One sentence for each member that the schema does not declare, at any depth: it was ignored. */
export function unknownMembers(schema: unknown, value: unknown): string[] {
  const sentences: string[] = [];
  let more = 0;
  for (const unknown of unknownIn([schema as Shape], value, [])) {
    if (sentences.length < mostNamed) sentences.push(sentenceOn(unknown));
    else more++;
  }
  return more > 0 ? [...sentences, `${more} more unknown members were ignored.`] : sentences;
}

function sentenceOn({ path, known }: Unknown): string {
  const name = path.at(-1) as string;
  const [similar] = name.length > longestName ? [] : nearest(name, known, 1);
  const hint =
    similar === undefined ? `known members are ${known.join(', ')}.` : `did you mean '${similar}'?`;
  return `unknown member '${nameOf(path)}' was ignored; ${hint}`;
}

/** Where a union offers several forms, a member is known that one of them has. */
function* unknownIn(shapes: readonly Shape[], value: unknown, path: readonly string[]): Generator<Unknown> {
  if (typeof value !== 'object' || value === null) return;
  const forms = shapes.flatMap(formsOf);
  if (Array.isArray(value)) {
    const items = forms.flatMap((form) => form.items ?? []);
    if (items.length === 0) return;
    for (const [index, item] of value.entries()) yield* unknownIn(items, item, [...path, String(index)]);
    return;
  }
  const objects = forms.filter(({ properties }) => properties);
  if (objects.length === 0 || forms.some(isOpen)) return;
  const known = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  for (const [name, inner] of Object.entries(value)) {
    const below = objects.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? [properties[name] as Shape] : [],
    );
    if (below.length > 0) yield* unknownIn(below, inner, [...path, name]);
    else yield { path: [...path, name], known };
  }
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
