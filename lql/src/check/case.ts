import type { Case, Expression } from '../syntax/tree.ts';
import type { BlockContext } from './block-context.ts';
import type { CheckedExpression } from './checked.ts';
import { compare } from './comparison.ts';
import { commonType, converted, nullConstant, withArticle } from './conversion.ts';
import { nodeCount } from './node-count.ts';
import { requireType } from './required-type.ts';

export function checkCase(node: Case, context: BlockContext): CheckedExpression | undefined {
  const conditionOf = node.subject ? subjectTest(node.subject, node, context) : searchTest(context);
  const conditions = node.branches.map(({ when }) => conditionOf(when));
  const expressions = node.branches.map(({ then }) => then);
  if (node.otherwise) expressions.push(node.otherwise);
  const results = expressions.map((result) => context.value(result));
  if (!conditions.every((when) => when !== undefined)) return undefined;
  if (!results.every((result) => result !== undefined)) return undefined;
  const type = commonTypeOrError(results, expressions, 'All results of `case`', context);
  if (!type || type === 'Null') return type && nullConstant;
  const typed = results.map((result) => converted(result, type));
  const branches = conditions.map((when, index) => {
    const then = typed[index] as CheckedExpression;
    return { when, then };
  });
  return { kind: 'case', type, branches, otherwise: typed[conditions.length] };
}

/** The common type of several values; reports the first value that differs. */
export function commonTypeOrError(
  values: readonly CheckedExpression[],
  expressions: readonly Expression[],
  subject: string,
  { problems }: BlockContext,
): ReturnType<typeof commonType> {
  const type = commonType(values);
  if (type) return type;
  const isPlain = ({ type }: CheckedExpression) => type !== 'Null' && type !== 'Json';
  const first = values.find(isPlain) as CheckedExpression;
  const index = values.findIndex((value) => isPlain(value) && value.type !== first.type);
  return problems.error(
    expressions[index] as Expression,
    `${subject} must have one type, but this is ${withArticle((values[index] as CheckedExpression).type)} and one before it ${withArticle(first.type)}. Write a cast such as \`::String\` after one of them.`,
  );
}

function searchTest(context: BlockContext) {
  return (when: Expression) => requireType(when, 'Boolean', 'The condition after `when`', context);
}

/** The subject is repeated in each comparison, so it counts that many times. */
function subjectTest(subject: Expression, node: Case, context: BlockContext) {
  const value = context.value(subject);
  const mayRepeat = value && context.repetition.allows(nodeCount(value), node.branches.length - 1, node);
  return (when: Expression) => {
    const other = context.value(when);
    if (!value || !other || !mayRepeat) return undefined;
    return compare({ value, expression: subject }, '=', { value: other, expression: when }, context, node);
  };
}
