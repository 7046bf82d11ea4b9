import type { CheckedBlock, CheckedExpression } from './checked.ts';
import { operandsOf } from './operands.ts';

const weights = new WeakMap<CheckedExpression, number>();

/** Number of nodes, counting shared ones for each use. */
export function nodeCount(value: CheckedExpression): number {
  let weight = weights.get(value);
  if (weight === undefined) {
    weight = 1 + sum(operandsOf(value)) + (value.kind === 'inSubquery' ? blockWeight(value.block) : 0);
    weights.set(value, weight);
  }
  return weight;
}

function blockWeight({ sources, filter, returned }: CheckedBlock): number {
  return (
    sources.length +
    sum(sources.flatMap((source) => (source.kind === 'expanded' ? [source.array] : []))) +
    (filter ? nodeCount(filter) : 0) +
    sum(returned.map(({ value }) => value))
  );
}

function sum(values: readonly CheckedExpression[]): number {
  return values.reduce((total, value) => total + nodeCount(value), 0);
}
