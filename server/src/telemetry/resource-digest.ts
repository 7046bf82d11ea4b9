import { createHash } from 'node:crypto';
import { type Resource, type ResourceFact, resourceFacts } from './resource.ts';
import type { KnownResource } from './snapshot.ts';

const facts = Object.keys(resourceFacts) as ResourceFact[];

/** Compares resources without their configurations: collectors send it first, and the inventory stores it. */
export function digestOf({
  facts: values,
  config,
  tags,
}: Pick<Resource, 'facts' | 'config' | 'tags'>): string {
  // Only known facts, so that adding a fact to the schema does not change digests.
  const known = facts.filter((fact) => values[fact] !== undefined).map((fact) => [fact, values[fact]]);
  const all = [known, config, tags ?? null];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64');
}

/** More resources of a scope have no common digest: their collectors send them in several parts. */
export const maxDigested = 2_000;

/** Compares all resources of a scope with those of a snapshot; the inventory computes the same. */
export function snapshotDigestOf(resources: readonly KnownResource[]): string {
  const each = resources.map(({ key, digest }) => sha256(key) + digest);
  return sha256(each.sort().join(''));
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
