import { type MarkSource, type Marks, marksOf, type StringMark, type Tag } from '../../alerts/marks.ts';
import type { Constraint } from './form.ts';

/** Whether an exception covers the violation. */
export type Matches = (marks: Marks) => boolean;

/** Compiles the constraints of an exception for many violations: all of them must match. */
export function matcherOf(constraints: readonly Constraint[]): Matches {
  const tests = constraints.map(testOf);
  return (marks) => tests.length > 0 && tests.every((holds) => holds(marks));
}

/** Evaluates the constraints for a single violation. */
export function isExcepted(constraints: readonly Constraint[], violation: MarkSource): boolean {
  return matcherOf(constraints)(marksOf(violation));
}

/** One matching value is sufficient; `*` alone matches everything. */
function testOf({ fieldKey, fieldValues }: Constraint): Matches {
  if (fieldValues.includes('*')) return () => true;
  if (fieldKey === 'resourceTags') {
    const tests = fieldValues.flatMap((value) => (typeof value === 'string' ? [] : [tagTest(value)]));
    return ({ tags }) => tags.some((tag) => tests.some((holds) => holds(tag)));
  }
  const tests = fieldValues.flatMap((value) => (typeof value === 'string' ? [patternTest(value)] : []));
  const holdsFor = (text: string) => tests.some((holds) => holds(text));
  const isNamed = fieldKey === 'resourceNames' ? ({ name }: Marks) => holdsFor(name) : () => false;
  return (marks) => (marks.texts[fieldKey as StringMark]?.some(holdsFor) ?? false) || isNamed(marks);
}

function tagTest({ key, value }: Exclude<Constraint['fieldValues'][number], string>): (tag: Tag) => boolean {
  const isKey = patternTest(key);
  const values = [value].flat().map(patternTest);
  return (tag) => isKey(tag.key) && values.some((isValue) => isValue(tag.value));
}

/** `*` matches any characters. Greedy leftmost matching of each segment is sufficient, so there is no backtracking. */
export function patternTest(pattern: string): (text: string) => boolean {
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
