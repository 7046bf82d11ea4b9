import type { Type } from '../catalogue/catalogue.ts';
import { type FunctionDeclaration, functions } from '../catalogue/functions.ts';
import type { CheckedBlock, CheckedExpression, CheckedQuery } from './checked.ts';
import { canCast, type ValueType } from './conversion.ts';
import { operandsOf } from './operands.ts';

/** Violated invariants of a checked query. */
export function violationsOf({ blocks, columns }: CheckedQuery): string[] {
  return blocks.flatMap((block) => [
    ...blockViolations(block),
    ...columns.flatMap(({ name, type }, index) => {
      const returned = block.returned[index];
      return returned?.name === name && returned.value.type === type ? [] : [`column ${name}`];
    }),
    ...(block.returned.length === columns.length ? [] : ['number of columns']),
  ]);
}

function blockViolations({ sources, filter, returned }: CheckedBlock): string[] {
  const violations = sources.flatMap((source, index) => {
    if (source.kind === 'expanded')
      return [
        ...requireTypes(source.array, 'Json'),
        ...valueViolations(source.array, sources.slice(0, index)),
      ];
    if (source.kind === 'joined') return source.from < index ? [] : ['joined to a later source'];
    return [];
  });
  if (sources[0]?.kind !== 'table') violations.push('first source');
  if (filter) violations.push(...requireTypes(filter, 'Boolean'), ...valueViolations(filter, sources));
  return [...violations, ...returned.flatMap(({ value }) => valueViolations(value, sources))];
}

const requireTypes = (value: CheckedExpression, ...types: Type[]) =>
  types.includes(value.type) ? [] : [`${value.kind} of ${value.type} instead of ${types.join()}`];

function valueViolations(value: CheckedExpression, sources: CheckedBlock['sources']): string[] {
  return [
    ...ownViolations(value, sources),
    ...operandsOf(value).flatMap((operand) => valueViolations(operand, sources)),
  ];
}

function ownViolations(value: CheckedExpression, sources: CheckedBlock['sources']): string[] {
  switch (value.kind) {
    case 'constant':
      return (value.value === null) === (value.type === 'Null') ? [] : ['null constant'];
    case 'column': {
      const source = sources[value.source];
      const columns = source && source.kind !== 'expanded' ? source.datasource.columns : [];
      return columns.some(({ name, type }) => name === value.column && type === value.type) ? [] : ['column'];
    }
    case 'item':
      return sources[value.source]?.kind === 'expanded' ? [] : ['item'];
    case 'path':
      return requireTypes(value.of, 'Json');
    case 'conversion':
      return value.of.type !== value.type && canCast(value.of.type, value.type) ? [] : ['conversion'];
    case 'negative':
    case 'arithmetic':
      return operandsOf(value).flatMap((operand) => requireTypes(operand, 'Number'));
    case 'concatenation':
    case 'pattern':
      return operandsOf(value).flatMap((operand) => requireTypes(operand, 'String'));
    case 'not':
    case 'logical':
      return operandsOf(value).flatMap((operand) => requireTypes(operand, 'Boolean'));
    case 'comparison':
      if (value.left.type === 'Null' || value.right.type === 'Null') return [];
      return value.left.type === 'Json' ? ['comparison of Json'] : requireTypes(value.right, value.left.type);
    case 'inList':
      return value.values.flatMap((one) => requireTypes(one, value.value.type));
    case 'nullTest':
      return value.json ? requireTypes(value.value, 'Json') : [];
    case 'case':
      return [
        ...value.branches.flatMap(({ when, then }) => [
          ...requireTypes(when, 'Boolean'),
          ...requireTypes(then, value.type),
        ]),
        ...(value.otherwise ? requireTypes(value.otherwise, value.type) : []),
      ];
    case 'inSubquery':
      return [
        ...value.values.flatMap((one, index) =>
          requireTypes(one, value.block.returned[index]?.value.type as Type),
        ),
        ...blockViolations(value.block),
      ];
    case 'call':
      return callViolations(value);
  }
}

function callViolations({ name, values, type }: Extract<CheckedExpression, { kind: 'call' }>): string[] {
  const { parameters, result }: FunctionDeclaration = functions[name];
  const anyValue = values.find(
    (_, index) => parameters[Math.min(index, parameters.length - 1)]?.type === 'Any',
  );
  const typeOf = (declared: ValueType | 'Any' | undefined) =>
    (declared === 'Any' ? anyValue?.type : declared) as Type;
  return [
    ...values.flatMap((value, index) =>
      requireTypes(value, typeOf(parameters[Math.min(index, parameters.length - 1)]?.type)),
    ),
    ...(type === typeOf(result) ? [] : [`result of ${name}`]),
  ];
}
