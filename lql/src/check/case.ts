import type { Case, Expression } from '../syntax/tree.ts';
import type { Checked } from './checked.ts';
import type { Checking } from './checking.ts';
import { compare } from './comparison.ts';
import { commonType, converted, nullConstant, some } from './conversion.ts';
import { demand } from './demand.ts';
import { weightOf } from './weight.ts';

export function checkCase(node: Case, checking: Checking): Checked | undefined {
  const conditionOf = node.subject ? subjectTest(node.subject, node, checking) : searchTest(checking);
  const branches = node.branches.map(({ when, then }) => ({
    when: conditionOf(when),
    then: checking.value(then),
  }));
  const otherwise = node.otherwise && checking.value(node.otherwise);
  if ((node.otherwise && !otherwise) || branches.some(({ when, then }) => !when || !then)) return undefined;
  const whole = branches as { when: Checked; then: Checked }[];
  const results = [...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])];
  const values = [...whole.map(({ then }) => then), ...(otherwise ? [otherwise] : [])];
  const type = alike(values, results, 'All results of `case`', checking);
  if (!type || type === 'Null') return type && nullConstant;
  return {
    kind: 'chosen',
    type,
    branches: whole.map(({ when, then }) => ({ when, then: converted(then, type) })),
    otherwise: otherwise && converted(otherwise, type),
  };
}

/** The type that several values have in common, or a problem at the first that differs. */
export function alike(
  values: readonly Checked[],
  written: readonly Expression[],
  what: string,
  { problems }: Checking,
): ReturnType<typeof commonType> {
  const type = commonType(values);
  if (type) return type;
  const isPlain = ({ type }: Checked) => type !== 'Null' && type !== 'Json';
  const first = values.find(isPlain) as Checked;
  const place = values.findIndex((value) => isPlain(value) && value.type !== first.type);
  return problems.error(
    written[place] as Expression,
    `${what} must have one type: the first is ${some(first.type)}, this is ${some((values[place] as Checked).type)}. Write a cast such as \`::String\` after one of them.`,
  );
}

function searchTest(checking: Checking) {
  return (when: Expression) => demand(when, 'Boolean', 'What follows `when`', checking);
}

/** The subject is compared with each, so what it is made of counts that often. */
function subjectTest(subject: Expression, node: Case, checking: Checking) {
  const value = checking.value(subject);
  const bearable = value && checking.repetition.allows(weightOf(value), node.branches.length - 1, node);
  return (when: Expression) => {
    const other = checking.value(when);
    if (!value || !other || !bearable) return undefined;
    return compare({ value, written: subject }, '=', { value: other, written: when }, checking, node);
  };
}
