import type { TSchema } from 'typebox';
import type { Family } from '../../http/family.ts';

/** The families that have something to describe, each once, by name. */
export function describedFamilies(families: readonly Family[]): Family[] {
  const described = families.filter(({ record, subtypes }) => record || subtypes);
  const byName = new Map(described.map((family) => [family.name, family]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A dataset is a list of names and types; a family with subtypes is a choice of them; the others are one schema. */
export function describeType({ record, isDataset, subtypes }: Family): unknown {
  if (subtypes) return { oneOf: Object.values(subtypes) };
  if (!isDataset) return record;
  const { properties } = record as TSchema & { properties: Record<string, { type?: string }> };
  return Object.entries(properties).map(([name, { type }]) => ({ name, type: type ?? 'object' }));
}
