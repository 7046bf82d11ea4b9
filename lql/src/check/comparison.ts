import type { Between, Comparison, ComparisonOperator, Expression } from '../syntax/tree.ts';
import type { Span } from '../text/span.ts';
import type { BlockContext } from './block-context.ts';
import type { CheckedExpression } from './checked.ts';
import { conversionHint, converted, type ValueType, withArticle } from './conversion.ts';
import { nodeCount } from './node-count.ts';
import { castFix } from './required-type.ts';

/** A value and its source expression. */
export interface Operand {
  readonly value: CheckedExpression;
  readonly expression: Expression;
}

export function checkComparison(
  comparison: Comparison,
  context: BlockContext,
): CheckedExpression | undefined {
  const { operator, left, right } = comparison;
  const [leftValue, rightValue] = [context.value(left), context.value(right)];
  if (!leftValue || !rightValue) return undefined;
  return compare(
    { value: leftValue, expression: left },
    operator,
    { value: rightValue, expression: right },
    context,
    comparison,
  );
}

/** The value is used in two comparisons, so it counts twice. */
export function checkBetween(between: Between, context: BlockContext): CheckedExpression | undefined {
  context.limits.addRange(between);
  const [value, low, high] = [between.value, between.low, between.high].map((expression) => {
    const checked = context.value(expression);
    return checked && { value: checked, expression };
  });
  if (!value || !low || !high) return undefined;
  if (!context.repetition.allows(nodeCount(value.value), 1, between)) return undefined;
  const atLeast = compare(value, '>=', low, context, between);
  const atMost = atLeast && compare(value, '<=', high, context, between);
  if (!atLeast || !atMost) return undefined;
  const inRange: CheckedExpression = {
    kind: 'logical',
    type: 'Boolean',
    operator: 'and',
    values: [atLeast, atMost],
  };
  return between.negated ? { kind: 'not', type: 'Boolean', of: inRange } : inRange;
}

export function compare(
  left: Operand,
  operator: ComparisonOperator,
  right: Operand,
  context: BlockContext,
  at: Span,
): CheckedExpression | undefined {
  if (left.value.type === 'Null' || right.value.type === 'Null') {
    const test = operator === '<>' ? 'is not null' : 'is null';
    const fix = { start: left.expression.end, end: right.expression.end, text: ` ${test}` };
    const isTest = at.end === fix.end && right.expression.kind === 'null' && /^(?:=|<>)$/.test(operator);
    context.problems.warn(
      at,
      `A comparison with null is never true: use \`${test}\`.`,
      isTest ? fix : undefined,
    );
    return { kind: 'comparison', type: 'Boolean', operator, left: left.value, right: right.value };
  }
  const type = comparisonType(left, right, context);
  if (!type) return reportMismatch(left, right, context);
  const isOrder = operator !== '=' && operator !== '<>';
  if (isOrder && type === 'Boolean')
    return context.problems.error(at, `A Boolean is compared with \`=\` and \`<>\` only.`);
  if (isOrder && left.value.type === 'Json' && right.value.type === 'Json')
    context.problems.warn(
      at,
      'Two Json values are compared as strings, where 10 sorts before 9. If they are numbers, write `::Number` after one of them.',
      castFix(right.expression, 'Number'),
    );
  return {
    kind: 'comparison',
    type: 'Boolean',
    operator,
    left: converted(left.value, type),
    right: converted(right.value, type),
  };
}

/** The type of a comparison: Json takes the type of the other side, and a string literal becomes a Timestamp. */
export function comparisonType(left: Operand, right: Operand, context: BlockContext): ValueType | undefined {
  const [one, other] = [left.value.type, right.value.type];
  if (one === 'Null') return other === 'Null' || other === 'Json' ? 'String' : other;
  if (other === 'Null' || one === other) return one === 'Json' ? 'String' : one;
  if (one === 'Json') return other;
  if (other === 'Json') return one;
  for (const [type, literal] of [
    [one, right],
    [other, left],
  ] as const)
    if (type === 'Timestamp' && literal.expression.kind === 'string') {
      warnInvalidTimestamp(literal.expression.value, literal.expression, context);
      return 'Timestamp';
    }
  return undefined;
}

const timestampFormats = [
  /^\s*(?:\d{1,10}|\d{13})\s*$/,
  /^\s*\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:Z|[+-]\d\d:\d\d)?)?\s*$/i,
];

function warnInvalidTimestamp(text: string, at: Span, { problems }: BlockContext): void {
  if (!timestampFormats.some((form) => form.test(text)))
    problems.warn(
      at,
      "This string is not a timestamp. Write it as `'2024-05-01T13:00:00Z'` or `'2024-05-01'`.",
    );
}

/** Incompatible types, in the order in which a cast of the first to the second is suggested. */
const castOrder: readonly ValueType[] = ['String', 'Number', 'Boolean', 'Timestamp'];

function reportMismatch(left: Operand, right: Operand, { problems }: BlockContext): undefined {
  const [from, to] =
    castOrder.indexOf(left.value.type as ValueType) < castOrder.indexOf(right.value.type as ValueType)
      ? [left, right]
      : [right, left];
  const [fromType, toType] = [from.value.type as ValueType, to.value.type as ValueType];
  const message = `${capitalize(withArticle(left.value.type))} can not be compared with ${withArticle(right.value.type)}`;
  const literal = rewriteLiteral(from.expression, toType) ?? rewriteLiteral(to.expression, fromType);
  if (literal)
    return problems.error(literal.at, `${message}: write \`${literal.text}\`.`, {
      ...spanOf(literal.at),
      text: literal.text,
    });
  const hint = conversionHint(fromType, toType);
  return problems.error(
    from.expression,
    `${message}${hint ? `: ${hint}` : ''}.`,
    hint?.startsWith('write') ? castFix(from.expression, toType) : undefined,
  );
}

/** The literal, rewritten in the other type. */
function rewriteLiteral(
  expression: Expression,
  type: ValueType,
): { readonly at: Span; readonly text: string } | undefined {
  if (expression.kind === 'string') {
    if (type === 'Number' && /^-?\d+(?:\.\d+)?$/.test(expression.value))
      return { at: expression, text: expression.value };
    if (type === 'Boolean' && /^(?:true|false)$/i.test(expression.value))
      return { at: expression, text: expression.value.toLowerCase() };
  }
  if (expression.kind === 'number' && type === 'String')
    return { at: expression, text: `'${expression.digits}'` };
  if (expression.kind === 'boolean' && type === 'String')
    return { at: expression, text: `'${expression.value}'` };
  return undefined;
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
