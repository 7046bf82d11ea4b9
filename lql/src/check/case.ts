import type { Case, Expression } from '../syntax/tree.ts';
import type { Checked } from './checked.ts';
import type { Checking } from './checking.ts';
import { compare } from './comparison.ts';
import { commonType, converted, nullConstant, some } from './conversion.ts';
import { demand } from './demand.ts';
import { weightOf } from './weight.ts';

export function checkCase(node: Case, checking: Checking): Checked | undefined {
  const conditionOf = node.subject ? subjectTest(node.subject, node, checking) : searchTest(checking);
  const conditions = node.branches.map(({ when }) => conditionOf(when));
  const written = node.branches.map(({ then }) => then);
  if (node.otherwise) written.push(node.otherwise);
  const results = written.map((result) => checking.value(result));
  if (!conditions.every((when) => when !== undefined)) return undefined;
  if (!results.every((result) => result !== undefined)) return undefined;
  const type = alike(results, written, 'All results of `case`', checking);
  if (!type || type === 'Null') return type && nullConstant;
  const typed = results.map((result) => converted(result, type));
  const branches = conditions.map((when, place) => {
    const then = typed[place] as Checked;
    return { when, then };
  });
  return { kind: 'chosen', type, branches, otherwise: typed[conditions.length] };
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
    `${what} must have one type, but this is ${some((values[place] as Checked).type)} and one before it ${some(first.type)}. Write a cast such as \`::String\` after one of them.`,
  );
}

function searchTest(checking: Checking) {
  return (when: Expression) => demand(when, 'Boolean', 'What follows `when`', checking);
}

/** The subject is compared with each, so what it is made of counts that often. */
function subjectTest(subject: Expression, node: Case, checking: Checking) {
  const value = checking.value(subject);
  const mayRepeat = value && checking.repetition.allows(weightOf(value), node.branches.length - 1, node);
  return (when: Expression) => {
    const other = checking.value(when);
    if (!value || !other || !mayRepeat) return undefined;
    return compare({ value, written: subject }, '=', { value: other, written: when }, checking, node);
  };
}
