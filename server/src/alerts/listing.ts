import { createHash } from 'node:crypto';
import type { Tables } from '../control/tables.ts';
import type { Entity, Violation } from './finding.ts';
import { type Marks, marksOf } from './marks.ts';

/** The `entityMap` of the API: entities by kind. */
export type EntityMap = Record<string, { readonly KEY: Entity['key']; readonly PROPS: Entity['props'] }[]>;

type ListingColumns = Pick<Tables['alerts'], 'listed' | 'entity_map' | 'marks'>;

export interface Listing {
  readonly columns: ListingColumns;
  /** Digests of the new entities. */
  readonly added: readonly string[];
  /** The new entities, in order of arrival. */
  readonly joined: readonly Entity[];
}

/** Limits in characters of JSON. */
const maxLength = { entityMap: 1_000_000, marks: 250_000, entity: 64_000 };

const emptyListing: ListingColumns = { listed: 0, entity_map: '{}', marks: '[]' };

/**
 * Lists violations in an alert within its limits of count and size. Entities and marks are deduplicated; arrays in the
 * properties of a repeated entity are merged.
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
    entityMap: maxLength.entityMap - present.entity_map.length,
    marks: maxLength.marks - present.marks.length,
  };
  let { listed } = present;
  for (const violation of violations) {
    if (listed >= limit) break;
    const { name, row, entities: ownEntities } = violation;
    // Excludes looked-up host data: names and tags of a host may change, its id does not.
    const own = marksOf({ name, row, entities: ownEntities });
    const ownJson = JSON.stringify(own);
    const entities = ownEntities.flatMap((entity) => bounded(withHost(entity, violation)));
    const fresh = entities.filter(({ identity }) => !known.has(identity));
    space.entityMap -= fresh.reduce((sum, { size }) => sum + size, 0);
    space.marks -= knownMarks.has(ownJson) ? 0 : ownJson.length + 1;
    if (space.entityMap < 0 || space.marks < 0) break;
    for (const { identity, kind, shown } of entities) {
      const earlier = known.get(identity);
      if (earlier) {
        space.entityMap -= mergeArrays(earlier.PROPS, shown.PROPS, space.entityMap);
        continue;
      }
      known.set(identity, shown);
      added.push(digestOf(identity));
      joined.push({ kind, key: shown.KEY, props: shown.PROPS });
      const others = Object.hasOwn(entityMap, kind) ? entityMap[kind] : undefined;
      if (others) others.push(shown);
      else entityMap[kind] = [shown];
    }
    if (!knownMarks.has(ownJson)) marks.push(own);
    knownMarks.add(ownJson);
    listed += 1;
  }
  return { columns: { listed, entity_map: jsonOf(entityMap), marks: JSON.stringify(marks) }, added, joined };
}

/** Adds the host name: to a host its own, to an entity on hosts the names of those hosts. */
function withHost({ kind, key, props }: Entity, { hostname }: Violation): Entity {
  if (hostname === undefined || (key.mid === undefined && props.mid === undefined))
    return { kind, key, props };
  return {
    kind,
    key,
    props: key.mid === undefined ? { ...props, hostname_list: [hostname] } : { hostname, ...props },
  };
}

const maxArrayLength = 50;

/** Merges the arrays of a repeated entity; returns the number of characters added. */
function mergeArrays(into: Entity['props'], from: Entity['props'], space: number): number {
  let taken = 0;
  for (const [name, value] of Object.entries(from)) {
    const list = into[name];
    if (!name.endsWith('_list') || !Array.isArray(list) || !Array.isArray(value)) continue;
    for (const each of value as unknown[]) {
      const size = jsonOf(each).length + 1;
      if (list.length >= maxArrayLength || taken + size > space || list.includes(each)) continue;
      list.push(each);
      taken += size;
    }
  }
  return taken;
}

/** Oversized entities are reduced to their key, or omitted. */
function bounded({ kind, key, props }: Entity) {
  const identity = identityOf(kind, key);
  if (identity.length > maxLength.entity) return [];
  const whole = { KEY: key, PROPS: props };
  const length = jsonOf(whole).length;
  const isShort = length <= maxLength.entity;
  const size = (isShort ? length : identity.length) + kind.length + 30;
  // A copy, because arrays may be merged later.
  const shown = isShort ? { KEY: key, PROPS: withOwnArrays(props) } : { KEY: key, PROPS: {} };
  return [{ identity, kind, shown, size }];
}

function withOwnArrays(props: Entity['props']): Entity['props'] {
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

/** Integers beyond the safe range become strings, which JavaScript clients read without loss of precision. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
}
