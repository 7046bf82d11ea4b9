import type { Checked, CheckedBlock } from './checked.ts';
import { partsOf } from './parts.ts';

const weights = new WeakMap<Checked, number>();

/** Number of nodes, counting shared ones for each use. */
export function weightOf(value: Checked): number {
  let weight = weights.get(value);
  if (weight === undefined) {
    weight = 1 + sum(partsOf(value)) + (value.kind === 'within' ? blockWeight(value.block) : 0);
    weights.set(value, weight);
  }
  return weight;
}

function blockWeight({ sources, filter, returned }: CheckedBlock): number {
  return (
    sources.length +
    sum(sources.flatMap((source) => (source.kind === 'expanded' ? [source.array] : []))) +
    (filter ? weightOf(filter) : 0) +
    sum(returned.map(({ value }) => value))
  );
}

function sum(values: readonly Checked[]): number {
  return values.reduce((total, value) => total + weightOf(value), 0);
}
