import { type MarkSource, type Marks, marksOf, type StringMark, type Tag } from '../../alerts/marks.ts';
import type { Constraint } from './form.ts';

/** Whether a violation is excepted. */
export type Matches = (marks: Marks) => boolean;

/** Reads the constraints of an exception once, for as many violations as there are: all of them must hold. */
export function matcherOf(constraints: readonly Constraint[]): Matches {
  const tests = constraints.map(testOf);
  return (marks) => tests.length > 0 && tests.every((holds) => holds(marks));
}

/** The same for a single violation. */
export function isExcepted(constraints: readonly Constraint[], violation: MarkSource): boolean {
  return matcherOf(constraints)(marksOf(violation));
}

/** One value is enough; `*` alone leaves it open. */
function testOf({ fieldKey, fieldValues }: Constraint): Matches {
  if (fieldValues.includes('*')) return () => true;
  if (fieldKey === 'resourceTags') {
    const tests = fieldValues.flatMap((value) => (typeof value === 'string' ? [] : [tagTest(value)]));
    return ({ tags }) => tags.some((tag) => tests.some((holds) => holds(tag)));
  }
  const tests = fieldValues.flatMap((value) => (typeof value === 'string' ? [textTest(value)] : []));
  const holdsFor = (text: string) => tests.some((holds) => holds(text));
  const isNamed = fieldKey === 'resourceNames' ? ({ name }: Marks) => holdsFor(name) : () => false;
  return (marks) => (marks.texts[fieldKey as StringMark]?.some(holdsFor) ?? false) || isNamed(marks);
}

function tagTest({ key, value }: Exclude<Constraint['fieldValues'][number], string>): (tag: Tag) => boolean {
  const isKey = textTest(key);
  const values = [value].flat().map(textTest);
  return (tag) => isKey(tag.key) && values.some((isValue) => isValue(tag.value));
}

/** `*` stands for any characters. The first fit of each piece is as good as a later one, so nothing is tried twice. */
export function textTest(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let from = first.length;
    for (const chunk of rest) {
      const at = text.indexOf(chunk, from);
      if (at < 0) return false;
      from = at + chunk.length;
    }
    return text.length - last.length >= from && text.endsWith(last);
  };
}
