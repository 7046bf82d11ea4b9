import type { Problem } from '@vedette/lql/text/problem';
import { expect, test } from 'vitest';
import { problemLines } from './problem-lines.ts';

const problem = (severity: Problem['severity'], start: number, message: string): Problem => ({
  ...{ severity, stage: 'semantic', start, end: start + 1, message },
});

test('errors come before warnings, each with its position', () => {
  const lines = problemLines('a\nb', [problem('warning', 0, 'Odd.'), problem('error', 2, 'Wrong.')]);
  expect(lines).toEqual(['Line 2, column 1, at b: Wrong.', 'Warning: line 1, column 1, at a: Odd.']);
});

test('the lines are bounded and end with the number of omitted problems', () => {
  const repeated = (count: number, length: number) =>
    problemLines(
      'a',
      Array.from({ length: count }, () => problem('error', 0, 'x'.repeat(length))),
    );
  expect(repeated(20, 10)).toHaveLength(20);
  expect(repeated(21, 10).at(-1)).toBe('There is 1 more problem.');
  expect(repeated(10_000, 10).at(-1)).toBe('There are 9980 more problems.');
  expect(repeated(20, 1_500).map(({ length }) => length)).toEqual([1_524, 1_524, 27]);
  const [long, rest] = repeated(2, 100_000);
  expect([long?.length, rest]).toEqual([4_001, 'There is 1 more problem.']);
});
