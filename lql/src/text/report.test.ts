import { describe, expect, test } from 'vitest';
import { positionOf } from './position.ts';
import type { Problem } from './problem.ts';
import { report } from './report.ts';

describe('a position', () => {
  test('counts all line endings, and characters rather than code units', () => {
    const text = 'a\nbc\r\nd\re😀f';
    const at = (substring: string) => positionOf(text, text.indexOf(substring));
    expect(positionOf(text, 0)).toEqual({ line: 1, column: 1 });
    expect(at('c')).toEqual({ line: 2, column: 2 });
    expect(at('d')).toEqual({ line: 3, column: 1 });
    expect(at('f')).toEqual({ line: 4, column: 3 });
    expect(positionOf(text, text.length)).toEqual({ line: 4, column: 4 });
  });
});

describe('a report', () => {
  const problem = (start: number, end: number, rest: Partial<Problem> = {}): Problem => ({
    ...{ severity: 'error', stage: 'syntax', message: 'No.', start, end },
    ...rest,
  });

  test('has one line per problem with position, excerpt and message', () => {
    const text = '{ source\n  { A } }';
    expect(report(text, [problem(2, 16), problem(13, 14, { severity: 'warning' })])).toBe(
      'Line 1, column 3, at source { A }: No.\nWarning: line 2, column 5, at A: No.',
    );
  });

  test('names the end, and truncates long excerpts', () => {
    expect(report('{ \n', [problem(3, 3)])).toBe('Line 2, column 1, at the end: No.');
    const [long] = report('x'.repeat(500), [problem(0, 500)]).split(': No');
    expect(long).toBe(`Line 1, column 1, at ${'x'.repeat(60)}…`);
  });
});
