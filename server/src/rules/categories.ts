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

/** Earlier words that `eventCategory` takes, and what they are called now. */
const renamed = new Map([
  ['App', 'Application'],
  ['Cloud', 'Cloud Activity'],
  ['K8sActivity', 'Kubernetes Activity'],
]);

export const eventCategories = [...subCategories, ...renamed.keys()];

/**
 * Clients know the categories by one name or the other, and both are shown. A client that sends back what it read with
 * one of the two changed means that one; where both are new, the present name counts.
 */
export function unifyCategories(
  given: Partial<RuleFilters>,
  present: Partial<RuleFilters>,
): Partial<RuleFilters> {
  const earlier = given.eventCategory?.map((word) => renamed.get(word) ?? word);
  const lists = [given.subCategory, earlier && [...new Set(earlier)]].filter((list) => list !== undefined);
  const chosen = lists.find((list) => !isDeepStrictEqual(list, present.subCategory)) ?? lists[0];
  return chosen ? { ...given, subCategory: chosen, eventCategory: chosen } : given;
}
