import type { Arithmetic, Cast, Logical, Negative, Not, NullTest, Path, Pattern } from '../syntax/tree.ts';
import type { Checked } from './checked.ts';
import type { Checking } from './checking.ts';
import { canCast, castTypes, converted, some, type ValueType, wayTo } from './conversion.ts';
import { demand, demandOf } from './demand.ts';
import { checkRegularExpression } from './regular-expression.ts';

export function checkPath(path: Path, checking: Checking): Checked | undefined {
  const of = checking.value(path.of);
  if (!of) return undefined;
  if (of.type !== 'Json' && of.type !== 'Null')
    return checking.problems.error(
      path,
      `Only Json has keys, and this is ${some(of.type)}${of.type === 'String' ? `: ${wayTo('String', 'Json')}` : ''}.`,
    );
  const keys = path.keys.map(({ text }) => text);
  return { kind: 'path', type: 'Json', of: converted(of, 'Json'), keys };
}

/** Names of types elsewhere. */
const otherTypes: Record<string, ValueType> = {
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

export function checkCast({ of, to }: Cast, checking: Checking): Checked | undefined {
  const { problems, spelling } = checking;
  const value = checking.value(of);
  const name = to.text.toLowerCase();
  const type = castTypes.get(name);
  if (!type) {
    const known = Object.hasOwn(otherTypes, name) ? otherTypes[name] : undefined;
    const { text, fix } = known
      ? { text: ` Write \`${known}\`.`, fix: { start: to.start, end: to.end, text: known } }
      : spelling.suggest(to, castTypes.values());
    const types = [...castTypes.values()].join(', ');
    return problems.error(to, `There is no type ${to.text}.${text} The types are ${types}.`, fix);
  }
  if (!value) return undefined;
  if (canCast(value.type, type)) return converted(value, type);
  const way = wayTo(value.type as ValueType, type);
  return problems.error(to, `${value.type} can not be cast to ${type}${way ? `: ${way}` : ''}.`);
}

export function checkNegative({ of }: Negative, checking: Checking): Checked | undefined {
  const value = demand(of, 'Number', 'What follows `-`', checking);
  return value && { kind: 'negated', type: 'Number', of: value };
}

export function checkArithmetic(node: Arithmetic, checking: Checking): Checked | undefined {
  const { operator } = node;
  const [left, right] = [checking.value(node.left), checking.value(node.right)];
  if (!left || !right) return undefined;
  if (operator === '||') {
    const [one, other] = [
      demandOf(left, node.left, 'String', 'What `||` joins', checking),
      demandOf(right, node.right, 'String', 'What `||` joins', checking),
    ];
    return one && other && { kind: 'joinedText', type: 'String', left: one, right: other };
  }
  const types = [left.type, right.type];
  if (
    operator === '+' &&
    types.includes('String') &&
    types.every((type) => type === 'String' || type === 'Json')
  )
    return checking.problems.error(node, 'Texts are joined by `||`, not by `+`.');
  if (types.includes('Timestamp'))
    return checking.problems.error(
      node,
      'There is no arithmetic with Timestamps: use `add_days(count, moment)` and the like to move one, `diff_days(from, to)` and the like for the time between two.',
    );
  const [one, other] = [
    demandOf(left, node.left, 'Number', `A side of \`${operator}\``, checking),
    demandOf(right, node.right, 'Number', `A side of \`${operator}\``, checking),
  ];
  return one && other && { kind: 'computed', type: 'Number', operator, left: one, right: other };
}

export function checkPattern(node: Pattern, checking: Checking): Checked | undefined {
  const what = `What \`${node.operator}\` looks at`;
  const value = demand(node.value, 'String', what, checking);
  const patterns = node.patterns.map((pattern) => {
    if (node.operator === 'rlike' && pattern.kind === 'string')
      checkRegularExpression(pattern, checking.problems);
    return demand(pattern, 'String', `A pattern of \`${node.operator}\``, checking);
  });
  if (!value || !patterns.every((pattern) => pattern !== undefined)) return undefined;
  const matched: Checked = { kind: 'matched', type: 'Boolean', operator: node.operator, value, patterns };
  return node.negated ? inverted(matched) : matched;
}

export function checkNullTest(node: NullTest, checking: Checking): Checked | undefined {
  const value = checking.value(node.value);
  if (!value) return undefined;
  if (node.json && value.type !== 'Json' && value.type !== 'Null')
    return checking.problems.error(
      node,
      `Only Json can be \`json null\`, and this is ${some(value.type)}: use \`is ${node.negated ? 'not ' : ''}null\`.`,
    );
  const tested: Checked = {
    kind: 'nullTested',
    type: 'Boolean',
    json: node.json,
    value: node.json ? converted(value, 'Json') : value,
  };
  return node.negated ? inverted(tested) : tested;
}

export function checkNot({ of }: Not, checking: Checking): Checked | undefined {
  const value = demand(of, 'Boolean', 'What follows `not`', checking);
  return value && inverted(value);
}

export function checkLogical({ operator, values }: Logical, checking: Checking): Checked | undefined {
  const checked = values.map((value) => demand(value, 'Boolean', `A side of \`${operator}\``, checking));
  if (!checked.every((value) => value !== undefined)) return undefined;
  return { kind: 'combined', type: 'Boolean', operator, values: checked };
}

export const inverted = (of: Checked): Checked => ({ kind: 'inverted', type: 'Boolean', of });
