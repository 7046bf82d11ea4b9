import type { Expression, InBlock, InList, Literal } from '../syntax/tree.ts';
import type { Checked, CheckedBlock } from './checked.ts';
import type { BlockInProgress, Checking } from './checking.ts';
import { capital, meetingType } from './comparison.ts';
import { canCast, converted, some, type ValueType, wayTo } from './conversion.ts';
import { inverted } from './operators.ts';

export function checkInList(node: InList, checking: Checking): Checked | undefined {
  const value = checking.value(node.value);
  const literals = alikeLiterals(node.values, checking);
  if (!value || !literals) return undefined;
  const types = node.values.map((written, place) =>
    meetingType({ value, written: node.value }, { value: literals[place] as Checked, written }, checking),
  );
  const [type] = types;
  if (!type) {
    const listed = (literals[0] as Checked).type as ValueType;
    const cast = canCast(value.type, listed) ? `, or \`::${listed}\` before \`in\`` : '';
    return checking.problems.error(
      node,
      `${capital(some(value.type))} is never one of a list of ${listed}s: write values of type ${value.type}${cast}.`,
    );
  }
  const among: Checked = {
    kind: 'among',
    type: 'Boolean',
    value: converted(value, type),
    values: literals.map((literal) => converted(literal, type)),
  };
  return node.negated ? inverted(among) : among;
}

/** The literals of a list, which have one type and are not null. */
function alikeLiterals(list: readonly Literal[], { problems, value }: Checking): Checked[] | undefined {
  const first = list.find(({ kind }) => kind !== 'null');
  let isGood = true;
  for (const literal of list) {
    if (literal.kind === 'null')
      problems.error(literal, 'A list can not hold null: take it out and add `or … is null`.');
    else if (first && literal.kind !== first.kind)
      problems.error(literal, `All values of a list must have one type, that of the first: ${first.kind}.`);
    else continue;
    isGood = false;
  }
  const literals = list.map(value);
  return isGood && literals.every((literal) => literal !== undefined) ? literals : undefined;
}

export function checkInBlock(node: InBlock, checking: Checking): Checked | undefined {
  const written = node.value.kind === 'row' ? node.value.values : [node.value];
  const values = written.map((one) => checking.value(one));
  const block = checking.block(node.block);
  if (!block) return undefined;
  const { returned } = block;
  if (returned.length !== written.length)
    return checking.problems.error(
      node.value,
      `Left of \`in\` there ${count(written.length, 'value', 'is', 'are')}, but the query in braces returns ${returned.length}. ${
        written.length < returned.length
          ? 'Write as many in parentheses, as in `(A, B) in { … }`.'
          : 'They must be as many.'
      }`,
    );
  if (!values.every((value) => value !== undefined)) return undefined;
  const met = values.map((value, place) => meet(value, written[place] as Expression, block, place, checking));
  if (!met.every((pair) => pair !== undefined)) return undefined;
  const within: Checked = {
    kind: 'within',
    type: 'Boolean',
    values: met.map(({ left }) => left),
    block: { ...block, returned: met.map(({ right }) => right) },
  };
  return node.negated ? inverted(within) : within;
}

/** A value and the column that it is looked for in, both of one type. */
function meet(
  value: Checked,
  written: Expression,
  { returned }: BlockInProgress,
  place: number,
  checking: Checking,
): { readonly left: Checked; readonly right: CheckedBlock['returned'][number] } | undefined {
  const {
    name,
    value: column,
    written: columnWritten,
  } = returned[place] as BlockInProgress['returned'][number];
  const type = meetingType({ value, written }, { value: column, written: columnWritten }, checking);
  if (type) return { left: converted(value, type), right: { name, value: converted(column, type) } };
  const way = wayTo(value.type as ValueType, column.type as ValueType);
  return checking.problems.error(
    written,
    `${capital(some(value.type))} is never one of ${name}, which is ${some(column.type)}${way ? `: ${way}` : ''}.`,
  );
}

const count = (number: number, noun: string, one: string, many: string): string =>
  number === 1 ? `${one} 1 ${noun}` : `${many} ${number} ${noun}s`;
