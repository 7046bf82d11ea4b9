import type { Expression } from '../syntax/tree.ts';
import type { Fix } from '../text/problem.ts';
import type { Checked } from './checked.ts';
import type { Checking } from './checking.ts';
import { fitted, some, type ValueType, wayTo } from './conversion.ts';

/** Checks an expression whose type is given by where it stands; `what` names it in a message. */
export function demand(
  expression: Expression,
  type: ValueType,
  what: string,
  checking: Checking,
): Checked | undefined {
  const value = checking.value(expression);
  return value && demandOf(value, expression, type, what, checking);
}

export function demandOf(
  value: Checked,
  expression: Expression,
  type: ValueType,
  what: string,
  { problems }: Checking,
): Checked | undefined {
  const fits = fitted(value, type);
  if (fits) return fits;
  const from = value.type as ValueType;
  const way = type === 'Boolean' ? 'compare it with a value' : wayTo(from, type);
  return problems.error(
    expression,
    `${what} must be ${some(type)}, but this is ${some(from)}${way ? `: ${way}` : ''}.`,
    way?.startsWith('write') ? castFix(expression, type) : undefined,
  );
}

const bindTighter: ReadonlySet<Expression['kind']> = new Set([
  ...(['column', 'path', 'call', 'cast', 'case'] as const),
  ...(['string', 'number', 'boolean', 'null'] as const),
]);

/** Puts a cast after what can take one without parentheses. */
export function castFix(expression: Expression, type: ValueType): Fix | undefined {
  if (!bindTighter.has(expression.kind)) return undefined;
  return { start: expression.end, end: expression.end, text: `::${type}` };
}
