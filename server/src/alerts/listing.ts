import type { Tables } from '../control/tables.ts';
import type { Entity, Violation } from './finding.ts';
import { type Marks, marksOf } from './marks.ts';

/** Entities as the interface shows them, by their kind. */
export type EntityMap = Record<string, { readonly KEY: Entity['key']; readonly PROPS: Entity['props'] }[]>;

type ListingColumns = Pick<Tables['alerts'], 'listed' | 'entity_map' | 'marks'>;

/** Characters of JSON. */
const longest = { entityMap: 1_000_000, marks: 250_000, entity: 64_000 };

export const emptyListing: ListingColumns = { listed: 0, entity_map: '{}', marks: '[]' };

/**
 * Adds violations to what an alert lists, as long as neither their number nor the space that they take is at its end.
 * Each entity and each set of marks is there once, however many violations have it.
 */
export function withViolations(
  columns: ListingColumns,
  violations: readonly Violation[],
  limit: number,
): ListingColumns {
  if (columns.listed >= limit || violations.length === 0) return columns;
  const entityMap = JSON.parse(columns.entity_map) as EntityMap;
  const marks = JSON.parse(columns.marks) as Marks[];
  const known = new Set([...keysIn(entityMap), ...marks.map((each) => JSON.stringify(each))]);
  const space = {
    entityMap: longest.entityMap - columns.entity_map.length,
    marks: longest.marks - columns.marks.length,
  };
  let { listed } = columns;
  for (const violation of violations) {
    if (listed >= limit) break;
    const own = marksOf(violation);
    const text = JSON.stringify(own);
    const entities = violation.entities
      .map(bounded)
      .filter((entity) => entity !== undefined)
      .filter(({ id }) => !known.has(id));
    space.entityMap -= entities.reduce((sum, { size }) => sum + size, 0);
    space.marks -= known.has(text) ? 0 : text.length + 1;
    if (space.entityMap < 0 || space.marks < 0) break;
    for (const { id, kind, shown } of entities) {
      if (known.has(id)) continue;
      known.add(id);
      entityMap[kind] = [...(Object.hasOwn(entityMap, kind) ? (entityMap[kind] ?? []) : []), shown];
    }
    if (!known.has(text)) marks.push(own);
    known.add(text);
    listed += 1;
  }
  return { listed, entity_map: JSON.stringify(entityMap), marks: JSON.stringify(marks) };
}

/** An entity that is too long is shown by its key only, or not at all. */
function bounded({ kind, key, props }: Entity) {
  const id = identityOf(kind, key);
  const whole = { KEY: key, PROPS: props };
  const length = JSON.stringify(whole).length;
  const shown = length <= longest.entity ? whole : { KEY: key, PROPS: {} };
  if (id.length > longest.entity) return undefined;
  const size = (shown === whole ? length : id.length + 22) + kind.length + 6;
  return { id, kind, shown, size };
}

function keysIn(entityMap: EntityMap): string[] {
  return Object.entries(entityMap).flatMap(([kind, entities]) =>
    entities.map(({ KEY }) => identityOf(kind, KEY)),
  );
}

function identityOf(kind: string, key: Entity['key']): string {
  return JSON.stringify([kind, key]);
}
