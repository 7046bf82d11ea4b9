import type { Checked } from './checked.ts';

/** Operands of an expression, without those of a subquery. */
export function partsOf(value: Checked): readonly Checked[] {
  switch (value.kind) {
    case 'constant':
    case 'column':
    case 'item':
      return [];
    case 'path':
    case 'converted':
    case 'negated':
    case 'inverted':
      return [value.of];
    case 'computed':
    case 'concatenated':
    case 'compared':
      return [value.left, value.right];
    case 'called':
    case 'combined':
    case 'within':
      return value.values;
    case 'chosen':
      return [
        ...value.branches.flatMap(({ when, then }) => [when, then]),
        ...(value.otherwise ? [value.otherwise] : []),
      ];
    case 'among':
      return [value.value, ...value.values];
    case 'matched':
      return [value.value, ...value.patterns];
    case 'nullTested':
      return [value.value];
  }
}
