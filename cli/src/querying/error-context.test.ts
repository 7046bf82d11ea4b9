import { expect, test } from 'vitest';
import { withSourceLines } from './error-context.ts';

test('each problem is shown with its line and a caret', () => {
  const message =
    'Unable to translate due to: Line 1, column 3, at x: Wrong.\nWarning: line 2, column 3, at y: Odd.\nThere is 1 more problem.';
  expect(withSourceLines(message, 'a x b\r\n数\ty!')).toBe(
    ['Line 1, column 3, at x: Wrong.', '  a x b', '    ^', 'Warning: line 2, column 3, at y: Odd.']
      .concat(['  数 y!', '     ^', 'There is 1 more problem.'])
      .join('\n'),
  );
});

test('a long line is truncated around the position', () => {
  const [, line = '', mark = ''] = withSourceLines(
    'Line 1, column 1001, at x: Wrong.',
    `${'a'.repeat(1_000)}x${'b'.repeat(99)}`,
  ).split('\n');
  expect(line).toBe(`  …${'a'.repeat(70)}x${'b'.repeat(39)}…`);
  expect(mark.indexOf('^')).toBe(line.indexOf('x'));
});

test('a message without a valid position is unchanged', () => {
  expect(withSourceLines('Line 9, column 1, at the end: Wrong.', 'x')).toBe(
    'Line 9, column 1, at the end: Wrong.',
  );
  expect(withSourceLines('No.', 'x')).toBe('No.');
});
