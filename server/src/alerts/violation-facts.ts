import type { Violation } from './finding.ts';
import { isObject, membersOf, normalizedName, parsed, stringOf, tagsOf, unknown } from './members.ts';

type Pairs = ReadonlyMap<string, string>;

/** Values in a violation by normalised name, independent of the spelling in rows and entities. */
export interface ViolationFacts {
  /** Distinct values of these names; names in lower case without underscores. */
  of(...names: readonly string[]): readonly string[];
  /** Whether the violation has an entity of the kind. */
  has(kind: string): boolean;
  readonly resourceTags: Pairs;
  readonly machineTags: Pairs;
  readonly containerLabels: Pairs;
}

/** Nested objects that describe the resource. Request parameters are not among them. */
const nestedObjects: ReadonlySet<string> = new Set([
  ...['event', 'eventjson', 'resource', 'labels', 'protopayload', 'objectref'],
  ...['propscontainer', 'containerinfo', 'propsmachine', 'clouddetails'],
]);

/** Depth of `resource.labels` of an event in a row. */
const maxDepth = 4;

export function factsOf({ row, entities, machineTags: lookedUpTags = {} }: Violation): ViolationFacts {
  const values = new Map<string, Set<string>>();
  const [resourceTags, machineTags, containerLabels] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  const pairs = new Map(
    Object.entries({
      resourcetags: resourceTags,
      tags: machineTags,
      machinetags: machineTags,
      propslabel: containerLabels,
      containerlabels: containerLabels,
    }),
  );
  const addValue = (name: string, value: string) => {
    if (value === '' || value === unknown) return;
    values.set(name, (values.get(name) ?? new Set()).add(value));
  };
  const collect = (record: object, depth: number) => {
    for (const [originalName, value] of Object.entries(record)) {
      const name = normalizedName(originalName);
      const into = pairs.get(name);
      if (into) for (const [key, text] of tagsOf(value)) into.set(key, text);
      else if (name === 'useridentity')
        addValue('calleraccount', stringOf(membersOf(parsed(value)).accountId));
      else if (nestedObjects.has(name) && depth < maxDepth && isObject(parsed(value)))
        collect(membersOf(parsed(value)), depth + 1);
      else for (const each of Array.isArray(value) ? value : [value]) addValue(name, stringOf(each));
    }
  };
  for (const [key, text] of tagsOf(lookedUpTags)) machineTags.set(key, text);
  collect(row, 0);
  for (const { key, props } of entities) {
    collect(key, 0);
    collect(props, 0);
  }
  return {
    of: (...names) => valuesUnder(values, names),
    has: (kind) => entities.some((entity) => entity.kind === kind),
    ...{ resourceTags, machineTags, containerLabels },
  };
}

const none: readonly string[] = [];

/** Avoids allocations: most names occur in no row. */
function valuesUnder(
  values: ReadonlyMap<string, ReadonlySet<string>>,
  names: readonly string[],
): readonly string[] {
  const present = names.filter((name) => values.has(name));
  if (present.length === 0) return none;
  return [...new Set(present.flatMap((name) => [...(values.get(name) ?? [])]))];
}
