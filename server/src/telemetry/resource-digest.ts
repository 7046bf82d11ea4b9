import { createHash } from 'node:crypto';
import { type Resource, type ResourceFact, resourceFacts } from './resource.ts';

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
