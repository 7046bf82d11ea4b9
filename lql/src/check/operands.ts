import type { CheckedExpression } from './checked.ts';

/** Operands of an expression, without those of a subquery. */
export function operandsOf(value: CheckedExpression): readonly CheckedExpression[] {
  switch (value.kind) {
    case 'constant':
    case 'column':
    case 'item':
      return [];
    case 'path':
    case 'conversion':
    case 'negative':
    case 'not':
      return [value.of];
    case 'arithmetic':
    case 'concatenation':
    case 'comparison':
      return [value.left, value.right];
    case 'call':
    case 'logical':
    case 'inSubquery':
      return value.values;
    case 'case':
      return [
        ...value.branches.flatMap(({ when, then }) => [when, then]),
        ...(value.otherwise ? [value.otherwise] : []),
      ];
    case 'inList':
      return [value.value, ...value.values];
    case 'pattern':
      return [value.value, ...value.patterns];
    case 'nullTest':
      return [value.value];
  }
}
