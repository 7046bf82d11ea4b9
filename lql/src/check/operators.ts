import type { Arithmetic, Cast, Logical, Negative, Not, NullTest, Path, Pattern } from '../syntax/tree.ts';
import type { BlockContext } from './block-context.ts';
import type { CheckedExpression } from './checked.ts';
import { canCast, castTypes, conversionHint, converted, type ValueType, withArticle } from './conversion.ts';
import { checkRegularExpression } from './regular-expression.ts';
import { requireType, requireTypeOf } from './required-type.ts';

export function checkPath(path: Path, context: BlockContext): CheckedExpression | undefined {
  const of = context.value(path.of);
  if (!of) return undefined;
  if (of.type !== 'Json' && of.type !== 'Null')
    return context.problems.error(
      path,
      `Only Json has keys, and this is ${withArticle(of.type)}${of.type === 'String' ? `: ${conversionHint('String', 'Json')}` : ''}.`,
    );
  const keys = path.keys.map(({ text }) => text);
  return { kind: 'path', type: 'Json', of: converted(of, 'Json'), keys };
}

/** Type names of other languages. */
const foreignTypes: Record<string, ValueType> = {
  ...{ text: 'String', varchar: 'String', char: 'String', str: 'String' },
  ...{
    int: 'Number',
    integer: 'Number',
    bigint: 'Number',
    float: 'Number',
    double: 'Number',
    decimal: 'Number',
  },
  ...{ date: 'Timestamp', datetime: 'Timestamp', time: 'Timestamp' },
  ...{ bool: 'Boolean', variant: 'Json', object: 'Json', array: 'Json' },
};

export function checkCast({ of, to }: Cast, context: BlockContext): CheckedExpression | undefined {
  const { problems, spelling } = context;
  const value = context.value(of);
  const name = to.text.toLowerCase();
  const type = castTypes.get(name);
  if (!type) {
    const known = Object.hasOwn(foreignTypes, name) ? foreignTypes[name] : undefined;
    const { text, fix } = known
      ? { text: ` Write \`${known}\`.`, fix: { start: to.start, end: to.end, text: known } }
      : spelling.suggest(to, castTypes.values());
    const types = [...castTypes.values()].join(', ');
    return problems.error(to, `There is no type ${to.text}.${text} The types are ${types}.`, fix);
  }
  if (!value) return undefined;
  if (canCast(value.type, type)) return converted(value, type);
  const hint = conversionHint(value.type as ValueType, type);
  return problems.error(to, `${value.type} can not be cast to ${type}${hint ? `: ${hint}` : ''}.`);
}

export function checkNegative({ of }: Negative, context: BlockContext): CheckedExpression | undefined {
  const value = requireType(of, 'Number', 'The operand of `-`', context);
  return value && { kind: 'negative', type: 'Number', of: value };
}

export function checkArithmetic(node: Arithmetic, context: BlockContext): CheckedExpression | undefined {
  const { operator } = node;
  const [left, right] = [context.value(node.left), context.value(node.right)];
  if (!left || !right) return undefined;
  if (operator === '||') {
    const [one, other] = [
      requireTypeOf(left, node.left, 'String', 'An operand of `||`', context),
      requireTypeOf(right, node.right, 'String', 'An operand of `||`', context),
    ];
    return one && other && { kind: 'concatenation', type: 'String', left: one, right: other };
  }
  const types = [left.type, right.type];
  if (
    operator === '+' &&
    types.includes('String') &&
    types.every((type) => type === 'String' || type === 'Json')
  )
    return context.problems.error(node, 'Strings are concatenated with `||`, not with `+`.');
  if (types.includes('Timestamp'))
    return context.problems.error(
      node,
      'Timestamps have no arithmetic: use functions such as `add_days(count, timestamp)` to shift one, and `diff_days(from, to)` for the difference of two.',
    );
  const [one, other] = [
    requireTypeOf(left, node.left, 'Number', `An operand of \`${operator}\``, context),
    requireTypeOf(right, node.right, 'Number', `An operand of \`${operator}\``, context),
  ];
  return one && other && { kind: 'arithmetic', type: 'Number', operator, left: one, right: other };
}

export function checkPattern(node: Pattern, context: BlockContext): CheckedExpression | undefined {
  const subject = `The value before \`${node.operator}\``;
  const value = requireType(node.value, 'String', subject, context);
  const patterns = node.patterns.map((pattern) => {
    if (node.operator === 'rlike' && pattern.kind === 'string')
      checkRegularExpression(pattern, context.problems);
    return requireType(pattern, 'String', `A pattern of \`${node.operator}\``, context);
  });
  if (!value || !patterns.every((pattern) => pattern !== undefined)) return undefined;
  const matched: CheckedExpression = {
    kind: 'pattern',
    type: 'Boolean',
    operator: node.operator,
    value,
    patterns,
  };
  return node.negated ? inverted(matched) : matched;
}

export function checkNullTest(node: NullTest, context: BlockContext): CheckedExpression | undefined {
  const value = context.value(node.value);
  if (!value) return undefined;
  if (node.json && value.type !== 'Json' && value.type !== 'Null')
    return context.problems.error(
      node,
      `Only Json can be \`json null\`, and this is ${withArticle(value.type)}: use \`is ${node.negated ? 'not ' : ''}null\`.`,
    );
  const tested: CheckedExpression = {
    kind: 'nullTest',
    type: 'Boolean',
    json: node.json,
    value: node.json ? converted(value, 'Json') : value,
  };
  return node.negated ? inverted(tested) : tested;
}

export function checkNot({ of }: Not, context: BlockContext): CheckedExpression | undefined {
  const value = requireType(of, 'Boolean', 'The operand of `not`', context);
  return value && inverted(value);
}

export function checkLogical(
  { operator, values }: Logical,
  context: BlockContext,
): CheckedExpression | undefined {
  const checked = values.map((value) =>
    requireType(value, 'Boolean', `An operand of \`${operator}\``, context),
  );
  if (!checked.every((value) => value !== undefined)) return undefined;
  return { kind: 'logical', type: 'Boolean', operator, values: checked };
}

export const inverted = (of: CheckedExpression): CheckedExpression => ({ kind: 'not', type: 'Boolean', of });
