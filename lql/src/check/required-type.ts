import type { Expression } from '../syntax/tree.ts';
import type { Fix } from '../text/problem.ts';
import type { BlockContext } from './block-context.ts';
import type { CheckedExpression } from './checked.ts';
import { conversionHint, implicitlyConverted, type ValueType, withArticle } from './conversion.ts';

/** Checks an expression that must have a type; `subject` names it in messages. */
export function requireType(
  expression: Expression,
  type: ValueType,
  subject: string,
  context: BlockContext,
): CheckedExpression | undefined {
  const value = context.value(expression);
  return value && requireTypeOf(value, expression, type, subject, context);
}

export function requireTypeOf(
  value: CheckedExpression,
  expression: Expression,
  type: ValueType,
  subject: string,
  { problems }: BlockContext,
): CheckedExpression | undefined {
  const converted = implicitlyConverted(value, type);
  if (converted) return converted;
  const from = value.type as ValueType;
  const hint = type === 'Boolean' ? 'compare it with a value' : conversionHint(from, type);
  return problems.error(
    expression,
    `${subject} must be ${withArticle(type)}, but this is ${withArticle(from)}${hint ? `: ${hint}` : ''}.`,
    hint?.startsWith('write') ? castFix(expression, type) : undefined,
  );
}

const primaryKinds: ReadonlySet<Expression['kind']> = new Set([
  ...(['column', 'path', 'call', 'cast', 'case'] as const),
  ...(['string', 'number', 'boolean', 'null'] as const),
]);

/** Only for expressions that need no parentheses before a cast. */
export function castFix(expression: Expression, type: ValueType): Fix | undefined {
  if (!primaryKinds.has(expression.kind)) return undefined;
  return { start: expression.end, end: expression.end, text: `::${type}` };
}
