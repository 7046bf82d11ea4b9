import { createHash } from 'node:crypto';
import type { Tables } from '../control/tables.ts';
import type { Entity, Violation } from './finding.ts';
import { type Marks, marksOf } from './marks.ts';

/** Entities as the interface shows them, by their kind. */
export type EntityMap = Record<string, { readonly KEY: Entity['key']; readonly PROPS: Entity['props'] }[]>;

type ListingColumns = Pick<Tables['alerts'], 'listed' | 'entity_map' | 'marks'>;

export interface Listing {
  readonly columns: ListingColumns;
  /** Digests of the entities that are new. */
  readonly added: readonly string[];
  /** The same entities, in the order in which they came. */
  readonly joined: readonly Entity[];
}

/** Characters of JSON. */
const longest = { entityMap: 1_000_000, marks: 250_000, entity: 64_000 };

const emptyListing: ListingColumns = { listed: 0, entity_map: '{}', marks: '[]' };

/**
 * Adds violations to what an alert lists, as long as neither their number nor the space that they take is at its end.
 * Each entity and each set of marks is there once, however many violations have it; lists among its properties grow.
 */
export function withViolations(
  violations: readonly Violation[],
  limit: number,
  present: ListingColumns = emptyListing,
): Listing {
  if (present.listed >= limit || violations.length === 0) {
    const { listed, entity_map, marks } = present;
    return { columns: { listed, entity_map, marks }, added: [], joined: [] };
  }
  const entityMap = JSON.parse(present.entity_map) as EntityMap;
  const marks = JSON.parse(present.marks) as Marks[];
  const known = knownIn(entityMap);
  const knownMarks = new Set(marks.map((each) => JSON.stringify(each)));
  const added: string[] = [];
  const joined: Entity[] = [];
  const space = {
    entityMap: longest.entityMap - present.entity_map.length,
    marks: longest.marks - present.marks.length,
  };
  let { listed } = present;
  for (const violation of violations) {
    if (listed >= limit) break;
    const { name, row, entities: about } = violation;
    // Without what was looked up about its host: ids do not change, names and tags do.
    const own = marksOf({ name, row, entities: about });
    const text = JSON.stringify(own);
    const entities = about.flatMap((entity) => bounded(withHost(entity, violation)));
    const fresh = entities.filter(({ identity }) => !known.has(identity));
    space.entityMap -= fresh.reduce((sum, { size }) => sum + size, 0);
    space.marks -= knownMarks.has(text) ? 0 : text.length + 1;
    if (space.entityMap < 0 || space.marks < 0) break;
    for (const { identity, kind, shown } of entities) {
      const earlier = known.get(identity);
      if (earlier) {
        space.entityMap -= mergeLists(earlier.PROPS, shown.PROPS, space.entityMap);
        continue;
      }
      known.set(identity, shown);
      added.push(digestOf(identity));
      joined.push({ kind, key: shown.KEY, props: shown.PROPS });
      const others = Object.hasOwn(entityMap, kind) ? entityMap[kind] : undefined;
      if (others) others.push(shown);
      else entityMap[kind] = [shown];
    }
    if (!knownMarks.has(text)) marks.push(own);
    knownMarks.add(text);
    listed += 1;
  }
  return { columns: { listed, entity_map: jsonOf(entityMap), marks: JSON.stringify(marks) }, added, joined };
}

/** Names the host of an entity: a host by its own name, what is on hosts by the names of those it was found on. */
function withHost({ kind, key, props }: Entity, { hostname }: Violation): Entity {
  if (hostname === undefined || (key.mid === undefined && props.mid === undefined))
    return { kind, key, props };
  return {
    kind,
    key,
    props: key.mid === undefined ? { ...props, hostname_list: [hostname] } : { hostname, ...props },
  };
}

const mostInList = 50;

/** Takes over what lists of a repeated entity say besides; returns how many characters that took. */
function mergeLists(into: Entity['props'], from: Entity['props'], space: number): number {
  let taken = 0;
  for (const [name, value] of Object.entries(from)) {
    const list = into[name];
    if (!name.endsWith('_list') || !Array.isArray(list) || !Array.isArray(value)) continue;
    for (const each of value as unknown[]) {
      const size = jsonOf(each).length + 1;
      if (list.length >= mostInList || taken + size > space || list.includes(each)) continue;
      list.push(each);
      taken += size;
    }
  }
  return taken;
}

/** An entity that is too long is shown by its key only, or not at all. */
function bounded({ kind, key, props }: Entity) {
  const identity = identityOf(kind, key);
  if (identity.length > longest.entity) return [];
  const whole = { KEY: key, PROPS: props };
  const length = jsonOf(whole).length;
  const isShort = length <= longest.entity;
  const size = (isShort ? length : identity.length) + kind.length + 30;
  // A copy, as its lists may grow.
  const shown = isShort ? { KEY: key, PROPS: withOwnLists(props) } : { KEY: key, PROPS: {} };
  return [{ identity, kind, shown, size }];
}

function withOwnLists(props: Entity['props']): Entity['props'] {
  return Object.fromEntries(
    Object.entries(props).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]),
  );
}

function knownIn(entityMap: EntityMap): Map<string, EntityMap[string][number]> {
  return new Map(
    Object.entries(entityMap).flatMap(([kind, entities]) =>
      entities.map((shown) => [identityOf(kind, shown.KEY), shown] as const),
    ),
  );
}

function identityOf(kind: string, key: Entity['key']): string {
  return jsonOf([kind, key]);
}

function digestOf(identity: string): string {
  return createHash('sha256').update(identity).digest('base64url').slice(0, 22);
}

/** Numbers that are too long for a number of JavaScript are text, as clients would read them wrongly otherwise. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
}
