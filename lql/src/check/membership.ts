import type { Expression, InBlock, InList, Literal } from '../syntax/tree.ts';
import type { BlockContext, BlockInProgress } from './block-context.ts';
import type { CheckedBlock, CheckedExpression } from './checked.ts';
import { capitalize, comparisonType } from './comparison.ts';
import { canCast, conversionHint, converted, type ValueType, withArticle } from './conversion.ts';
import { inverted } from './operators.ts';

export function checkInList(node: InList, context: BlockContext): CheckedExpression | undefined {
  const value = context.value(node.value);
  const literals = literalsOfOneType(node.values, context);
  if (!value || !literals) return undefined;
  const types = node.values.map((expression, index) =>
    comparisonType(
      { value, expression: node.value },
      { value: literals[index] as CheckedExpression, expression },
      context,
    ),
  );
  const [type] = types;
  if (!type) {
    const listType = (literals[0] as CheckedExpression).type as ValueType;
    const cast = canCast(value.type, listType) ? `, or \`::${listType}\` before \`in\`` : '';
    return context.problems.error(
      node,
      `${capitalize(withArticle(value.type))} never equals a value in a list of ${listType}s: write values of type ${value.type}${cast}.`,
    );
  }
  const inList: CheckedExpression = {
    kind: 'inList',
    type: 'Boolean',
    value: converted(value, type),
    values: literals.map((literal) => converted(literal, type)),
  };
  return node.negated ? inverted(inList) : inList;
}

/** Literals of one type without null. */
function literalsOfOneType(
  list: readonly Literal[],
  { problems, value }: BlockContext,
): CheckedExpression[] | undefined {
  const first = list.find(({ kind }) => kind !== 'null');
  let isValid = true;
  for (const literal of list) {
    if (literal.kind === 'null')
      problems.error(literal, 'A list can not hold null: remove it and add `or … is null`.');
    else if (first && literal.kind !== first.kind)
      problems.error(literal, `All values of a list must have one type, that of the first: ${first.kind}.`);
    else continue;
    isValid = false;
  }
  const literals = list.map(value);
  return isValid && literals.every((literal) => literal !== undefined) ? literals : undefined;
}

export function checkInBlock(node: InBlock, context: BlockContext): CheckedExpression | undefined {
  const expressions = node.value.kind === 'row' ? node.value.values : [node.value];
  const values = expressions.map((one) => context.value(one));
  const block = context.block(node.block);
  if (!block) return undefined;
  const { returned } = block;
  if (returned.length !== expressions.length)
    return context.problems.error(
      node.value,
      `\`in\` has ${valueCount(expressions.length)} on its left, but the subquery in braces returns ${returned.length}. ${
        expressions.length < returned.length
          ? 'Write the same number in parentheses, as in `(A, B) in { … }`.'
          : 'The numbers must be equal.'
      }`,
    );
  if (!values.every((value) => value !== undefined)) return undefined;
  const pairs = values.map((value, index) =>
    convertPair(value, expressions[index] as Expression, block, index, context),
  );
  if (!pairs.every((pair) => pair !== undefined)) return undefined;
  const inSubquery: CheckedExpression = {
    kind: 'inSubquery',
    type: 'Boolean',
    values: pairs.map(({ left }) => left),
    block: { ...block, returned: pairs.map(({ right }) => right) },
  };
  return node.negated ? inverted(inSubquery) : inSubquery;
}

/** Converts a value and the column that it is compared with to one type. */
function convertPair(
  value: CheckedExpression,
  expression: Expression,
  { returned }: BlockInProgress,
  index: number,
  context: BlockContext,
): { readonly left: CheckedExpression; readonly right: CheckedBlock['returned'][number] } | undefined {
  const {
    name,
    value: column,
    expression: columnExpression,
  } = returned[index] as BlockInProgress['returned'][number];
  const type = comparisonType(
    { value, expression },
    { value: column, expression: columnExpression },
    context,
  );
  if (type) return { left: converted(value, type), right: { name, value: converted(column, type) } };
  const hint = conversionHint(value.type as ValueType, column.type as ValueType);
  return context.problems.error(
    expression,
    `${capitalize(withArticle(value.type))} never equals ${name}, which is ${withArticle(column.type)}${hint ? `: ${hint}` : ''}.`,
  );
}

const valueCount = (values: number): string => (values === 1 ? '1 value' : `${values} values`);
