import { isDeepStrictEqual } from 'node:util';
import type { RuleFilters } from './kind.ts';

export const subCategories = [
  'Compliance',
  'Application',
  'Cloud Activity',
  'File',
  'Machine',
  'User',
  'Platform',
  'Kubernetes Activity',
  'Registry',
  'SystemCall',
  'Host Vulnerability',
  'Container Vulnerability',
  'Threat Intel',
] as const;

/** Former category names that `eventCategory` accepts, with their current names. */
const renamed = new Map([
  ['App', 'Application'],
  ['Cloud', 'Cloud Activity'],
  ['K8sActivity', 'Kubernetes Activity'],
]);

export const eventCategories = [...subCategories, ...renamed.keys()];

/**
 * Clients use either `subCategory` or `eventCategory`, and responses have both. If a client sends both, the one that
 * differs from the stored value counts; if both differ, `subCategory`.
 */
export function unifyCategories(
  given: Partial<RuleFilters>,
  present: Partial<RuleFilters>,
): Partial<RuleFilters> {
  const former = given.eventCategory?.map((category) => renamed.get(category) ?? category);
  const candidates = [given.subCategory, former && [...new Set(former)]].filter(
    (categories) => categories !== undefined,
  );
  const chosen =
    candidates.find((categories) => !isDeepStrictEqual(categories, present.subCategory)) ?? candidates[0];
  return chosen ? { ...given, subCategory: chosen, eventCategory: chosen } : given;
}
