import type { Violation } from './finding.ts';
import { isMembers, membersOf, parsed, plainName, tagsOf, textOf, unknown } from './members.ts';

type Pairs = ReadonlyMap<string, string>;

/** What a violation says, by names without regard to how the row or an entity spells them. */
export interface ViolationFacts {
  /** The values under these names, each once; names in lower case and without underscores. */
  of(...names: readonly string[]): readonly string[];
  /** Whether there is an entity of the kind. */
  has(kind: string): boolean;
  readonly resourceTags: Pairs;
  readonly machineTags: Pairs;
  readonly containerLabels: Pairs;
}

/** Objects in rows and entities that say what the thing is; what a call was given as parameters is none of them. */
const opened: ReadonlySet<string> = new Set([
  ...['event', 'eventjson', 'resource', 'labels', 'protopayload', 'objectref'],
  ...['propscontainer', 'containerinfo', 'propsmachine', 'clouddetails'],
]);

/** As deep as resource.labels of an event in a row. */
const deepest = 4;

export function factsOf({ row, entities, machineTags: found = {} }: Violation): ViolationFacts {
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
  const note = (name: string, value: string) => {
    if (value === '' || value === unknown) return;
    values.set(name, (values.get(name) ?? new Set()).add(value));
  };
  const collect = (record: object, depth: number) => {
    for (const [spelled, value] of Object.entries(record)) {
      const name = plainName(spelled);
      const into = pairs.get(name);
      if (into) for (const [key, text] of tagsOf(value)) into.set(key, text);
      else if (name === 'useridentity') note('calleraccount', textOf(membersOf(parsed(value)).accountId));
      else if (opened.has(name) && depth < deepest && isMembers(parsed(value)))
        collect(membersOf(parsed(value)), depth + 1);
      else for (const each of Array.isArray(value) ? value : [value]) note(name, textOf(each));
    }
  };
  for (const [key, text] of tagsOf(found)) machineTags.set(key, text);
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

/** Most names are in no row, and there are many rows. */
function valuesUnder(
  values: ReadonlyMap<string, ReadonlySet<string>>,
  names: readonly string[],
): readonly string[] {
  const found = names.filter((name) => values.has(name));
  if (found.length === 0) return none;
  return [...new Set(found.flatMap((name) => [...(values.get(name) ?? [])]))];
}
