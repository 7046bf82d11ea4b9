import type { TSchema } from 'typebox';
import type { Family } from '../../http/family.ts';

/** The families that have a schema, without duplicates, sorted by name. */
export function describedFamilies(families: readonly Family[]): Family[] {
  const described = families.filter(({ record, subtypes }) => record || subtypes);
  const byName = new Map(described.map((family) => [family.name, family]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** An array of names and types for a dataset, a union for a family with subtypes, a JSON schema for other families. */
export function describeType({ record, isDataset, subtypes }: Family): object {
  if (subtypes) return { oneOf: Object.values(subtypes) };
  if (!isDataset) return record ?? {};
  const { properties } = record as TSchema & { properties: Record<string, { type?: string }> };
  return Object.entries(properties).map(([name, { type }]) => ({ name, type: type ?? 'object' }));
}
