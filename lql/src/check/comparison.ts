import type { Between, Comparison, ComparisonOperator, Expression } from '../syntax/tree.ts';
import type { Span } from '../text/span.ts';
import type { Checked } from './checked.ts';
import type { Checking } from './checking.ts';
import { converted, some, type ValueType, wayTo } from './conversion.ts';
import { castFix } from './demand.ts';
import { weightOf } from './weight.ts';

/** A value and how it was written. */
export interface Operand {
  readonly value: Checked;
  readonly written: Expression;
}

export function checkComparison(comparison: Comparison, checking: Checking): Checked | undefined {
  const { operator, left, right } = comparison;
  const [leftValue, rightValue] = [checking.value(left), checking.value(right)];
  if (!leftValue || !rightValue) return undefined;
  return compare(
    { value: leftValue, written: left },
    operator,
    { value: rightValue, written: right },
    checking,
    comparison,
  );
}

/** The value is compared twice, so what it is made of counts twice. */
export function checkBetween(between: Between, checking: Checking): Checked | undefined {
  checking.extent.addRange(between);
  const [value, low, high] = [between.value, between.low, between.high].map((written) => {
    const checked = checking.value(written);
    return checked && { value: checked, written };
  });
  if (!value || !low || !high) return undefined;
  if (!checking.repetition.allows(weightOf(value.value), 1, between)) return undefined;
  const atLeast = compare(value, '>=', low, checking, between);
  const atMost = atLeast && compare(value, '<=', high, checking, between);
  if (!atLeast || !atMost) return undefined;
  const within: Checked = { kind: 'combined', type: 'Boolean', operator: 'and', values: [atLeast, atMost] };
  return between.negated ? { kind: 'inverted', type: 'Boolean', of: within } : within;
}

export function compare(
  left: Operand,
  operator: ComparisonOperator,
  right: Operand,
  checking: Checking,
  at: Span,
): Checked | undefined {
  if (left.value.type === 'Null' || right.value.type === 'Null') {
    const test = operator === '<>' ? 'is not null' : 'is null';
    const fix = { start: left.written.end, end: right.written.end, text: ` ${test}` };
    const isTest = at.end === fix.end && right.written.kind === 'null' && /^(?:=|<>)$/.test(operator);
    checking.problems.warn(
      at,
      `A comparison with null is never true: use \`${test}\`.`,
      isTest ? fix : undefined,
    );
    return { kind: 'compared', type: 'Boolean', operator, left: left.value, right: right.value };
  }
  const type = meetingType(left, right, checking);
  if (!type) return complain(left, right, checking);
  const isOrder = operator !== '=' && operator !== '<>';
  if (isOrder && type === 'Boolean')
    return checking.problems.error(at, `A Boolean is compared with \`=\` and \`<>\` only.`);
  if (isOrder && left.value.type === 'Json' && right.value.type === 'Json')
    checking.problems.warn(
      at,
      'Two Json values are compared by their text, where 10 comes before 9. If they are numbers, write `::Number` after one of them.',
      castFix(right.written, 'Number'),
    );
  return {
    kind: 'compared',
    type: 'Boolean',
    operator,
    left: converted(left.value, type),
    right: converted(right.value, type),
  };
}

/** The type in which two values are compared: Json becomes what it is compared with, and a text a moment. */
export function meetingType(left: Operand, right: Operand, checking: Checking): ValueType | undefined {
  const [one, other] = [left.value.type, right.value.type];
  if (one === 'Null') return other === 'Null' || other === 'Json' ? 'String' : other;
  if (other === 'Null' || one === other) return one === 'Json' ? 'String' : one;
  if (one === 'Json') return other;
  if (other === 'Json') return one;
  for (const [moment, text] of [
    [one, right],
    [other, left],
  ] as const)
    if (moment === 'Timestamp' && text.written.kind === 'string') {
      warnOfMoment(text.written.value, text.written, checking);
      return 'Timestamp';
    }
  return undefined;
}

const moments = [
  /^\s*(?:\d{1,10}|\d{13})\s*$/,
  /^\s*\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:Z|[+-]\d\d:\d\d)?)?\s*$/i,
];

function warnOfMoment(text: string, at: Span, { problems }: Checking): void {
  if (!moments.some((form) => form.test(text)))
    problems.warn(at, "This text is no moment. Write it as `'2024-05-01T13:00:00Z'` or `'2024-05-01'`.");
}

/** Which of two types that do not meet is better changed into the other. */
const changed: readonly ValueType[] = ['String', 'Number', 'Boolean', 'Timestamp'];

function complain(left: Operand, right: Operand, { problems }: Checking): undefined {
  const [from, to] =
    changed.indexOf(left.value.type as ValueType) < changed.indexOf(right.value.type as ValueType)
      ? [left, right]
      : [right, left];
  const [fromType, toType] = [from.value.type as ValueType, to.value.type as ValueType];
  const message = `${capital(some(left.value.type))} can not be compared with ${some(right.value.type)}`;
  const literal = rewritten(from.written, toType) ?? rewritten(to.written, fromType);
  if (literal)
    return problems.error(literal.at, `${message}: write \`${literal.text}\`.`, {
      ...spanOf(literal.at),
      text: literal.text,
    });
  const way = wayTo(fromType, toType);
  return problems.error(
    from.written,
    `${message}${way ? `: ${way}` : ''}.`,
    way?.startsWith('write') ? castFix(from.written, toType) : undefined,
  );
}

/** A literal of the other type that looks the same. */
function rewritten(
  written: Expression,
  type: ValueType,
): { readonly at: Span; readonly text: string } | undefined {
  if (written.kind === 'string') {
    if (type === 'Number' && /^-?\d+(?:\.\d+)?$/.test(written.value))
      return { at: written, text: written.value };
    if (type === 'Boolean' && /^(?:true|false)$/i.test(written.value))
      return { at: written, text: written.value.toLowerCase() };
  }
  if (written.kind === 'number' && type === 'String') return { at: written, text: `'${written.digits}'` };
  if (written.kind === 'boolean' && type === 'String') return { at: written, text: `'${written.value}'` };
  return undefined;
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
