import type { Type } from '../catalogue/catalogue.ts';
import { type FunctionDeclaration, functions } from '../catalogue/functions.ts';
import type { CheckedBlock, CheckedExpression, CheckedQuery } from './checked.ts';
import { canCast, type ValueType } from './conversion.ts';
import { operandsOf } from './operands.ts';

/** Violated invariants of a checked query. */
export function faultsOf({ blocks, columns }: CheckedQuery): string[] {
  return blocks.flatMap((block) => [
    ...blockFaults(block),
    ...columns.flatMap(({ name, type }, place) => {
      const returned = block.returned[place];
      return returned?.name === name && returned.value.type === type ? [] : [`column ${name}`];
    }),
    ...(block.returned.length === columns.length ? [] : ['number of columns']),
  ]);
}

function blockFaults({ sources, filter, returned }: CheckedBlock): string[] {
  const faults = sources.flatMap((source, place) => {
    if (source.kind === 'expanded')
      return [...need(source.array, 'Json'), ...valueFaults(source.array, sources.slice(0, place))];
    if (source.kind === 'joined') return source.from < place ? [] : ['joined to a later source'];
    return [];
  });
  if (sources[0]?.kind !== 'table') faults.push('first source');
  if (filter) faults.push(...need(filter, 'Boolean'), ...valueFaults(filter, sources));
  return [...faults, ...returned.flatMap(({ value }) => valueFaults(value, sources))];
}

const need = (value: CheckedExpression, ...types: Type[]) =>
  types.includes(value.type) ? [] : [`${value.kind} of ${value.type} instead of ${types.join()}`];

function valueFaults(value: CheckedExpression, sources: CheckedBlock['sources']): string[] {
  return [...ownFaults(value, sources), ...operandsOf(value).flatMap((part) => valueFaults(part, sources))];
}

function ownFaults(value: CheckedExpression, sources: CheckedBlock['sources']): string[] {
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
      return need(value.of, 'Json');
    case 'conversion':
      return value.of.type !== value.type && canCast(value.of.type, value.type) ? [] : ['conversion'];
    case 'negative':
    case 'arithmetic':
      return operandsOf(value).flatMap((part) => need(part, 'Number'));
    case 'concatenation':
    case 'pattern':
      return operandsOf(value).flatMap((part) => need(part, 'String'));
    case 'not':
    case 'logical':
      return operandsOf(value).flatMap((part) => need(part, 'Boolean'));
    case 'comparison':
      if (value.left.type === 'Null' || value.right.type === 'Null') return [];
      return value.left.type === 'Json' ? ['comparison of Json'] : need(value.right, value.left.type);
    case 'inList':
      return value.values.flatMap((one) => need(one, value.value.type));
    case 'nullTest':
      return value.json ? need(value.value, 'Json') : [];
    case 'case':
      return [
        ...value.branches.flatMap(({ when, then }) => [...need(when, 'Boolean'), ...need(then, value.type)]),
        ...(value.otherwise ? need(value.otherwise, value.type) : []),
      ];
    case 'inSubquery':
      return [
        ...value.values.flatMap((one, place) => need(one, value.block.returned[place]?.value.type as Type)),
        ...blockFaults(value.block),
      ];
    case 'call':
      return callFaults(value);
  }
}

function callFaults({ name, values, type }: Extract<CheckedExpression, { kind: 'call' }>): string[] {
  const { parameters, result }: FunctionDeclaration = functions[name];
  const free = values.find((_, place) => parameters[Math.min(place, parameters.length - 1)]?.type === 'Any');
  const typeOf = (declared: ValueType | 'Any' | undefined) =>
    (declared === 'Any' ? free?.type : declared) as Type;
  return [
    ...values.flatMap((value, place) =>
      need(value, typeOf(parameters[Math.min(place, parameters.length - 1)]?.type)),
    ),
    ...(type === typeOf(result) ? [] : [`result of ${name}`]),
  ];
}
